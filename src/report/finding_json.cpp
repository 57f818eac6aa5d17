// Names everything in a finding: lines instead of addresses of code.
#include "report/finding_json.hpp"

#include <nlohmann/json.hpp>

#include "report/finding_text.hpp"
#include "report/source_lines.hpp"

namespace heddle_report {
namespace {

using heddle_host::activity;
using heddle_host::actor;
using heddle_host::finding;
using heddle_host::finding_kind;
using heddle_host::lane_place;
using heddle_host::memory_spot;
using nlohmann::json;

const char* role_name(activity doing) {
  switch (doing) {
    case activity::running:
      return "calls";
    case activity::reading:
      return "reads";
    case activity::writing:
      return "writes";
    case activity::updating:
      return "updates";
    case activity::spinning:
      return "spins";
    case activity::exiting:
      return "exits";
    case activity::copying_from:
    case activity::copying_to:
      return "copies";
    case activity::filling:
      return "fills";
    case activity::launching:
      return "launches";
    default:
      return "waits";
  }
}

json line_json(const source_line& line) {
  return {{"file", line.file}, {"line", line.line}, {"source", line.text}};
}

json line_json(const void* code, bool is_return_address) {
  const auto line = find_source_line(code, is_return_address);
  return line ? line_json(*line) : json::object();
}

// Lanes of a kernel that does not end are not at a call, but on their way.
const char* role_in(finding_kind kind, activity doing) {
  const bool never_ends = kind == finding_kind::deadlock || kind == finding_kind::livelock ||
                          kind == finding_kind::unfinished;
  return never_ends && doing == activity::running ? "runs" : role_name(doing);
}

bool is_users_line(const void* code, bool is_return_address) {
  const auto line = find_source_line(code, is_return_address);
  return line && is_of_user(*line);
}

// The first call that stands in a file of the program's: not in one of the machine's.
json first_line_of(const std::vector<const void*>& calls) {
  for (const void* call : calls) {
    if (is_users_line(call, true)) return line_json(call, true);
  }
  return json::object();
}

json place_json(finding_kind kind, const lane_place& place) {
  json one = place.calls != nullptr ? first_line_of(*place.calls)
                                    : line_json(place.code, place.is_return_address);
  one["role"] = role_in(kind, place.doing);
  if (place.kernel != nullptr) one["kernel"] = kernel_name(place.kernel);
  if (place.doing == activity::copying_to) one["overwrites"] = true;
  if (place.who != actor::lane) {
    one["host"] = true;
    if (place.who == actor::stream) one["stream"] = true;
    return one;
  }
  one["block"] = {place.block.x, place.block.y, place.block.z};
  one["thread"] = {place.thread.x, place.thread.y, place.thread.z};
  one["warp"] = place.warp;
  one["lane"] = place.lane;
  if (place.mask != 0) one["mask"] = place.mask;
  if (place.is_copy) one["copy"] = true;
  return one;
}

// Those in files of the program's; the work of streams whoever has asked for it. All of them, if
// there were none.
std::vector<lane_place> places_worth_telling(const finding& what) {
  std::vector<lane_place> told;
  bool has_line = false;
  for (const lane_place& place : what.places) {
    const bool is_users = place.calls != nullptr
                              ? !first_line_of(*place.calls).empty()
                              : is_users_line(place.code, place.is_return_address);
    has_line = has_line || is_users;
    if (is_users || place.who == actor::stream) told.push_back(place);
  }
  return has_line ? told : what.places;
}

json memory_json(const memory_spot& memory) {
  json told{{"shared", memory.is_shared},
            {"offset", memory.offset},
            {"access_bytes", memory.access_bytes},
            {"bytes", memory.bytes}};
  if (!memory.variable.empty()) told["variable"] = memory.variable;
  if (memory.declared.file != nullptr) {
    told["allocated"] = line_json(with_text({memory.declared.file, memory.declared.line, {}}));
    told["declared"] = true;
  } else if (!memory.allocated_at.empty()) {
    told["allocated"] = first_line_of(memory.allocated_at);
  }
  if (!memory.freed_at.empty()) told["freed"] = first_line_of(memory.freed_at);
  return told;
}

}  // namespace

const char* kind_name(finding_kind kind) {
  switch (kind) {
    case finding_kind::mask:
      return "mask";
    case finding_kind::divergent_barrier:
      return "divergent-barrier";
    case finding_kind::divergent_collective:
      return "divergent-collective";
    case finding_kind::deadlock:
      return "deadlock";
    case finding_kind::livelock:
      return "livelock";
    case finding_kind::unfinished:
      return "unfinished";
    case finding_kind::race:
      return "race";
    case finding_kind::out_of_bounds:
      return "out-of-bounds";
    case finding_kind::use_after_free:
      return "use-after-free";
    case finding_kind::misaligned:
      return "misaligned";
    case finding_kind::wrong_space:
      return "wrong-space";
    case finding_kind::uninitialized:
      return "uninitialized";
    case finding_kind::aba:
      return "aba";
    case finding_kind::schedule_dependent:
      return "schedule-dependent";
    case finding_kind::leak:
      return "leak";
    case finding_kind::assertion:
      return "assert";
    case finding_kind::api_error:
      return "api-error";
    case finding_kind::trap:
      return "trap";
    case finding_kind::stack_overflow:
      return "stack-overflow";
    case finding_kind::crash:
      return "crash";
  }
  return "";
}

json to_json(const finding& what) {
  json one{{"kind", kind_name(what.kind)}, {"count", what.count}};
  if (!what.kernel.empty()) one["kernel"] = kernel_name(what.kernel);
  if (!what.detail.empty()) one["detail"] = what.detail;
  if (what.is_candidate) one["candidate"] = true;
  one["places"] = json::array();
  for (const lane_place& place : places_worth_telling(what)) {
    one["places"].push_back(place_json(what.kind, place));
  }
  if (what.memory) one["memory"] = memory_json(*what.memory);
  return one;
}

}  // namespace heddle_report
