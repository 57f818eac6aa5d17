// Runs lanes in the order that a schedule decides: one lane at a time, on one thread.
#include <heddle_host/schedule.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "machine/block_state.hpp"
#include "machine/grid_state.hpp"
#include "machine/listeners.hpp"
#include "machine/worker.hpp"

namespace heddle_host {
namespace {
schedule* in_force = nullptr;
}  // namespace

void run_in_order_of(schedule* order) { in_force = order; }
schedule* current_schedule() { return in_force; }

// Chooses among the offered lanes and the next one that has not started.
context* block_state::pick_by_schedule() {
  choices ready(linear_index_);
  for (std::uint32_t left = ready_warps_; left; left &= left - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(left));
    ready.add(warp, warps_[warp].offered);
    if (warps_[warp].offered == 0) ready_warps_ &= ~(1u << warp);
  }
  if (lane_now.next_unstarted < threads_) ready.add_unstarted(lane_now.next_unstarted);
  if (ready.count() == 0) return nullptr;
  const unsigned chosen = ready.thread(ready.count() == 1 ? 0 : schedule_->choose_lane(ready));
  if (chosen == ready.unstarted()) return &start_on_another_fiber();
  warp_state& warp = warps_[chosen / lanes_per_warp];
  const unsigned lane = chosen % lanes_per_warp;
  warp.offered &= ~(1u << lane);
  lane_record& next = warp.lanes[lane];
  lane_now.warp = &warp;
  lane_now.thread = next.thread;
  threadIdx = next.index;
  return &next.stopped_at;
}

void block_state::interrupt_lane(interruption how, const void* where) {
  warp_state& warp = take_care();
  if (grid_->has_failed()) leave_for_good();
  bool is_alone = !has_ready() && lane_now.next_unstarted == threads_;
  if (is_alone && yielded_warps_ != 0) {
    // Lanes that yielded to all others have waited long enough: this one may be waiting for them.
    revive_yielded();
    is_alone = false;
  }
  make_ready(warp, 1u << lane_now.thread % lanes_per_warp);
  leaves_soon_ = is_alone || how == interruption::for_another_block;
  suspend(warp, activity::running, where);
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
        block.interrupt_lane(how, code);
      }
    }
    leave_lane_code();  // the caller is not the kernel's code
    lane_now.atomic_scope = scope;
  } while (in_force->decides_each_step());
}

void block_state::list_ready(std::vector<ready_lane>& into) {
  if (outcome_ == block_outcome::finished) return;
  if (outcome_ == block_outcome::waiting) try_release();
  for (std::uint32_t left = ready_warps_; left; left &= left - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(left));
    for (std::uint32_t lanes = warps_[warp].offered; lanes; lanes &= lanes - 1) {
      into.push_back(
          {linear_index_, warp * lanes_per_warp + static_cast<unsigned>(std::countr_zero(lanes))});
    }
  }
  const unsigned next = lane_now.block == this ? lane_now.next_unstarted : next_unstarted_;
  if (next < threads_) into.push_back({linear_index_, next});
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
  unsigned impatience = 0;
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
      if (!grid.sleep_until_passed(first.grid_generation())) {
        grid.fail(first.describe_waiting(finding_kind::deadlock, cudaErrorLaunchTimeout));
      }
      continue;
    }
    const auto count = static_cast<unsigned>(candidates.size());
    const unsigned next = candidates[count == 1 ? 0 : order.choose_block(blocks.data(), count)];
    if (give_turn(resident_[next]) == turn::ended) {
      end(next);
      impatience = 0;
      continue;
    }
    // Resident blocks may be waiting for one that has not started, even if others make progress.
    // While all make progress, another block would only cost memory, so such turns count less.
    constexpr unsigned of_idle_turn = 64;
    const bool is_idle = watching == nullptr || watching->have_lanes_only_polled();
    impatience += is_idle ? of_idle_turn : 1;
    if (impatience >= patience * of_idle_turn) {
      impatience = 0;
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
