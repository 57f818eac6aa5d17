// The order in which a block's lanes run when speed is what counts: a warp until all its lanes
// wait, then the next one; lanes that have begun before lanes that have not.
#include <bit>

#include <heddle_host/fault.hpp>

#include "machine/block_state.hpp"
#include "machine/grid_state.hpp"
#include "machine/listeners.hpp"
#include "machine/worker.hpp"

namespace heddle_host {
namespace {

// After so many rounds in which lanes have only spun, the worker may look at its other blocks.
constexpr unsigned rounds_per_turn = 8;

}  // namespace

context& block_state::pick_beyond_warp() {
  const unsigned here = lane_now.thread / lanes_per_warp;
  const bool has_unstarted = lane_now.next_unstarted < threads_;
  if (has_unstarted && lane_now.next_unstarted / lanes_per_warp == here)
    return owner_.take_fiber().idle;
  while (ready_warps_) {
    const std::uint32_t later = ready_warps_ & (~std::uint32_t{0} << here);
    const auto warp = static_cast<unsigned>(std::countr_zero(later ? later : ready_warps_));
    if (warps_[warp].ready) {
      lane_now.warp = &warps_[warp];
      return take_ready(warps_[warp]);
    }
    ready_warps_ &= ~(1u << warp);  // its lanes have all had their turn
  }
  if (has_unstarted) return owner_.take_fiber().idle;
  if (gathering_warps_) {
    answer_active_lanes();
    return pick_beyond_warp();
  }
  if (yielded_warps_) {
    if (++spin_rounds_ % rounds_per_turn == 0) {
      outcome_ = block_outcome::spinning;
      return owner_.scheduler();
    }
    revive_yielded();
    return pick_beyond_warp();
  }
  outcome_ = takes_care_ && live_threads() > 0 ? block_outcome::waiting : block_outcome::finished;
  return owner_.scheduler();
}

bool block_state::has_ready() {
  while (ready_warps_) {
    const auto warp = static_cast<unsigned>(std::countr_zero(ready_warps_));
    if (warps_[warp].ready) return true;
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

// A warp whose lanes all wait, spin, have ended or ask who is active is as converged as it gets:
// the lanes that ask at the same place are together.
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

void block_state::yield_lane(const void* where) {
  warp_state& warp = take_care();
  if (grid_->has_failed()) leave_for_good();
  if (grid_->has_timed_out.load(std::memory_order_relaxed)) {
    finding what = describe_waiting(finding_kind::livelock, cudaErrorLaunchTimeout);
    what.places.insert(what.places.begin(), place_of_running_lane(where, true));
    fail(std::move(what));
  }
  const unsigned thread = lane_now.thread;
  if (is_observed_) current_observer()->lane_yields(identity(thread));
  warp.yielded |= 1u << thread % lanes_per_warp;
  yielded_warps_ |= 1u << warp.number;
  suspend(warp, activity::spinning, where);
}

void block_state::sleep(fiber& mine) {
  owner_.put_back(mine);
  if (!takes_care_) outcome_ = block_outcome::finished;  // nothing has waited: all lanes have ended
  context& next = !takes_care_           ? owner_.scheduler()
                  : lane_now.warp->ready ? take_ready(*lane_now.warp)
                                         : pick_beyond_warp();
  if (&next != &mine.idle) switch_context(mine.idle, next);
}

bool block_state::start_next_lane() {
  const unsigned thread = lane_now.next_unstarted;
  if (thread == threads_) return false;
  if (!takes_care_) {
    heddle_host::start_lane(thread);
    return true;
  }
  if (has_ready()) return false;
  heddle_host::start_lane(thread);
  lane_now.warp = &warps_[thread / lanes_per_warp];
  lane_record& mine = record(thread);
  mine.index = threadIdx;
  mine.thread = thread;
  if (is_observed_) current_observer()->lane_begins(identity(thread));
  return true;
}

void block_state::finish_lane() {
  if (is_observed_) current_observer()->lane_ends(identity(lane_now.thread));
  lane_has_exited(lane_now.thread);
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
  switch_context(nowhere, owner_.scheduler());
  __builtin_unreachable();
}

// These two are one piece of code each: what a fiber returns to after a switch is badly predicted,
// so there should be little of it.
[[gnu::flatten]] unsigned first_lane(fiber& mine) {
  while (!lane_now.block->start_next_lane()) lane_now.block->sleep(mine);
  return lane_now.thread;
}

[[gnu::flatten]] unsigned next_lane(fiber& mine) {
  if (lane_now.block_needs_care) lane_now.block->finish_lane();
  while (!lane_now.block->start_next_lane()) lane_now.block->sleep(mine);
  return lane_now.thread;
}

void set_thread_index(unsigned thread) { threadIdx = lane_now.block->thread_index(thread); }

}  // namespace heddle_host
