// Lets the lanes of a block advance together through loops that stride over memory.
//
// In such loops neighbouring lanes use the same cache lines. A lane that ran its whole loop would
// pull all of them through the cache before the next lane starts. So the frontend makes these loops
// count their iterations, and lanes take turns.
#pragma once

namespace heddle_host {

inline constexpr unsigned iterations_per_turn = 16;

// Lets the other lanes of the block run. The lane stays ready.
void take_turn();

// Called at the end of an iteration; `left` counts the iterations left in the lane's turn.
[[gnu::always_inline]] inline void end_iteration(unsigned& left) {
  if (__builtin_expect(--left != 0, 1)) return;
  left = iterations_per_turn;
  take_turn();
}

}  // namespace heddle_host
