// Reads and writes findings as JSON.
#include "report/check/found_json.hpp"

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "report/check/causes.hpp"
#include "report/check/kinds.hpp"
#include "report/check/launch_limits.hpp"

namespace heddle_report {
namespace {

using nlohmann::json;

source_place source_place_from(const json& from) {
  return {from.value("file", ""), from.value("line", 0), from.value("source", ""),
          from.value("column", 0)};
}

void put(json& into, const source_place& at) {
  if (at.file.empty()) return;
  into["file"] = at.file;
  into["line"] = at.line;
  into["source"] = at.source;
  if (at.column != 0) into["column"] = at.column;
}

found_place place_from(const json& from) {
  found_place place;
  place.at = source_place_from(from);
  place.role = from.value("role", "calls");
  place.block = from.value("block", place.block);
  place.thread = from.value("thread", place.thread);
  place.warp = from.value("warp", 0u);
  place.lane = from.value("lane", 0u);
  place.mask = from.value("mask", 0u);
  place.kernel = from.value("kernel", "");
  place.is_on_host = from.value("host", false);
  place.is_in_stream = from.value("stream", false);
  place.overwrites = from.value("overwrites", false);
  place.is_copy = from.value("copy", false);
  for (const json& frame : from.value("frames", json::array())) {
    place.frames.push_back({frame.value("function", ""), source_place_from(frame)});
  }
  return place;
}

json place_json(const found_place& place) {
  json one{{"role", place.role}};
  put(one, place.at);
  for (const found_frame& frame : place.frames) {
    json inner{{"function", frame.function}};
    put(inner, frame.at);
    one["frames"].push_back(std::move(inner));
  }
  if (place.overwrites) one["overwrites"] = true;
  if (place.is_in_stream) one["stream"] = true;
  if (!place.kernel.empty()) one["kernel"] = place.kernel;  // host: which it launches
  if (place.is_on_host) {
    one["host"] = true;
    return one;
  }
  one["block"] = place.block;
  one["thread"] = place.thread;
  one["warp"] = place.warp;
  one["lane"] = place.lane;
  if (place.mask != 0) one["mask"] = place.mask;
  if (place.is_copy) one["copy"] = true;
  return one;
}

found_memory memory_from(const json& from) {
  found_memory memory;
  memory.variable = from.value("variable", "");
  memory.is_shared = from.value("shared", false);
  memory.offset = from.value("offset", std::int64_t{0});
  memory.access_bytes = from.value("access_bytes", std::uint64_t{0});
  memory.bytes = from.value("bytes", std::uint64_t{0});
  if (from.contains("allocated")) memory.allocated = source_place_from(from["allocated"]);
  memory.is_declared = from.value("declared", false);
  if (from.contains("freed")) memory.freed = source_place_from(from["freed"]);
  return memory;
}

json memory_json(const found_memory& memory) {
  json made{{"shared", memory.is_shared},
            {"offset", memory.offset},
            {"access_bytes", memory.access_bytes},
            {"bytes", memory.bytes}};
  if (!memory.variable.empty()) made["variable"] = memory.variable;
  if (!memory.allocated.file.empty()) put(made["allocated"], memory.allocated);
  if (memory.is_declared) made["declared"] = true;
  if (!memory.freed.file.empty()) put(made["freed"], memory.freed);
  return made;
}

// Every fact has its own key.
struct fact_writer {
  json operator()(std::monostate) const { return nullptr; }
  json operator()(const heddle_host::array_index& one) const {
    return {{"index", one.index}, {"array", one.array}};
  }
  json operator()(const heddle_host::alignment_rule& one) const {
    return {{"multiple_of", one.multiple_of}, {"size", one.size}};
  }
  json operator()(const heddle_host::failed_assertion& one) const {
    return {{"condition", one.condition}};
  }
  json operator()(const heddle_host::raised_signal& one) const {
    return {{"signal", one.number}, {"address", one.address}};
  }
  json operator()(const heddle_host::time_limit& one) const { return {{"seconds", one.seconds}}; }
  json operator()(const heddle_host::stack_limit& one) const { return {{"stack", one.bytes}}; }
  json operator()(heddle_host::unknown_order) const { return {{"order", "unknown"}}; }
  json operator()(const heddle_host::cuda_error& one) const {
    json made{{"error", one.name}, {"text", one.text}};
    if (one.limit.which != heddle_host::launch_limit::none) {
      made["limit"] = name_of(one.limit.which);
      made["asked"] = one.limit.asked;
      made["allowed"] = one.limit.allowed;
    }
    return made;
  }
  json operator()(const heddle_host::shift_distance& one) const {
    return {{"distance", one.distance}, {"width", one.width}};
  }
};

finding_fact fact_from(const json& from) {
  if (from.contains("index")) {
    return heddle_host::array_index{from.value("index", std::int64_t{0}), from.value("array", "")};
  }
  if (from.contains("multiple_of")) {
    return heddle_host::alignment_rule{from.value("multiple_of", std::uint64_t{0}),
                                       from.value("size", std::uint64_t{0})};
  }
  if (from.contains("condition")) {
    return heddle_host::failed_assertion{from.value("condition", "")};
  }
  if (from.contains("signal")) {
    return heddle_host::raised_signal{from.value("signal", 0),
                                      from.value("address", std::uint64_t{0})};
  }
  if (from.contains("seconds")) return heddle_host::time_limit{from.value("seconds", 0.0)};
  if (from.contains("stack")) {
    return heddle_host::stack_limit{from.value("stack", std::uint64_t{0})};
  }
  if (from.contains("order")) return heddle_host::unknown_order{};
  if (from.contains("error")) {
    return heddle_host::cuda_error{
        from.value("error", ""),
        from.value("text", ""),
        {launch_limit_named(from.value("limit", "")), from.value("asked", std::uint64_t{0}),
         from.value("allowed", std::uint64_t{0})}};
  }
  if (from.contains("distance")) {
    return heddle_host::shift_distance{from.value("distance", std::int32_t{0}),
                                       from.value("width", std::uint32_t{0})};
  }
  return {};
}

}  // namespace

json to_json(const found& what) {
  json one{{"kind", name_of(what.kind)}, {"count", what.count}};
  if (what.cause != finding_cause::none) one["cause"] = cause_of(what.cause).name;
  if (json fact = std::visit(fact_writer{}, what.fact); !fact.is_null()) {
    one["fact"] = std::move(fact);
  }
  if (!what.kernel.empty()) one["kernel"] = what.kernel;
  if (what.is_candidate) one["candidate"] = true;
  one["places"] = json::array();
  for (const found_place& place : what.places) one["places"].push_back(place_json(place));
  if (what.memory) one["memory"] = memory_json(*what.memory);
  return one;
}

found read_finding(const json& from) {
  found one;
  one.id = from.value("id", "");
  const auto kind_name = from.at("kind").get<std::string>();
  const defect_kind* const kind = find_kind(kind_name);
  if (kind == nullptr) throw std::invalid_argument("there is no kind of finding " + kind_name);
  one.kind = kind->kind;
  const auto cause_name = from.value("cause", std::string(cause_of(finding_cause::none).name));
  const defect_cause* const cause = find_cause(cause_name);
  if (cause == nullptr) throw std::invalid_argument("there is no cause " + cause_name);
  one.cause = cause->cause;
  if (from.contains("fact")) one.fact = fact_from(from["fact"]);
  one.kernel = from.value("kernel", "");
  one.count = from.value("count", std::uint64_t{1});
  one.is_candidate = from.value("candidate", false);
  one.interleaving = from.value("interleaving", "");
  one.number = from.value("number", std::size_t{0});
  for (const json& place : from.value("places", json::array())) {
    one.places.push_back(place_from(place));
  }
  if (from.contains("memory")) one.memory = memory_from(from["memory"]);
  return one;
}

}  // namespace heddle_report
