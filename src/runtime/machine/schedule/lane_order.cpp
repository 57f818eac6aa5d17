// The fastest order of a block's lanes: each warp runs until all its lanes wait, then the next one;
// started lanes go before unstarted ones. A schedule may decide otherwise.
#include "machine/schedule/lane_order.hpp"

#include <bit>

#include "machine/block_state.hpp"
#include "machine/listeners.hpp"
#include "machine/meeting/meet.hpp"
#include "machine/worker.hpp"

namespace heddle_host {
namespace {

// How many turns the preempted lanes of a warp get before its other lanes learn who is active.
constexpr unsigned most_turns_of_preempted = 16;
// The same if some of them took turns instead of being preempted: these are not waiting.
constexpr unsigned most_turns_of_busy = 1 << 20;

// After so many rounds of nothing but spinning, the worker turns to its other blocks.
constexpr unsigned rounds_per_turn = 8;

// The index of the next thread in the block, without the two divisions by the block's shape.
uint3 index_after(uint3 index) {
  if (++index.x < blockDim.x) return index;
  index.x = 0;
  if (++index.y < blockDim.y) return index;
  return {0, 0, index.z + 1};
}

// Completes what waited only for the exited lane.
void record_exit(block_state& block, warp_state& warp, unsigned lane) {
  note_exit(warp, 1u << lane);
  block.count_exit();
  block.barriers().thread_has_exited();
  block.tiles().thread_has_exited();
  block.at_grid().thread_has_exited();
  block.in_cluster().thread_has_exited();
}

}  // namespace

void lane_order::begin(schedule* decides) {
  schedule_ = decides;
  spin_rounds_ = 0;
  some_took_turns_ = false;
  leaves_soon_ = false;
}

void lane_order::clear() { ready_warps_ = yielded_warps_ = gathering_warps_ = 0; }

inline void lane_order::start_next_lane() {
  const unsigned thread = lane_now.next_unstarted;
  publish(lane_now.next_unstarted, thread + 1);
  publish(lane_now.thread, thread);
  lane_now.warp = &block_.warp(thread / lanes_per_warp);
  const uint3 index = __builtin_expect(thread < blockDim.x, 1)
                          ? uint3{thread, 0, 0}
                          : index_after(block_.record(thread - 1).index);
  threadIdx = index;
  lane_record& mine = block_.record(thread);
  mine.index = index;
  mine.thread = thread;
  if (block_.is_observed()) current_observer()->lane_begins(block_.running_lane());
}

context& lane_order::start_on_another_fiber() {
  start_next_lane();
  return block_.owner().take_fiber().idle;
}

[[gnu::always_inline]] inline context& lane_order::next_beyond_warp() {
  if (__builtin_expect(schedule_ != nullptr, 0)) return next_of_block();
  const unsigned here = lane_now.thread / lanes_per_warp;
  const unsigned unstarted = lane_now.next_unstarted;
  if (unstarted < block_.threads() && unstarted / lanes_per_warp == here) {
    return start_on_another_fiber();
  }
  return next_of_block();
}

context& lane_order::next_of_block() {
  if (schedule_ != nullptr) {
    if (leaves_soon_) {
      leaves_soon_ = false;
      return block_.leave(block_outcome::spinning);
    }
    if (context* const next = next_by_schedule()) return *next;
  }
  const unsigned here = lane_now.thread / lanes_per_warp;
  while (ready_warps_) {
    const std::uint32_t later = ready_warps_ & (~std::uint32_t{0} << here);
    const auto number = static_cast<unsigned>(std::countr_zero(later ? later : ready_warps_));
    warp_state& warp = block_.warp(number);
    if (warp.ready) {
      lane_now.warp = &warp;
      return take_ready(warp);
    }
    ready_warps_ &= ~(1u << number);  // all its lanes have had their turn
  }
  if (lane_now.next_unstarted < block_.threads()) return start_on_another_fiber();
  if (gathering_warps_) {
    if (preempted_lanes_go_first()) {
      revive_yielded();
    } else {
      answer_active_lanes();
    }
    return next_of_block();
  }
  if (yielded_warps_) {
    if (!some_took_turns_ && ++spin_rounds_ % rounds_per_turn == 0)
      return block_.leave(block_outcome::spinning);
    revive_yielded();
    return next_of_block();
  }
  const bool is_waiting = block_.tracks_lanes() && block_.live_threads() > 0;
  return block_.leave(is_waiting ? block_outcome::waiting : block_outcome::finished);
}

context lane_order::stop_beyond_warp(const lane_record& mine) {
  context& next = next_beyond_warp();
  return &next == &mine.stopped_at ? nullptr : next;
}

bool lane_order::has_ready() {
  while (ready_warps_) {
    const warp_state& warp = block_.warp(static_cast<unsigned>(std::countr_zero(ready_warps_)));
    if (warp.ready | warp.offered) return true;
    ready_warps_ &= ready_warps_ - 1;
  }
  return false;
}

context lane_order::end_lane(fiber& mine) {
  if (block_.is_observed()) current_observer()->lane_ends(block_.running_lane());
  warp_state& warp = *lane_now.warp;
  record_exit(block_, warp, lane_now.thread % lanes_per_warp);
  if (lane_now.next_unstarted < block_.threads() && !has_ready()) {
    start_next_lane();
    return nullptr;
  }
  block_.owner().put_back(mine);
  context& next = warp.ready ? take_ready(warp) : next_beyond_warp();
  return &next == &mine.idle ? nullptr : next;
}

void lane_order::revive_yielded() {
  for (std::uint32_t left = yielded_warps_; left; left &= left - 1) {
    warp_state& warp = block_.warp(static_cast<unsigned>(std::countr_zero(left)));
    make_ready(warp, warp.yielded);
    warp.yielded = 0;
  }
  yielded_warps_ = 0;
  some_took_turns_ = false;
}

// A preempted lane may be about to ask, too; it counts as spinning only after it has had its turns.
bool lane_order::preempted_lanes_go_first() {
  bool any_was_preempted = false;
  for (std::uint32_t left = gathering_warps_; left; left &= left - 1) {
    const warp_state& warp = block_.warp(static_cast<unsigned>(std::countr_zero(left)));
    any_was_preempted |= (warp.yielded & warp.preempted) != 0;
  }
  const unsigned most = some_took_turns_ ? most_turns_of_busy : most_turns_of_preempted;
  if (any_was_preempted && turns_of_preempted_++ < most) return true;
  turns_of_preempted_ = 0;
  return false;
}

// The schedule may split lanes that asked together: nothing guarantees that they are converged.
std::uint32_t lane_order::split(const warp_state& warp, std::uint32_t together) {
  const std::uint32_t chosen = schedule_->choose_active(together) & together;
  if (chosen == together || chosen == 0) return together;
  if (block_.is_observed()) {
    const auto lane = static_cast<unsigned>(std::countr_zero(chosen));
    lane_place asking = block_.place(warp.number * lanes_per_warp + lane);
    asking.doing = activity::running;
    asking.code = warp.lanes[lane].where;
    current_observer()->active_lanes_are_parted(asking);
  }
  return chosen;
}

// A warp whose lanes all wait, spin, have exited or ask who is active is as converged as it gets:
// lanes that ask at the same place are active together.
void lane_order::answer_active_lanes() {
  for (std::uint32_t left = gathering_warps_; left; left &= left - 1) {
    warp_state& warp = block_.warp(static_cast<unsigned>(std::countr_zero(left)));
    const void* where = warp.lanes[static_cast<unsigned>(std::countr_zero(warp.gathering))].where;
    std::uint32_t together = 0;
    for (std::uint32_t lanes = warp.gathering; lanes; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (warp.lanes[lane].where == where) together |= 1u << lane;
    }
    if (schedule_ != nullptr && (together & (together - 1)) != 0) together = split(warp, together);
    for (std::uint32_t lanes = together; lanes; lanes &= lanes - 1) {
      warp.active_lanes[static_cast<unsigned>(std::countr_zero(lanes))] = together;
    }
    warp.gathering &= ~together;
    make_ready(warp, together);
    if (warp.gathering == 0) gathering_warps_ &= ~(1u << warp.number);
  }
}

unsigned lane_order::active_lanes(const void* where) {
  warp_state& warp = block_.track_lanes();
  const unsigned lane = lane_now.thread % lanes_per_warp;
  warp.gathering |= 1u << lane;
  gathering_warps_ |= 1u << warp.number;
  suspend(warp, activity::gathering_active_lanes, where);
  return warp.active_lanes[lane];
}

void lane_order::yield(const void* where, bool is_preempted) {
  const unsigned thread = lane_now.thread;
  if (schedule_ != nullptr && !schedule_->lets_yield(block_.linear_index(), thread)) return;
  warp_state& warp = *lane_now.warp;
  const std::uint32_t me = 1u << thread % lanes_per_warp;
  warp.yielded |= me;
  warp.preempted = is_preempted ? warp.preempted | me : warp.preempted & ~me;
  yielded_warps_ |= 1u << warp.number;
  suspend(warp, activity::spinning, where);
}

void lane_order::take_turn() {
  if (schedule_ != nullptr) return;
  warp_state& warp = *lane_now.warp;
  const std::uint32_t me = 1u << lane_now.thread % lanes_per_warp;
  warp.yielded |= me;
  warp.preempted |= me;
  yielded_warps_ |= 1u << warp.number;
  some_took_turns_ = true;
  suspend(warp, activity::running, nullptr);
}

unsigned active_lanes() {
  machine_section guard;
  return lane_now.block->order().active_lanes(__builtin_return_address(0));
}

}  // namespace heddle_host
