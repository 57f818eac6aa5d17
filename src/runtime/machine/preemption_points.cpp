// Defines the function that code compiled with -fsanitize-coverage=trace-pc calls at every basic
// block, so that lanes take turns in any loop. Marks the blocks if HEDDLE_RAN_CODE is set.
#include <cstdlib>

#include <heddle_host/lane.hpp>
#include <heddle_host/ran_code.hpp>

#include "machine/block_state.hpp"

namespace {

constexpr unsigned blocks_per_turn = 64;
__thread unsigned blocks_left = blocks_per_turn;

// `heddle run --report` sets this variable.
[[gnu::constructor(200)]] void begin_marking() {
  if (const char* const folder = std::getenv("HEDDLE_RAN_CODE"); folder != nullptr) {
    heddle_host::keep_ran_code(folder);
  }
}

[[gnu::noinline]] void mark_in_library(std::uintptr_t code, unsigned char who) {
  if (heddle_host::mark_known_library(code, who)) return;
  const bool was_lane_code = heddle_host::lane_now.may_be_preempted;
  heddle_host::leave_lane_code();
  heddle_host::add_library_around(code);
  if (was_lane_code) heddle_host::enter_lane_code();
  heddle_host::mark_known_library(code, who);
}

void mark(const void* at) {
  using namespace heddle_host;
  const auto code = reinterpret_cast<std::uintptr_t>(at);
  const unsigned char who = in_lane() ? ran_in_lane : ran_on_host;
  if (!own_ran_code.mark(code, who)) mark_in_library(code, who);
}

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() {
  if (__builtin_expect(heddle_host::own_ran_code.bytes != 0, 0)) mark(__builtin_return_address(0));
  if (__builtin_expect(--blocks_left != 0, 1)) return;
  blocks_left = blocks_per_turn;
  if (!heddle_host::in_lane() || !heddle_host::lane_now.may_be_preempted) return;
  heddle_host::machine_section guard;
  heddle_host::lane_now.block->yield_lane(__builtin_return_address(0), true);
}
