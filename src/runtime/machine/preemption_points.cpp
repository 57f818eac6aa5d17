// Called at every basic block of kernels compiled with -fsanitize-coverage=trace-pc, so that lanes
// take turns in any loop.
#include <heddle_host/lane.hpp>

#include "machine/block_state.hpp"

namespace {
constexpr unsigned blocks_per_turn = 64;
__thread unsigned blocks_left = blocks_per_turn;
}  // namespace

extern "C" void __sanitizer_cov_trace_pc() {
  if (__builtin_expect(--blocks_left != 0, 1)) return;
  blocks_left = blocks_per_turn;
  if (!heddle_host::in_lane() || !heddle_host::lane_now.may_be_preempted) return;
  heddle_host::machine_section guard;
  heddle_host::lane_now.block->yield_lane(__builtin_return_address(0), true);
}
