// Lets a lane end its kernel with a finding.
#pragma once
#include <optional>

#include <heddle_host/finding.hpp>

namespace heddle_host {

// The place of the running lane, which has reached `code`.
lane_place place_of_running_lane(const void* code, bool is_return_address);

// Reports the finding and aborts the grid; never returns. The launch ends with `error`.
[[noreturn]] void fail_launch(finding_kind kind, finding_cause cause, cudaError_t error,
                              const void* code, finding_fact fact = {});

// The same for a finding that is already complete.
[[noreturn]] void fail_launch(finding what);

// The state of a checked run: every lane that has started and not exited and what it is doing, the
// running lane first. Empty if some lane or block has not started.
std::optional<finding> describe_all_lanes(const void* code);

// Who owns an address outside the arena, as far as the runtime knows.
enum class memory_owner : unsigned char { nobody, machine, running_lane, other_lane };
memory_owner find_owner(const void* address);

}  // namespace heddle_host
