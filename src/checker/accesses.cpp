// Handles accesses that take a rarer path than those in lane_accesses.hpp.
#include <algorithm>

#include "checker/lane_accesses.hpp"
#include "checker/memory/poisons.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

void checker::touch_unwatched(access what) {
  if (what.way == direction::read) return;
  run_.progress.something_happens();
  if (run_.memory.arena.contains(what.address)) run_.memory.state.write(what.address, what.bytes);
}

bool checker::may_read_unreadable(access what) {
  if (!run_.memory.state.exists(what.address, what.bytes)) {
    checks_.bounds.report(what);
    return false;
  }
  checks_.undefined.lane_loads_unwritten(what);
  return true;
}

// Runs while a check needs to see every access.
void checker::look_closely(access what) {
  run_.weak.substituted.restore();
  if (checks_.bounds.looks_for_array()) checks_.bounds.name_left_array(what);
  checks_.undefined.lane_touches(what);
  run_.looks_closely = checks_.bounds.looks_for_array() || run_.probe.follows();
}

void checker::lane_touches_other_memory(access what) {
  if (__builtin_expect(checks_.bounds.looks_for_array(), 0)) checks_.bounds.name_left_array(what);
  if (run_.memory.locals.contains(what.address)) return lane_touches_local_array(what);
  switch (run_.memory.elsewhere.place_of(what.address)) {
    case memory_place::of_thread:
    case memory_place::of_stack:
      return;
    case memory_place::elsewhere:
      return checks_.spaces.lane_touches_foreign(what);
    case memory_place::of_variable:
      break;
  }
  if (what.way != direction::read && run_.memory.is_constant(what.address)) {
    return checks_.spaces.report_store_to_constant(what);
  }
  if (!what.may_order_memory() && !running_block().is_watched) return touch_unwatched(what);
  if (what.way != direction::read) {
    run_.progress.something_happens_unless(what.how == strength::atomic);
  }
  if (run_.looks_closely) look_closely(what);
  touch(what);
}

void checker::lane_touches_local_array(const access& what) {
  const local_verdict verdict =
      run_.memory.locals.touch(what.address, what.bytes, what.way, running_lane());
  if (__builtin_expect(verdict == local_verdict::fine, 1)) return;
  if (verdict == local_verdict::unwritten) return checks_.undefined.lane_loads_unwritten(what);
  checks_.bounds.report_local(what, verdict);
}

void* checker::local_array_begins(std::size_t bytes, const char* name,
                                  heddle_host::declaration_place where) {
  void* const place = run_.memory.locals.begin(bytes, running_lane(), name, where);
  if (place != nullptr) fill_with_poison(place, bytes);
  return place;
}

void checker::host_touches(access what) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  const bool is_in_arena = run_.memory.arena.contains(what.address);
  if (is_in_arena && !checks_.spaces.host_may_touch(what)) return;
  checks_.streams.host_touches(what);
  if (what.way == direction::read) return;
  checks_.stalls.note_progress();
  if (is_in_arena) run_.memory.state.write(what.address, what.bytes);
}

void checker::lane_returns(const void* code) {
  running_block().exits[heddle_host::lane_now.thread] = code;
  if (!checks_.aba.has_watched_lanes()) return;
  const checker_section guard;
  checks_.aba.lane_returns();
}

// The copy reads and writes memory as the lane does, but no barrier orders it until the lane waits.
void checker::lane_copies(const heddle_host::lane_copy& what) {
  if (run_.memory.is_seen_by_others(number(what.to))) {
    turns_.pass(number(what.to), 1, false, false, what.code);
  }
  const checker_section guard;  // a stopped lane resumes as if it ran its own code
  checks_.copies.begin();
  const auto touch_all = [&](const void* memory, direction way) {
    std::uintptr_t address = number(memory);
    for (std::size_t left = what.bytes; left != 0;) {
      const std::size_t bytes = std::min<std::size_t>(left, 16 - address % 16);
      const access piece{address,       static_cast<unsigned>(bytes),
                         way,           strength::copied,
                         scope::system, order::relaxed,
                         what.code};
      if (run_.memory.arena.contains(address)) {
        lane_touches(piece);
      } else {
        lane_touches_other_memory(piece);
      }
      address += bytes;
      left -= bytes;
    }
  };
  if (what.from != nullptr) touch_all(what.from, direction::read);
  checks_.copies.has_read();
  touch_all(what.to, direction::write);
}

}  // namespace heddle_checker
