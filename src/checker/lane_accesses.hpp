// What is done at each access of a lane: the path that decides how long a checked run takes.
#pragma once
#include <heddle_host/lane.hpp>
#include <heddle_host/schedule.hpp>

#include "checker/checker.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

// While the checker works for a lane, its own copies are not the lane's.
class checker_section {
 public:
  checker_section() : was_lane_code_(heddle_host::lane_now.may_be_preempted) {
    heddle_host::leave_lane_code();
  }
  ~checker_section() {
    if (was_lane_code_) heddle_host::enter_lane_code();
  }
  checker_section(const checker_section&) = delete;
  checker_section& operator=(const checker_section&) = delete;

 private:
  bool was_lane_code_;
};

// The machine takes what runs behind this for the lane's own code again.
inline void checker::let_others_come(std::uintptr_t address, unsigned bytes, bool looks,
                                     bool is_strong, const void* code) {
  const bool is_over = --accesses_until_turn_ == 0 || (is_strong && asks_only_at_strong_);
  if (__builtin_expect(is_over, 0)) end_turn(address, bytes, looks, is_strong, code);
}

inline void checker::let_others_run(const access& what) {
  let_others_come(what.address, what.bytes, what.way == direction::read,
                  what.how != strength::plain, what.code);
}

inline bool checker::lane_touches_quickly(std::uintptr_t address, unsigned bytes, direction way,
                                          const void* code) {
  const heddle_host::lane_state& lane = heddle_host::lane_now;
  if (lane.block == nullptr) return false;
  if (!arena_.contains(address)) return other_memory::is_known_of_thread(address);
  if (!lane.may_be_preempted) return false;
  if (accesses_until_turn_ == 1 || looks_closely_ || explored_ != nullptr ||
      aba_.somebody_looks()) {
    return false;
  }
  const block_record& mine = *static_cast<block_record*>(lane.observed);
  if (!mine.is_watched) {
    if (way != direction::read) return false;
    --accesses_until_turn_;
    return true;
  }
  if (!memory_.is_readable_at_once(address, bytes)) return false;
  if (!races_.access_quickly(*mine.clock, lane.thread, address, bytes, way, code)) return false;
  if (way == direction::write) standstill_.something_happens();
  --accesses_until_turn_;
  return true;
}

inline void checker::lane_touches(const access& what) {
  if (__builtin_expect(looks_closely_, 0)) look_closely(what);
  // What orders memory counts wherever it happens: without it, others would seem to race.
  if (!what.may_order_memory() &&
      __builtin_expect(!static_cast<block_record*>(heddle_host::lane_now.observed)->is_watched,
                       0)) {
    return touch_unwatched(what);
  }
  if (what.way != direction::read)
    standstill_.something_happens_unless(what.how == strength::atomic);
  if (what.way == direction::read) {
    if (__builtin_expect(!memory_.is_readable(what.address, what.bytes), 0) &&
        !may_read_unreadable(what)) {
      return;
    }
  } else {
    if (what.way == direction::update &&
        __builtin_expect(!memory_.is_readable(what.address, what.bytes), 0) &&
        !may_read_unreadable(what)) {
      return;
    }
    if (__builtin_expect(!memory_.try_write(what.address, what.bytes), 0)) {
      return report_bad_access(what);
    }
  }
  touch(what);
}

inline void checker::touch(const access& what) {
  block_record& mine = *static_cast<block_record*>(heddle_host::lane_now.observed);
  const unsigned thread = heddle_host::lane_now.thread;
  if (__builtin_expect(aba_.somebody_looks(), 0) && what.how == strength::plain &&
      what.way == direction::read && what.bytes <= 8 && aba_.has_looked(running_lane())) {
    note_plain_load(what);
  }
  if (what.how == strength::plain) {
    races_.access(*mine.clock, thread, what.address, what.bytes, what.way, what.code);
  } else if (what.how == strength::copied) {
    races_.access(*mine.clock->copies, thread, what.address, what.bytes, what.way, what.code);
  } else {
    const bool is_followed = what.how == strength::relaxed_volatile || replaced_.follows();
    if (is_followed && what.way != direction::read && what.bytes <= 8) {
      replaced_.note_store(what.address, what.bytes);
    }
    if (is_weak_) return touch_weakly(what);
    races_.strong_access(*mine.clock, thread, what.address, what.bytes, what.way, what.how,
                         what.reach, what.ordering, what.code);
  }
}

}  // namespace heddle_checker
