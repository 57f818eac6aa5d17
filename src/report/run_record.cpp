// Reads and writes findings as JSON.
#include "report/run_record.hpp"

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

namespace heddle_report {
namespace {

using nlohmann::json;

source_place source_place_from(const json& from) {
  return {from.value("file", ""), from.value("line", 0), from.value("source", "")};
}

void put(json& into, const source_place& at) {
  if (at.file.empty()) return;
  into["file"] = at.file;
  into["line"] = at.line;
  into["source"] = at.source;
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
  return place;
}

json place_json(const found_place& place) {
  json one{{"role", place.role}};
  put(one, place.at);
  if (place.overwrites) one["overwrites"] = true;
  if (place.is_in_stream) one["stream"] = true;
  if (place.is_on_host) {
    one["host"] = true;
    if (!place.kernel.empty()) one["kernel"] = place.kernel;  // that it launches
    return one;
  }
  one["block"] = place.block;
  one["thread"] = place.thread;
  one["warp"] = place.warp;
  one["lane"] = place.lane;
  if (place.mask != 0) one["mask"] = place.mask;
  if (!place.kernel.empty()) one["kernel"] = place.kernel;
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

// A program may start others of its kind: each adds what it has looked at.
void add_covered(heddle_checker::coverage& all, const json& from) {
  for (const json& kernel : from.value("kernels", json::array())) {
    all.kernels.insert(kernel.get<std::string>());
  }
  const auto add = [&from](std::uint64_t& to, const char* name) {
    to += from.value(name, std::uint64_t{0});
  };
  add(all.launches, "launches");
  add(all.launches_watched, "launches_watched");
  add(all.blocks, "blocks");
  add(all.blocks_watched, "blocks_watched");
  add(all.accesses, "accesses");
}

void add_finding(run_record& to, found what) {
  if (what.kind == "unfinished") {
    to.unfinished = what.kernel;
    return;
  }
  const auto known = std::find_if(to.findings.begin(), to.findings.end(), [&](const found& one) {
    return !one.id.empty() && one.id == what.id;
  });
  if (known == to.findings.end()) {
    to.findings.push_back(std::move(what));
  } else {
    *known = std::move(what);
  }
}

}  // namespace

found read_finding(const json& from) {
  found one;
  one.id = from.value("id", "");
  one.kind = from.at("kind").get<std::string>();
  one.kernel = from.value("kernel", "");
  one.detail = from.value("detail", "");
  one.count = from.value("count", std::uint64_t{1});
  one.interleaving = from.value("interleaving", "");
  one.number = from.value("number", std::size_t{0});
  for (const json& place : from.value("places", json::array())) {
    one.places.push_back(place_from(place));
  }
  if (from.contains("memory")) one.memory = memory_from(from["memory"]);
  one.is_candidate = from.value("candidate", one.kind == "uninitialized");
  // Where a leak's memory came from stands in `memory`; its places are the calls on the way there.
  if (one.kind == "leak" && one.memory && !one.memory->allocated.file.empty()) {
    one.places = {
        {one.memory->allocated, "allocates", {}, {}, 0, 0, 0, {}, true, false, false, false}};
  }
  return one;
}

run_record read_run_record(const std::filesystem::path& file) {
  run_record record;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const json one = json::parse(line, nullptr, false);
    if (!one.is_object()) continue;
    if (one.contains("kind")) {
      add_finding(record, read_finding(one));
    } else if (one.contains("exploration")) {
      record.explored = exploration_from(one["exploration"]);
      record.is_complete = true;
    } else if (one.contains("stopped")) {
      record.stopped = one.value("stopped", "");
    } else if (one.contains("run")) {
      // A program may start others of its kind: each adds its lines.
      record.digest = record.digest * 31 + one.value("digest", std::uint64_t{0});
      record.is_complete = true;
    }
    if (one.contains("ended")) record.was_ended = true;
    if (one.contains("covered")) add_covered(record.covered, one["covered"]);
  }
  return record;
}

json to_json(const found& what) {
  json one{{"kind", what.kind}, {"count", what.count}};
  if (!what.kernel.empty()) one["kernel"] = what.kernel;
  if (!what.detail.empty()) one["detail"] = what.detail;
  one["places"] = json::array();
  for (const found_place& place : what.places) one["places"].push_back(place_json(place));
  if (!what.memory) return one;
  json& memory = one["memory"];
  memory = {{"shared", what.memory->is_shared},
            {"offset", what.memory->offset},
            {"access_bytes", what.memory->access_bytes},
            {"bytes", what.memory->bytes}};
  if (!what.memory->variable.empty()) memory["variable"] = what.memory->variable;
  if (!what.memory->allocated.file.empty()) put(memory["allocated"], what.memory->allocated);
  if (what.memory->is_declared) memory["declared"] = true;
  if (!what.memory->freed.file.empty()) put(memory["freed"], what.memory->freed);
  return one;
}

}  // namespace heddle_report
