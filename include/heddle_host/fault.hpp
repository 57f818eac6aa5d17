// Ends the running kernel from one of its lanes.
#pragma once
#include <optional>

#include <heddle_host/finding.hpp>

namespace heddle_host {

// The place of the running lane, which got to `code`.
lane_place place_of_running_lane(const void* code, bool is_return_address);

// Tells the listener, gives up the grid and never returns; the launch ends with `error`.
[[noreturn]] void fail_launch(finding_kind kind, finding_cause cause, cudaError_t error,
                              const void* code, finding_fact fact = {});

// The same for a finding that has been put together elsewhere.
[[noreturn]] void fail_launch(finding what);

// How things stand in a checked run: every lane that has begun and not ended, the running one
// first, with what it does. Nothing if a lane or a block has not begun.
std::optional<finding> describe_all_lanes(const void* code);

// Whose memory an address outside the arena is, as far as the machine knows.
enum class memory_owner : unsigned char { nobody, machine, running_lane, other_lane };
memory_owner find_owner(const void* address);

}  // namespace heddle_host
