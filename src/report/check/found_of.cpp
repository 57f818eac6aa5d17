// Turns a finding's code addresses into source lines and names.
#include "report/check/found_of.hpp"

#include <algorithm>

#include "report/check/source_lines.hpp"
#include "report/kernel_name.hpp"

namespace heddle_report {
namespace {

using heddle_host::activity;
using heddle_host::actor;
using heddle_host::finding;
using heddle_host::lane_place;
using heddle_host::memory_spot;

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

// In a kernel that never finishes, a running lane is not at a call: it is still running.
const char* role_in(finding_kind kind, activity doing) {
  const bool never_ends = kind == finding_kind::deadlock || kind == finding_kind::livelock ||
                          kind == finding_kind::unfinished;
  if (kind == finding_kind::wide_shift) return "shifts";
  return never_ends && doing == activity::running ? "runs" : role_name(doing);
}

source_place place_of(const source_line& line) {
  return {line.file, line.line, line.text, line.column};
}

// The user's line; the library's if no inlined call leads back to the user's code.
source_place place_of(const void* code, bool is_return_address) {
  const call_chain chain = find_call_chain(code, is_return_address);
  if (chain.empty()) return {};
  return place_of(is_of_user(chain.back()) ? chain.back() : chain.front());
}

bool is_users_line(const void* code, bool is_return_address) {
  const call_chain chain = find_call_chain(code, is_return_address);
  return !chain.empty() && is_of_user(chain.back());
}

// False for the runtime, the C library and code without debug information.
bool is_of_program_code(const void* code, bool is_return_address) {
  const call_chain chain = find_call_chain(code, is_return_address);
  return !chain.empty() && is_of_program(chain.back());
}

// The library calls inside the user's line, outermost first.
std::vector<found_frame> frames_of(const void* code, bool is_return_address) {
  constexpr std::size_t most_frames = 4;
  const call_chain chain = find_call_chain(code, is_return_address);
  std::vector<found_frame> frames;
  if (chain.empty() || !is_of_user(chain.back())) return frames;
  for (std::size_t i = chain.size() - 1; i-- > 0;) {
    frames.push_back({chain[i].function, place_of(chain[i])});
  }
  // Keep the outermost frames, which say what was called, and the innermost, which did the work.
  if (frames.size() > most_frames) {
    frames.erase(frames.begin() + most_frames - 1, frames.end() - 1);
  }
  return frames;
}

// The innermost call from a file of the user's.
source_place first_line_of(const std::vector<const void*>& calls) {
  for (const void* call : calls) {
    if (is_users_line(call, true)) return place_of(call, true);
  }
  return {};
}

found_place found_place_of(finding_kind kind, const lane_place& place) {
  found_place one;
  one.at = place.calls != nullptr ? first_line_of(*place.calls)
                                  : place_of(place.code, place.is_return_address);
  if (place.calls == nullptr) one.frames = frames_of(place.code, place.is_return_address);
  one.role = role_in(kind, place.doing);
  if (place.kernel != nullptr) one.kernel = kernel_name(place.kernel);
  one.overwrites = place.doing == activity::copying_to;
  one.is_on_host = place.who != actor::lane;
  one.is_in_stream = place.who == actor::stream;
  if (one.is_on_host) return one;
  one.block = {place.block.x, place.block.y, place.block.z};
  one.thread = {place.thread.x, place.thread.y, place.thread.z};
  one.warp = place.warp;
  one.lane = place.lane;
  one.mask = place.mask;
  one.is_copy = place.is_copy;
  return one;
}

// The places in user or library files, and all stream work. If there are none, all places.
std::vector<lane_place> places_to_report(const finding& what) {
  std::vector<lane_place> shown;
  bool has_line = false;
  for (const lane_place& place : what.places) {
    const bool is_users = place.calls != nullptr
                              ? !first_line_of(*place.calls).file.empty()
                              : is_of_program_code(place.code, place.is_return_address);
    has_line = has_line || is_users;
    if (is_users || place.who == actor::stream) shown.push_back(place);
  }
  return has_line ? shown : what.places;
}

found_memory found_memory_of(const memory_spot& memory) {
  found_memory made;
  made.variable = memory.variable;
  made.is_shared = memory.is_shared;
  made.offset = memory.offset;
  made.access_bytes = memory.access_bytes;
  made.bytes = memory.bytes;
  made.is_declared = memory.declared.file != nullptr;
  made.allocated = made.is_declared
                       ? place_of(with_text({memory.declared.file, memory.declared.line, 0}))
                       : first_line_of(memory.allocated_at);
  made.freed = first_line_of(memory.freed_at);
  return made;
}

// Different code addresses may come from the same line, so the order of the two sides may be
// visible in lines even where it is not visible in addresses.
void find_order(const finding& what, found& in) {
  if (!fact_of<heddle_host::unknown_order>(in) || in.places.size() < 2) return;
  const auto is_at = [](const source_place& one, const found_place& other) {
    return one.line == other.at.line && one.file == other.at.file;
  };
  if (is_at(in.places[0].at, in.places[1])) return;
  for (const auto& text : what.texts) {
    bool is_first_at[2] = {};
    for (const void* code : text) {
      const source_place here = place_of(code, true);
      for (const std::size_t side : {0, 1}) {
        if (!is_at(here, in.places[side])) continue;
        if (is_first_at[1 - side]) {
          in.fact = {};
          if (side == 1) std::swap(in.places[0], in.places[1]);
          return;
        }
        is_first_at[side] = true;
      }
    }
  }
}

}  // namespace

bool is_worth_reporting(const finding& what) {
  if (what.kind != finding_kind::divergent_barrier || what.places.size() < 2) return true;
  const auto at = [](const lane_place& place) {
    const auto line = find_source_line(place.code, place.is_return_address);
    return line ? place_of(*line) : source_place{};
  };
  const source_place first = at(what.places.front());
  return std::any_of(what.places.begin(), what.places.end(), [&](const lane_place& place) {
    const source_place other = at(place);
    return other.file != first.file || other.line != first.line;
  });
}

found found_of(const finding& what) {
  found one;
  one.kind = what.kind;
  one.cause = what.cause;
  one.fact = what.fact;
  if (!what.kernel.empty()) one.kernel = kernel_name(what.kernel);
  one.count = what.count;
  one.is_candidate = what.is_candidate;
  for (const lane_place& place : places_to_report(what)) {
    one.places.push_back(found_place_of(what.kind, place));
  }
  if (what.memory) one.memory = found_memory_of(*what.memory);
  find_order(what, one);
  // A leak's places are the calls that lead to the allocation; only the allocation is of interest.
  if (one.kind == finding_kind::leak && one.memory && !one.memory->allocated.file.empty()) {
    found_place allocation;
    allocation.at = one.memory->allocated;
    allocation.role = "allocates";
    allocation.is_on_host = true;
    one.places = {allocation};
  }
  return one;
}

}  // namespace heddle_report
