// The schedule of one interleaving: every access of every lane is a step, and a guide chooses the
// lane that makes it.
#include "checker/explore/explored_order.hpp"

#include <unistd.h>

#include <bit>
#include <cstdio>
#include <utility>

namespace heddle_checker {

using heddle_host::choices;
using heddle_host::interruption;

explored_order::explored_order(exploration_area& area, interleaving turns)
    : area_(area), turns_(std::move(turns)) {}

void explored_order::refuse(const char* why) {
  std::snprintf(area_.refusal.data(), area_.refusal.size(), "%s", why);
  if (!guide_) std::fprintf(stderr, "heddle: %s\n", why);
  _exit(2);
}

void explored_order::grid_begins(std::uint64_t blocks, unsigned threads) {
  if (before_first_grid_) std::exchange(before_first_grid_, {})();
  if (blocks > most_blocks) {
    refuse("exhaustive: a grid of more than 64 blocks has too many interleavings");
  }
  threads_ = threads;
  end_step(false);  // of the previous grid, whose memory may be gone
  for (lane_record& each : lanes_) each = {};
  for (unsigned lane = 0; lane < most_explored_lanes; ++lane) watch_.has_got_on(lane);
  yields_.clear();
  goal_.reset();
  last_.reset();
  all_meet();
}

void explored_order::lane_comes_to(std::uintptr_t address, unsigned bytes, bool looks,
                                   const void* code) {
  coming_ = {};
  coming_.looks = looks;
  coming_.next = {code, address, bytes, 0, 0};
}

void explored_order::lane_touches(std::uintptr_t address, bool writes, bool changes) {
  if (!open_ || open_->what.address != address) return;
  open_->writes = open_->writes || writes;
  open_->changes = open_->changes || changes;
}

// The lane has reached its next access.
void explored_order::arrive(unsigned lane) {
  lane_record& mine = lanes_[lane];
  mine = coming_;
  mine.stands = true;
  if (!mine.looks) return;
  mine.next.lane_state = state_of_running_lane(mine.next.code);
  mine.spins = watch_.goes_in_a_circle(lane, mine.next);
  area_.has_guessed = area_.has_guessed || watch_.has_guessed();
}

void explored_order::begin_step(unsigned lane, bool is_recorded, lane_set able, lane_set spinning) {
  lane_record& mine = lanes_[lane];
  mine.stands = mine.may_look = false;
  open_ = {lane, mine.next, is_recorded};
  if (!is_recorded) return;
  area_.add({{mine.next.address, mine.next.bytes, !mine.looks},
             able,
             spinning,
             static_cast<std::uint8_t>(lane),
             happening::access});
}

// What the last step did is known only when a lane reaches the next one.
void explored_order::end_step(bool lane_goes_on) {
  if (!open_) return;
  const open_step done = *std::exchange(open_, std::nullopt);
  const footprint what{done.what.address, done.what.bytes, done.writes};
  if (done.changes) {
    watch_.has_got_on(done.lane);
    for (unsigned lane = 0; lane < area_.lane_count; ++lane) {
      lane_record& each = lanes_[lane];
      if (each.spins && watch_.would_see(lane, {what.address, what.bytes, true})) {
        each.spins = each.may_look = false;
      }
    }
  } else if (done.is_recorded && lane_goes_on) {
    watch_.has_looked(done.lane, done.what);
  }
  if (!done.is_recorded) return;
  if (!area_.is_too_long) {
    std::size_t at = area_.entries - 1;  // meetings may follow it
    while (area_.trace[at].kind != happening::access) --at;
    area_.trace[at].what = what;
  }
  ++steps_;
  last_ = done.lane;
  if (guide_) guide_->went(done.lane, what);
}

std::optional<unsigned> explored_order::choose(lane_set able) {
  if (guide_) return guide_->choose(able);
  while (next_turn_ < turns_.size() && turns_[next_turn_].step < steps_) ++next_turn_;
  if (next_turn_ < turns_.size() && turns_[next_turn_].step == steps_) {
    const int lane = area_.find(turns_[next_turn_].lane);
    if (lane >= 0 && able & only(static_cast<unsigned>(lane))) return static_cast<unsigned>(lane);
  }
  if (last_ && able & only(*last_)) return last_;
  return static_cast<unsigned>(std::countr_zero(able));
}

interruption explored_order::interrupts(std::uint64_t block, unsigned thread, bool) {
  end_step();
  const int number = area_.number_of(linear(block, thread));
  if (number < 0) {
    refuse("exhaustive: more than 64 lanes access memory that other lanes can see");
  }
  const auto me = static_cast<unsigned>(number);
  if (!lanes_[me].stands) arrive(me);
  yields_[linear(block, thread)] = 0;

  lane_set able = 0;
  lane_set spinning = 0;
  const auto add = [&](unsigned lane) { (lanes_[lane].spins ? spinning : able) |= only(lane); };
  add(me);
  ready_.clear();
  heddle_host::list_ready_lanes(ready_);
  for (const heddle_host::ready_lane& each : ready_) {
    const int lane = area_.find(linear(each.block, each.thread));
    if (lane < 0 || !lanes_[static_cast<unsigned>(lane)].stands) {
      return go_to(each.block, each.thread, block);  // it has to reach its access first
    }
    add(static_cast<unsigned>(lane));
  }
  if (able == 0) {
    if (lanes_[me].may_look) {
      begin_step(me, false, 0, 0);
      return interruption::none;
    }
    lanes_[me].may_look = true;
    yields_now_ = true;
    goal_.reset();
    return interruption::for_all_others;
  }
  if (guide_ && !area_.is_too_long &&
      guide_->is_known({area_.trace.data(), area_.entries}, able, spinning)) {
    area_.add({{}, able, spinning, 0, happening::known});
    area_.is_pruned = true;
    _exit(0);
  }
  const auto chosen = choose(able);
  if (!chosen) {
    area_.is_pruned = true;
    _exit(0);
  }
  if (*chosen == me) {
    begin_step(me, true, able, spinning);
    return interruption::none;
  }
  const std::uint64_t lane = area_.lanes[*chosen];
  return go_to(lane / threads_, static_cast<unsigned>(lane % threads_), block);
}

interruption explored_order::go_to(std::uint64_t block, unsigned thread, std::uint64_t from) {
  goal_ = heddle_host::ready_lane{block, thread};
  return block == from ? interruption::for_another_lane : interruption::for_another_block;
}

unsigned explored_order::choose_lane(const choices& among) {
  if (goal_ && goal_->block == among.block()) {
    for (unsigned i = 0; i < among.count(); ++i) {
      if (among.thread(i) == goal_->thread) return i;
    }
  }
  return rounds_++ % among.count();  // any lane will do: it asks before its next access
}

unsigned explored_order::choose_block(const std::uint64_t* blocks, unsigned count) {
  if (goal_) {
    for (unsigned i = 0; i < count; ++i) {
      if (blocks[i] == goal_->block) return i;
    }
  }
  return rounds_++ % count;
}

// Polling lanes wait at their accesses. A lane that yields twice without an access lets others run.
bool explored_order::lets_yield(std::uint64_t block, unsigned thread) {
  if (std::exchange(yields_now_, false)) return true;
  return ++yields_[linear(block, thread)] > 1;
}

void explored_order::threads_meet(std::uint64_t block, const std::vector<unsigned>& threads) {
  lane_set who = 0;
  for (const unsigned thread : threads) {
    const int lane = area_.find(linear(block, thread));
    if (lane >= 0) who |= only(static_cast<unsigned>(lane));
  }
  if (std::popcount(who) > 1) area_.add({{}, who, 0, 0, happening::meeting});
}

void explored_order::grid_fails() {
  end_step();
  for (unsigned lane = 0; lane < area_.lane_count; ++lane) {
    const lane_record& each = lanes_[lane];
    if (!each.stands || each.spins) continue;
    area_.add({{each.next.address, each.next.bytes, !each.looks},
               0,
               0,
               static_cast<std::uint8_t>(lane),
               happening::left});
  }
}

}  // namespace heddle_checker
