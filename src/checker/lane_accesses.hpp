// What happens at each access of a lane: the hot path that decides how long a checked run takes.
#pragma once
#include <heddle_host/lane.hpp>

#include "checker/checker.hpp"
#include "checker/checker_section.hpp"

namespace heddle_checker {

inline bool checker::lane_touches_quickly(std::uintptr_t address, unsigned bytes, direction way,
                                          const void* code) {
  const heddle_host::lane_state& lane = heddle_host::lane_now;
  if (lane.block == nullptr) return false;
  if (!run_.memory.arena.contains(address)) return other_memory::is_known_of_thread(address);
  if (!lane.may_be_preempted) return false;
  if (run_.turn.left == 1 || run_.looks_closely || run_.explores() ||
      checks_.aba.has_watched_lanes()) {
    return false;
  }
  const block_record& mine = running_block();
  if (!mine.is_watched) {
    if (way != direction::read) return false;
    --run_.turn.left;
    return true;
  }
  if (!run_.memory.state.is_readable_at_once(address, bytes)) return false;
  if (!run_.races.access_quickly(*mine.clock, lane.thread, address, bytes, way, code)) return false;
  if (way == direction::write) run_.progress.something_happens();
  --run_.turn.left;
  return true;
}

inline void checker::lane_touches(const access& what) {
  if (__builtin_expect(run_.looks_closely, 0)) look_closely(what);
  // Accesses that order memory always count. Without them, ordered accesses would look like races.
  if (!what.may_order_memory() && __builtin_expect(!running_block().is_watched, 0)) {
    return touch_unwatched(what);
  }
  if (what.way != direction::read) {
    run_.progress.something_happens_unless(what.how == strength::atomic);
  }
  memory_state& memory = run_.memory.state;
  if (what.way == direction::read) {
    if (__builtin_expect(!memory.is_readable(what.address, what.bytes), 0) &&
        !may_read_unreadable(what)) {
      return;
    }
  } else {
    if (what.way == direction::update &&
        __builtin_expect(!memory.is_readable(what.address, what.bytes), 0) &&
        !may_read_unreadable(what)) {
      return;
    }
    if (__builtin_expect(!memory.try_write(what.address, what.bytes), 0)) {
      return checks_.bounds.report(what);
    }
  }
  touch(what);
}

inline void checker::touch(const access& what) {
  const block_record& mine = running_block();
  const unsigned thread = heddle_host::lane_now.thread;
  if (__builtin_expect(checks_.aba.has_watched_lanes(), 0) && what.how == strength::plain &&
      what.way == direction::read) {
    checks_.aba.lane_loads(what);
  }
  if (what.how == strength::plain) {
    run_.races.access(*mine.clock, thread, what.address, what.bytes, what.way, what.code);
  } else if (what.how == strength::copied) {
    run_.races.access(*mine.clock->copies, thread, what.address, what.bytes, what.way, what.code);
  } else {
    replaced_values& replaced = run_.weak.replaced;
    const bool is_followed = what.how == strength::relaxed_volatile || replaced.follows();
    if (is_followed && what.way != direction::read && what.bytes <= 8) {
      replaced.note_store(what.address, what.bytes);
    }
    if (run_.order.is_weak) return checks_.weak.lane_touches(what);
    run_.races.strong_access(*mine.clock, thread, what.address, what.bytes, what.way, what.how,
                             what.reach, what.ordering, what.code);
  }
}

}  // namespace heddle_checker
