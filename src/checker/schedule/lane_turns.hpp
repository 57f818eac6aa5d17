// Decides when a lane's turn ends: after a number of accesses, or when the schedule says so.
#pragma once
#include <cstdint>

#include "checker/checks/stall_check.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class lane_turns {
 public:
  lane_turns(run_state& run, stall_check& stalls) : run_(run), stalls_(stalls) {}

  // Called before an access to memory that others may see: others may run first. `polls`: the
  // access would change nothing now. `is_strong`: it is not plain. Afterwards the runtime treats
  // the running code as the lane's own.
  [[gnu::always_inline]] void pass(std::uintptr_t address, unsigned bytes, bool polls,
                                   bool is_strong, const void* code) {
    const bool is_over = --run_.turn.left == 0 || (is_strong && run_.order.asks_only_at_strong);
    if (__builtin_expect(is_over, 0)) end(address, bytes, polls, is_strong, code);
  }
  [[gnu::always_inline]] void pass(const access& what) {
    pass(what.address, what.bytes, what.way == direction::read, what.how != strength::plain,
         what.code);
  }
  // A grid begins.
  void restart() {
    if (!run_.order.is_scheduled) return;
    run_.covered.accesses += run_.turn.made();
    run_.turn.begin(1);
  }

 private:
  // Few enough that what the lanes of a block access, and the records about it, stay in the
  // processor's caches.
  static constexpr unsigned accesses_per_turn = 64;

  [[gnu::noinline]] void end(std::uintptr_t address, unsigned bytes, bool polls, bool is_strong,
                             const void* code);
  void stop_if_scheduled(std::uintptr_t address, unsigned bytes, bool polls, bool is_strong,
                         const void* code);
  void count_accesses();
  [[nodiscard]] unsigned accesses_until_asked() const;

  run_state& run_;
  stall_check& stalls_;
  unsigned accesses_followed_ = 0;
};

}  // namespace heddle_checker
