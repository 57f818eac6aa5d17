// Runs lanes in the order that a schedule decides: one lane at a time, on one thread.
#include <heddle_host/schedule.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "machine/block_state.hpp"
#include "machine/grid_state.hpp"
#include "machine/listeners.hpp"
#include "machine/schedule/lane_order.hpp"
#include "machine/worker.hpp"

namespace heddle_host {
namespace {
schedule* in_force = nullptr;
}  // namespace

void run_in_order_of(schedule* order) { in_force = order; }
schedule* current_schedule() { return in_force; }

// Chooses among the offered lanes and the next one that has not started.
context* lane_order::next_by_schedule() {
  choices ready(block_.linear_index());
  for (std::uint32_t left = ready_warps_; left; left &= left - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(left));
    const std::uint32_t offered = block_.warp(warp).offered;
    ready.add(warp, offered);
    if (offered == 0) ready_warps_ &= ~(1u << warp);
  }
  if (lane_now.next_unstarted < block_.threads()) ready.add_unstarted(lane_now.next_unstarted);
  if (ready.count() == 0) return nullptr;
  const unsigned chosen = ready.thread(ready.count() == 1 ? 0 : schedule_->choose_lane(ready));
  if (chosen == ready.unstarted()) return &start_on_another_fiber();
  warp_state& warp = block_.warp(chosen / lanes_per_warp);
  const unsigned lane = chosen % lanes_per_warp;
  warp.offered &= ~(1u << lane);
  lane_record& next = warp.lanes[lane];
  lane_now.warp = &warp;
  publish(lane_now.thread, next.thread);
  threadIdx = next.index;
  return &next.stopped_at;
}

void lane_order::interrupt(interruption how, const void* where) {
  warp_state& warp = block_.track_lanes();
  block_.leave_if_grid_has_failed();
  bool is_alone = !has_ready() && lane_now.next_unstarted == block_.threads();
  if (is_alone && yielded_warps_ != 0) {
    // Lanes that yielded to all others have waited long enough: this one may be waiting for them.
    revive_yielded();
    is_alone = false;
  }
  make_ready(warp, 1u << lane_now.thread % lanes_per_warp);
  leaves_soon_ = is_alone || how == interruption::for_another_block;
  suspend(warp, activity::running, where);
}

void lane_order::list_ready(std::vector<ready_lane>& into) const {
  for (std::uint32_t left = ready_warps_; left; left &= left - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(left));
    for (std::uint32_t lanes = block_.warp(warp).offered; lanes; lanes &= lanes - 1) {
      into.push_back({block_.linear_index(),
                      warp * lanes_per_warp + static_cast<unsigned>(std::countr_zero(lanes))});
    }
  }
}

void interrupt_if_scheduled(const void* code, bool is_strong) {
  if (in_force == nullptr) return;
  block_state& block = *lane_now.block;
  do {
    const interruption how = in_force->interrupts(block.linear_index(), lane_now.thread, is_strong);
    if (in_force->decides_each_step()) {
      // Reset the budget. What is left of it may be in a register, where it would be the only
      // difference between two equal states of the lane.
      lane_now.spin_budget = spins_before_yield;
    }
    if (how == interruption::none) return;
    const memory_scope scope = lane_now.atomic_scope;
    lane_now.atomic_scope = memory_scope::device;
    {
      machine_section guard;
      if (how == interruption::for_all_others) {
        block.yield_lane(code);
      } else {
        block.order().interrupt(how, code);
      }
    }
    leave_lane_code();  // the caller is not the kernel's code
    lane_now.atomic_scope = scope;
  } while (in_force->decides_each_step());
}

void worker::list_ready(std::vector<ready_lane>& into) const {
  for (const cluster& blocks : resident_) {
    for (block_state* block : blocks) block->list_ready(into);
  }
}

void list_ready_lanes(std::vector<ready_lane>& into) { worker::of_this_thread().list_ready(into); }

const void* end_of_running_stack() {
  const fiber* const mine = worker::of_this_thread().find_fiber(__builtin_frame_address(0));
  return mine == nullptr ? nullptr : mine->memory.lowest + mine->memory.bytes;
}

// A block runs until it finishes, waits for the grid or must let another one run.
void worker::run_by_schedule(grid_state& grid, schedule& order) {
  grid_state::range claimed;
  const auto start_another = [&] {
    if (claimed.begin == claimed.end) claimed = grid.claim_clusters();
    if (claimed.begin == claimed.end) return false;
    start(grid, claimed.begin++);
    return true;
  };
  // At least two clusters, so that they can interfere.
  const unsigned of_cluster = grid.blocks_per_cluster();
  const unsigned most_resident = of_cluster == 1
                                     ? order.most_blocks_at_once()
                                     : std::max(2u, order.most_blocks_at_once() / of_cluster);
  std::vector<unsigned> candidates;
  std::vector<std::uint64_t> blocks;
  observer* const watching = current_observer();
  unsigned idle_turns = 0;
  while (!grid.has_failed()) {
    while (resident_.size() < most_resident && start_another()) {
    }
    if (resident_.empty()) return;
    candidates.clear();
    blocks.clear();
    for (unsigned i = 0; i < resident_.size(); ++i) {
      if (!can_run(resident_[i])) continue;
      candidates.push_back(i);
      blocks.push_back(resident_[i].front()->linear_index());
    }
    if (candidates.empty()) {
      if (start_another()) continue;
      const block_state& first = *resident_.front().front();
      if (!grid.sleep_until_passed(first.at_grid().generation())) fail_with_deadlock(first);
      continue;
    }
    const auto count = static_cast<unsigned>(candidates.size());
    const unsigned next = candidates[count == 1 ? 0 : order.choose_block(blocks.data(), count)];
    if (give_turn(resident_[next]) == turn::ended) {
      end(next);
      idle_turns = 0;
      continue;
    }
    // Resident blocks may be waiting for one that has not started, even if others make progress.
    // While all make progress, another block would only cost memory, so such turns count less.
    constexpr unsigned of_idle_turn = 64;
    const bool is_idle = watching == nullptr || watching->have_lanes_only_polled();
    idle_turns += is_idle ? of_idle_turn : 1;
    if (idle_turns >= turns_before_another_block * of_idle_turn) {
      idle_turns = 0;
      start_another();
    }
  }
  abandon_all();
}

// Whether a turn would let some lane run.
bool worker::can_run(const cluster& blocks) {
  for (block_state* block : blocks) {
    switch (block->outcome()) {
      case block_outcome::finished:
        continue;
      case block_outcome::waiting:
        if (block->try_release()) return true;
        continue;
      default:
        return true;
    }
  }
  return false;
}

}  // namespace heddle_host
