// A block arrives at its grid's barrier when all its threads have.
#include "machine/meeting/grid_arrivals.hpp"

#include <heddle_host/barrier.hpp>
#include <heddle_host/fault.hpp>

#include "machine/block_state.hpp"
#include "machine/grid_state.hpp"
#include "machine/listeners.hpp"

namespace heddle_host {

bool grid_arrivals::are_complete() const { return count_ != 0 && count_ >= block_.live_threads(); }

void grid_arrivals::arrive(const void* where) {
  warp_state& warp = block_.track_lanes();
  waiting_[warp.number] |= 1u << lane_now.thread % lanes_per_warp;
  ++count_;
  arrive_if_complete();
  suspend(warp, activity::at_grid_barrier, where);
}

void grid_arrivals::arrive_if_complete() {
  if (!are_complete()) return;
  grid_state& grid = block_.grid();
  generation_ = grid.arrive();
  if (block_.is_observed() && grid.has_passed(generation_)) current_observer()->grid_meets();
}

bool grid_arrivals::try_release() {
  if (!are_complete() || !block_.grid().has_passed(generation_)) return false;
  count_ = 0;
  block_.release(waiting_);
  return true;
}

void grid_arrivals::clear() {
  count_ = 0;
  waiting_ = {};
}

bool grid_is_cooperative() { return lane_now.block->grid().request().is_cooperative; }

void grid_barrier() {
  machine_section guard;
  const void* const caller = __builtin_return_address(0);
  if (!grid_is_cooperative()) {
    fail_launch(finding_kind::api_error, finding_cause::not_cooperative, cudaErrorLaunchFailure,
                caller);
  }
  lane_now.block->at_grid().arrive(caller);
}

}  // namespace heddle_host
