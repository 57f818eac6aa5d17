// Hashes an interrupted lane's private state, to find out whether the lane makes progress.
#pragma once
#include <cstdint>
#include <optional>

namespace heddle_host {

// A hash of all registers and of the whole stack. `context` is the signal handler's argument. Empty
// if it does not belong to the running lane, or if the stack is about to overflow.
std::optional<std::uint64_t> state_of_lane(const void* context);

// Whether the lane computes: its registers, except the program counter, and the top of its stack
// differ from all states seen before. A lane that only waits soon repeats itself. Safe in a signal
// handler.
bool has_new_state(const void* context);

}  // namespace heddle_host
