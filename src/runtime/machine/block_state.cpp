// The bookkeeping of a block: which lanes run, wait or have exited, and the thread state they need.
#include "machine/block_state.hpp"

#include <algorithm>

#include <heddle_host/run_policy.hpp>

#include "machine/faults.hpp"
#include "machine/grid_state.hpp"
#include "machine/listeners.hpp"
#include "machine/shared_layout.hpp"
#include "machine/worker.hpp"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;

namespace heddle_host {

__thread lane_state lane_now;

block_state::block_state(worker& owner) : owner_(owner) {
  for (unsigned warp = 0; warp < max_warps_per_block; ++warp) warps_[warp].number = warp;
}

block_state::~block_state() = default;

uint3 block_state::thread_index(unsigned thread) const {
  const dim3 shape = grid_->request().block;
  const unsigned row = thread / shape.x;
  return {thread % shape.x, row % shape.y, row / shape.y};
}

lane_identity block_state::running_lane() const { return {index_, threadIdx, lane_now.thread}; }

void block_state::begin(grid_state& grid, std::uint64_t linear_block, block_state* const* cluster,
                        unsigned rank) {
  grid_ = &grid;
  linear_index_ = linear_block;
  index_ = grid.block_index(linear_block);
  cluster_ = cluster;
  cluster_rank_ = rank;
  is_in_cluster_ = grid.blocks_per_cluster() > 1;
  const dim3 shape = grid.request().block;
  threads_ = shape.x * shape.y * shape.z;
  exited_ = 0;
  spin_rounds_ = 0;
  next_unstarted_ = 0;
  takes_care_ = false;
  outcome_ = block_outcome::running;
  shared_.reserve(static_shared_bytes(), grid.request().dynamic_shared_bytes);
  if (policy().uses_arena) shared_.poison();
  schedule_ = current_schedule();
  leaves_soon_ = false;
  is_observed_ = current_observer() != nullptr;
  if (is_observed_) {
    current_observer()->block_begins(index_);
    observed_ = current_observer()->block_has_memory({linear_index_, threads_, shared_.begin(),
                                                      static_shared_bytes(), shared_.dynamic(),
                                                      grid.request().dynamic_shared_bytes});
  }
}

void block_state::load_thread_state() {
  lane_now.block = this;
  lane_now.shared = shared_.begin();
  lane_now.dynamic_shared = shared_.dynamic();
  lane_now.thread = 0;
  lane_now.warp = takes_care_ ? &warps_[0] : nullptr;
  lane_now.next_unstarted = next_unstarted_;
  lane_now.row_end = takes_care_ ? 0 : grid_->request().block.x;
  lane_now.threads = threads_;
  lane_now.spin_budget = spins_before_yield;
  lane_now.may_be_preempted = false;
  lane_now.observed = observed_;
  threadIdx = {0, 0, 0};
  blockIdx = index_;
  blockDim = grid_->request().block;
  gridDim = grid_->request().grid;
  shared_.load_variables();
}

void block_state::save_thread_state() {
  next_unstarted_ = lane_now.next_unstarted;
  shared_.save_variables();
  lane_now.block = nullptr;
}

block_outcome block_state::enter() {
  outcome_ = block_outcome::running;
  load_thread_state();
  if ((is_observed_ || schedule_ != nullptr) && !takes_care_) keep_books_from(0);
  context& next = takes_care_ ? pick_in_other_warps() : owner_.take_fiber().idle;
  if (&next != &owner_.scheduler()) switch_fiber(owner_.scheduler(), next);
  if (crash_) failure_ = describe_crash(*crash_);
  save_thread_state();
  if (failure_) {
    grid_->fail(*failure_);
    failure_.reset();
    crash_.reset();
  }
  if (outcome_ == block_outcome::finished) {
    if (is_in_cluster_) release_cluster_if_complete();
    if (is_observed_) current_observer()->block_ends(index_);
  }
  return outcome_;
}

void block_state::abandon() {
  for (warp_state& warp : warps_) {
    warp.ready = warp.offered = warp.yielded = warp.gathering = 0;
    warp.meetings.clear();
  }
  for (block_gathering& barrier : barriers_) barrier = {};
  tiles_.clear();
  ready_warps_ = yielded_warps_ = gathering_warps_ = busy_barriers_ = 0;
  lanes_at_grid_barrier_ = lanes_at_cluster_barrier_ = cluster_arrivals_ = 0;
  at_grid_barrier_ = {};
  at_cluster_barrier_ = {};
  outcome_ = block_outcome::failed;
}

// From now on lanes may wait. All threads before `thread` have exited.
void block_state::keep_books_from(unsigned thread) {
  takes_care_ = true;
  exited_ = thread;
  lane_now.row_end = 0;
  lane_now.next_unstarted = thread;
  lane_now.warp = &warps_[thread / lanes_per_warp];
  for (unsigned warp = 0; warp * lanes_per_warp < threads_; ++warp) {
    const auto lanes_below = [&](unsigned end) -> std::uint32_t {
      const unsigned first = warp * lanes_per_warp;
      if (end <= first) return 0;
      if (end - first >= lanes_per_warp) return ~0u;
      return (1u << (end - first)) - 1;
    };
    warps_[warp].exited = lanes_below(thread) | ~lanes_below(threads_);
    warps_[warp].at_end = 0;
    warps_[warp].meetings.begin(warps_[warp].exited);
  }
}

warp_state& block_state::take_care() {
  if (takes_care_) return *lane_now.warp;
  const unsigned thread = linear_thread();
  keep_books_from(thread);
  lane_now.thread = thread;
  lane_now.next_unstarted = thread + 1;
  record(thread).index = threadIdx;
  record(thread).thread = thread;
  return *lane_now.warp;
}

unsigned block_state::running_thread() const {
  return takes_care_ ? lane_now.thread : linear_thread();
}

lane_place block_state::place(unsigned thread) const {
  const warp_state& warp = warps_[thread / lanes_per_warp];
  const unsigned lane = thread % lanes_per_warp;
  const warp_meeting* const meeting = warp.meetings.awaited_by(lane, warp.exited);
  const unsigned mask = meeting ? meeting->mask : 0;
  const bool may_go_on = ((warp.ready | warp.offered) >> lane & 1) != 0;
  const activity doing = may_go_on                                          ? activity::running
                         : meeting == nullptr                               ? warp.doing[lane]
                         : meeting->operation == warp_operation::make_group ? activity::making_group
                                                                            : activity::exchanging;
  return {index_, thread_index(thread), warp.number, lane, doing, nullptr, true, mask};
}

namespace {

// A deadlock gets a more specific name if only some lanes partition a group, or if all wait in warp
// operations.
void name_deadlock(finding& what) {
  if (what.kind != finding_kind::deadlock) return;
  const bool is_of_masks =
      policy().follows_warp_operations &&
      std::all_of(what.places.begin(), what.places.end(),
                  [](const auto& place) { return place.doing == activity::exchanging; });
  if (is_of_masks) {
    what.kind = finding_kind::mask;
    what.cause = finding_cause::blocked_masks;
  }
  for (lane_place& place : what.places) {
    if (place.doing != activity::making_group) continue;
    what.kind = finding_kind::divergent_collective;
    what.cause = finding_cause::split_group;
    place.doing = activity::running;
  }
}

}  // namespace

finding block_state::describe_waiting(finding_kind kind, cudaError_t error) const {
  finding what{kind, error, grid_->request().kernel->signature};
  const bool is_inside = lane_now.block == this;
  const unsigned started = is_inside ? lane_now.next_unstarted : next_unstarted_;
  for (unsigned thread = 0; thread < started; ++thread) {
    if (warps_[thread / lanes_per_warp].exited >> thread % lanes_per_warp & 1) continue;
    if (is_inside && thread == lane_now.thread) continue;
    lane_place waiting = place(thread);
    const lane_record& stopped = record(thread);
    waiting.code = stopped.where ? stopped.where : stopped.stopped_at->code;
    what.places.push_back(waiting);
  }
  name_deadlock(what);
  return what;
}

bool block_state::have_all_begun() const {
  return (lane_now.block == this ? lane_now.next_unstarted : next_unstarted_) == threads_;
}

}  // namespace heddle_host
