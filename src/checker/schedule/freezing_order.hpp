// A schedule that stops one lane for good, to test whether a program is lock-free.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include <heddle_host/schedule.hpp>

#include "checker/schedule/schedules.hpp"

namespace heddle_checker {

// One lane stops before one of its accesses and continues only when no other lane can run. A
// lock-free program must finish without it. Lanes that yield do not let others go first, so waiting
// for the frozen lane does not help: such a program hangs.
class freezing_order : public heddle_host::schedule {
 public:
  explicit freezing_order(std::uint64_t access) : random_(access), access_(access) {}
  void grid_begins(std::uint64_t, unsigned threads) override {
    threads_ = threads;
    accesses_ = 0;
    state_ = state::runs;
    was_asked_ = false;
  }
  heddle_host::interruption interrupts(std::uint64_t block, unsigned thread, bool) override {
    if (!is_victim(block, thread) || state_ == state::released) return random_interruption();
    if (state_ == state::runs && std::exchange(was_asked_, false)) return interruption::none;
    if (state_ == state::runs && ++accesses_ < access_) {
      const interruption stop = random_interruption();
      was_asked_ = stop != interruption::none;  // it is asked again about this access
      return stop;
    }
    state_ = state::frozen;
    others_.clear();
    heddle_host::list_ready_lanes(others_);
    if (!others_.empty()) return interruption::for_another_block;
    state_ = state::released;
    return interruption::none;
  }
  unsigned choose_lane(const heddle_host::choices& among) override {
    const unsigned first = random_.below(among.count());
    const bool is_frozen = state_ == state::frozen && is_victim(among.block(), among.thread(first));
    return is_frozen ? (first + 1) % among.count() : first;
  }
  unsigned choose_block(const std::uint64_t*, unsigned count) override {
    return random_.below(count);
  }
  bool lets_yield(std::uint64_t, unsigned) override { return false; }
  bool decides_each_step() const override { return true; }
  unsigned most_blocks_at_once() const override { return 4; }

 private:
  using interruption = heddle_host::interruption;
  enum class state { runs, frozen, released };
  static bool is_victim(std::uint64_t block, unsigned thread) { return block == 0 && thread == 0; }
  interruption random_interruption() {
    return random_.below(6) != 0                    ? interruption::none
           : threads_ == 1 || random_.below(4) == 0 ? interruption::for_another_block
                                                    : interruption::for_another_lane;
  }
  random_generator random_;
  std::uint64_t access_;  // the first one is 1
  std::uint64_t accesses_ = 0;
  state state_ = state::runs;
  bool was_asked_ = false;
  unsigned threads_ = 0;  // of a block
  std::vector<heddle_host::ready_lane> others_;
};

}  // namespace heddle_checker
