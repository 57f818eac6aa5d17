// The fastest order of a block's lanes: each warp runs until all its lanes wait, then the next one;
// started lanes go before unstarted ones.
#include <bit>

#include <heddle_host/fault.hpp>
#include <heddle_host/options.hpp>

#include "machine/block_state.hpp"
#include "machine/grid_state.hpp"
#include "machine/listeners.hpp"
#include "machine/worker.hpp"

namespace heddle_host {
namespace {

// How many turns the preempted lanes of a warp get before its other lanes learn who is active.
constexpr unsigned most_turns_of_preempted = 16;

// After so many rounds of nothing but spinning, the worker turns to its other blocks.
constexpr unsigned rounds_per_turn = 8;

// The index of the next thread in the block, without the two divisions by the block's shape.
uint3 index_behind(uint3 index) {
  if (++index.x < blockDim.x) return index;
  index.x = 0;
  if (++index.y < blockDim.y) return index;
  return {0, 0, index.z + 1};
}

}  // namespace

inline void block_state::start_next_lane() {
  const unsigned thread = lane_now.next_unstarted++;
  lane_now.thread = thread;
  lane_now.warp = &warps_[thread / lanes_per_warp];
  const uint3 index = __builtin_expect(thread < blockDim.x, 1)
                          ? uint3{thread, 0, 0}
                          : index_behind(record(thread - 1).index);
  threadIdx = index;
  lane_record& mine = record(thread);
  mine.index = index;
  mine.thread = thread;
  if (is_observed_) current_observer()->lane_begins(running_lane());
}

context& block_state::start_on_another_fiber() {
  start_next_lane();
  return owner_.take_fiber().idle;
}

[[gnu::always_inline]] inline context& block_state::pick_beyond_warp() {
  if (__builtin_expect(schedule_ != nullptr, 0)) return pick_in_other_warps();
  const unsigned here = lane_now.thread / lanes_per_warp;
  const unsigned unstarted = lane_now.next_unstarted;
  if (unstarted < threads_ && unstarted / lanes_per_warp == here) return start_on_another_fiber();
  return pick_in_other_warps();
}

context& block_state::pick_in_other_warps() {
  if (schedule_ != nullptr) {
    if (leaves_soon_) {
      leaves_soon_ = false;
      outcome_ = block_outcome::spinning;
      return owner_.scheduler();
    }
    if (context* const next = pick_by_schedule()) return *next;
  }
  const unsigned here = lane_now.thread / lanes_per_warp;
  while (ready_warps_) {
    const std::uint32_t later = ready_warps_ & (~std::uint32_t{0} << here);
    const auto warp = static_cast<unsigned>(std::countr_zero(later ? later : ready_warps_));
    if (warps_[warp].ready) {
      lane_now.warp = &warps_[warp];
      return take_ready(warps_[warp]);
    }
    ready_warps_ &= ~(1u << warp);  // all its lanes have had their turn
  }
  if (lane_now.next_unstarted < threads_) return start_on_another_fiber();
  if (gathering_warps_) {
    if (preempted_lanes_go_first()) {
      revive_yielded();
    } else {
      answer_active_lanes();
    }
    return pick_in_other_warps();
  }
  if (yielded_warps_) {
    if (++spin_rounds_ % rounds_per_turn == 0) {
      outcome_ = block_outcome::spinning;
      return owner_.scheduler();
    }
    revive_yielded();
    return pick_in_other_warps();
  }
  outcome_ = takes_care_ && live_threads() > 0 ? block_outcome::waiting : block_outcome::finished;
  return owner_.scheduler();
}

context block_state::stop_beyond_warp(const lane_record& mine) {
  context& next = pick_beyond_warp();
  return &next == &mine.stopped_at ? nullptr : next;
}

bool block_state::has_ready() {
  while (ready_warps_) {
    const auto warp = static_cast<unsigned>(std::countr_zero(ready_warps_));
    if (warps_[warp].ready | warps_[warp].offered) return true;
    ready_warps_ &= ready_warps_ - 1;
  }
  return false;
}

void block_state::revive_yielded() {
  for (std::uint32_t left = yielded_warps_; left; left &= left - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(left));
    make_ready(warps_[warp], warps_[warp].yielded);
    warps_[warp].yielded = 0;
  }
  yielded_warps_ = 0;
}

// A preempted lane may be about to ask, too; it counts as spinning only after it has had its turns.
bool block_state::preempted_lanes_go_first() {
  bool somebody_was_preempted = false;
  for (std::uint32_t left = gathering_warps_; left; left &= left - 1) {
    const warp_state& warp = warps_[static_cast<unsigned>(std::countr_zero(left))];
    somebody_was_preempted |= (warp.yielded & warp.preempted) != 0;
  }
  if (somebody_was_preempted && turns_of_preempted_++ < most_turns_of_preempted) return true;
  turns_of_preempted_ = 0;
  return false;
}

// The schedule may split lanes that asked together: nothing guarantees that they are converged.
std::uint32_t block_state::part(const warp_state& warp, std::uint32_t together) {
  const std::uint32_t chosen = schedule_->choose_active(together) & together;
  if (chosen == together || chosen == 0) return together;
  if (is_observed_) {
    const auto lane = static_cast<unsigned>(std::countr_zero(chosen));
    lane_place asking = place(warp.number * lanes_per_warp + lane);
    asking.doing = activity::running;
    asking.code = warp.lanes[lane].where;
    current_observer()->active_lanes_are_parted(asking);
  }
  return chosen;
}

// A warp whose lanes all wait, spin, have exited or ask who is active is as converged as it gets:
// lanes that ask at the same place are active together.
void block_state::answer_active_lanes() {
  for (std::uint32_t left = gathering_warps_; left; left &= left - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(left));
    warp_state& state = warps_[warp];
    auto& records = state.lanes;
    const void* where = records[static_cast<unsigned>(std::countr_zero(state.gathering))].where;
    std::uint32_t together = 0;
    for (std::uint32_t lanes = state.gathering; lanes; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (records[lane].where == where) together |= 1u << lane;
    }
    if (schedule_ != nullptr && (together & (together - 1)) != 0) together = part(state, together);
    for (std::uint32_t lanes = together; lanes; lanes &= lanes - 1) {
      state.active_lanes[static_cast<unsigned>(std::countr_zero(lanes))] = together;
    }
    state.gathering &= ~together;
    make_ready(state, together);
    if (state.gathering == 0) gathering_warps_ &= ~(1u << warp);
  }
}

unsigned block_state::active_lanes(const void* where) {
  warp_state& warp = take_care();
  const unsigned thread = lane_now.thread;
  const unsigned lane = thread % lanes_per_warp;
  warp.gathering |= 1u << lane;
  gathering_warps_ |= 1u << warp.number;
  suspend(warp, activity::gathering_active_lanes, where);
  return warp.active_lanes[lane];
}

void block_state::yield_lane(const void* where, bool is_preempted, bool is_turn) {
  warp_state& warp = take_care();
  if (grid_->has_failed()) leave_for_good();
  if (grid_->has_timed_out.load(std::memory_order_relaxed)) {
    finding what = describe_waiting(finding_kind::unfinished, cudaErrorLaunchTimeout);
    what.cause = finding_cause::no_progress;
    what.fact = time_limit{timeout_seconds()};
    what.places.insert(what.places.begin(), place_of_running_lane(where, true));
    fail(std::move(what));
  }
  const unsigned thread = lane_now.thread;
  if (is_observed_ && !is_preempted) current_observer()->lane_yields(running_lane());
  if (schedule_ != nullptr && !schedule_->lets_yield(linear_index_, thread)) return;
  const std::uint32_t me = 1u << thread % lanes_per_warp;
  warp.yielded |= me;
  warp.preempted = is_preempted ? warp.preempted | me : warp.preempted & ~me;
  yielded_warps_ |= 1u << warp.number;
  suspend(warp, activity::spinning, is_turn ? nullptr : where);
}

context block_state::end_lane(fiber& mine) {
  if (!takes_care_) {
    // A row of threads is complete: threadIdx.x is one too large.
    const unsigned thread = linear_thread();
    if (thread < threads_) {
      threadIdx = thread_index(thread);
      return nullptr;
    }
    owner_.put_back(mine);
    outcome_ = block_outcome::finished;
    return owner_.scheduler();
  }
  if (is_observed_) current_observer()->lane_ends(running_lane());
  warp_state& warp = *lane_now.warp;
  lane_has_exited(warp, lane_now.thread % lanes_per_warp);
  if (lane_now.next_unstarted < threads_ && !has_ready()) {
    start_next_lane();
    return nullptr;
  }
  owner_.put_back(mine);
  context& next = warp.ready ? take_ready(warp) : pick_beyond_warp();
  return &next == &mine.idle ? nullptr : next;
}

void block_state::fail(finding what) {
  failure_ = std::move(what);
  leave_for_good();
}

void block_state::crash(crash_site where) {
  crash_ = where;
  leave_for_good();
}

void block_state::leave_for_good() {
  outcome_ = block_outcome::failed;
  context nowhere;
  switch_fiber(nowhere, owner_.scheduler());
  __builtin_unreachable();
}

context end_lane(runner& mine) { return lane_now.block->end_lane(static_cast<fiber&>(mine)); }

void run_one_by_one(void (*run_lane)(const void* closure), const void* closure) {
  runner& mine = *lane_now.starting_on;
  for (;;) {
    enter_lane_code();
    run_lane(closure);
    leave_lane_code();
    if (context next = end_lane(mine)) switch_context(mine.idle, next);
  }
}

}  // namespace heddle_host
