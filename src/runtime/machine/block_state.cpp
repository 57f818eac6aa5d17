// The bookkeeping of a block: which lanes run, wait or have exited, and the thread state they need.
#include "machine/block_state.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include <heddle_host/fault.hpp>
#include <heddle_host/options.hpp>
#include <heddle_host/run_policy.hpp>

#include "machine/faults.hpp"
#include "machine/grid_state.hpp"
#include "machine/listeners.hpp"
#include "machine/shared_layout.hpp"
#include "machine/worker.hpp"

namespace heddle_host {

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
  publish(linear_index_, linear_block);
  index_ = grid.block_index(linear_block);
  in_cluster_.begin(cluster, rank);
  const dim3 shape = grid.request().block;
  threads_ = shape.x * shape.y * shape.z;
  publish(exited_, 0);
  next_unstarted_ = 0;
  tracks_lanes_ = false;
  outcome_ = block_outcome::running;
  shared_.reserve(static_shared_bytes(), grid.request().dynamic_shared_bytes);
  if (policy().uses_arena) shared_.poison();
  order_.begin(current_schedule());
  is_observed_ = current_observer() != nullptr;
  if (is_observed_) {
    current_observer()->block_begins(index_);
    observed_ = current_observer()->block_has_memory({linear_index_, threads_, shared_.begin(),
                                                      static_shared_bytes(), shared_.dynamic(),
                                                      grid.request().dynamic_shared_bytes});
  }
}

void block_state::load_thread_state() {
  publish_object(lane_now.block, this);
  lane_now.shared = shared_.begin();
  lane_now.dynamic_shared = shared_.dynamic();
  publish(lane_now.thread, 0);
  lane_now.warp = tracks_lanes_ ? &warps_[0] : nullptr;
  publish(lane_now.next_unstarted, next_unstarted_);
  lane_now.row_end = tracks_lanes_ ? 0 : grid_->request().block.x;
  lane_now.threads = threads_;
  lane_now.spin_budget = spins_before_yield;
  lane_now.may_be_preempted = false;
  lane_now.runs_row = false;
  lane_now.runs_together = false;
  lane_now.runs_block = false;
  lane_now.repeats_lanes = false;
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
  publish_object(lane_now.block, nullptr);
}

block_outcome block_state::enter() {
  outcome_ = block_outcome::running;
  load_thread_state();
  if ((is_observed_ || current_schedule() != nullptr) && !tracks_lanes_) track_from(0);
  context& next = tracks_lanes_ ? order_.next_of_block() : owner_.take_fiber().idle;
  if (&next != &owner_.scheduler()) switch_fiber(owner_.scheduler(), next);
  if (crash_) failure_ = describe_crash(*crash_);
  if (lane_now.repeats_lanes && tracks_lanes_) find_repeated_crash();
  save_thread_state();
  if (failure_) {
    grid_->fail(*failure_);
    failure_.reset();
    crash_.reset();
  }
  if (outcome_ == block_outcome::finished) {
    in_cluster_.block_has_finished();
    if (is_observed_) current_observer()->block_ends(index_);
  }
  return outcome_;
}

void block_state::abandon() {
  for (warp_state& warp : warps_) {
    warp.ready = warp.offered = warp.yielded = warp.gathering = 0;
    warp.meetings.clear();
  }
  order_.clear();
  barriers_.clear();
  tiles_.clear();
  at_grid_.clear();
  in_cluster_.clear();
  outcome_ = block_outcome::failed;
}

// From now on lanes may wait. All threads before `thread` have exited.
void block_state::track_from(unsigned thread) {
  tracks_lanes_ = true;
  publish(exited_, thread);
  lane_now.row_end = 0;
  publish(lane_now.next_unstarted, thread);
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

warp_state& block_state::track_lanes() {
  if (tracks_lanes_) return *lane_now.warp;
  const unsigned thread = linear_thread();
  track_from(thread);
  publish(lane_now.thread, thread);
  publish(lane_now.next_unstarted, thread + 1);
  record(thread).index = threadIdx;
  record(thread).thread = thread;
  return *lane_now.warp;
}

unsigned block_state::running_thread() const {
  return tracks_lanes_ ? lane_now.thread : linear_thread();
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

finding block_state::describe_waiting(finding_kind kind, cudaError_t error) const {
  finding what{kind, error, grid_->request().kernel->signature};
  const bool is_inside = lane_now.block == this;
  for (unsigned thread = 0; thread < next_unstarted(); ++thread) {
    if (has_exited(thread)) continue;
    if (is_inside && thread == lane_now.thread) continue;
    lane_place waiting = place(thread);
    waiting.code = record(thread).code();
    what.places.push_back(waiting);
  }
  return what;
}

unsigned block_state::next_unstarted() const {
  return lane_now.block == this ? lane_now.next_unstarted : next_unstarted_;
}

bool block_state::have_all_begun() const { return next_unstarted() == threads_; }

bool block_state::keeps(const void* address) const {
  const auto* const byte = static_cast<const std::byte*>(address);
  const auto* const first = reinterpret_cast<const std::byte*>(this);
  if (byte >= first && byte < first + sizeof *this) return true;
  return lane_now.warp->meetings.keeps(byte) || tiles_.keeps(byte);
}

void block_state::release(lanes_of_warps& waiting) {
  count_meeting();
  for (unsigned warp = 0; warp < warps(); ++warp) {
    order_.make_ready(warps_[warp], waiting[warp]);
    waiting[warp] = 0;
  }
}

bool block_state::try_release() { return order_.has_ready() || at_grid_.try_release(); }

context& block_state::leave(block_outcome why) {
  outcome_ = why;
  return owner_.scheduler();
}

void block_state::list_ready(std::vector<ready_lane>& into) {
  if (outcome_ == block_outcome::finished) return;
  if (outcome_ == block_outcome::waiting) try_release();
  order_.list_ready(into);
  if (next_unstarted() < threads_) into.push_back({linear_index_, next_unstarted()});
}

void block_state::leave_if_grid_has_ended(const void* where) {
  leave_if_grid_has_failed();
  if (!grid_->has_timed_out.load(std::memory_order_relaxed)) return;
  finding what = describe_waiting(finding_kind::unfinished, cudaErrorLaunchTimeout);
  what.cause = finding_cause::no_progress;
  what.fact = time_limit{timeout_seconds()};
  if (!lane_now.runs_block)
    what.places.insert(what.places.begin(), place_of_running_lane(where, true));
  fail(std::move(what));
}

void block_state::yield_lane(const void* where, bool is_preempted, bool is_turn) {
  track_lanes();
  leave_if_grid_has_ended(where);
  if (is_observed_ && !is_preempted) current_observer()->lane_yields(running_lane());
  order_.yield(is_turn ? nullptr : where, is_preempted);
}

void block_state::take_turn(const void* where) {
  track_lanes();
  leave_if_grid_has_ended(where);
  order_.take_turn();
}

context block_state::end_lane(fiber& mine) {
  if (!tracks_lanes_) {
    // A row of threads is complete: threadIdx.x is one too large.
    const unsigned thread = linear_thread();
    if (thread < threads_) {
      threadIdx = thread_index(thread);
      return nullptr;
    }
    owner_.put_back(mine);
    return leave(block_outcome::finished);
  }
  return order_.end_lane(mine);
}

void block_state::fail(finding what) {
  failure_ = std::move(what);
  leave_for_good();
}

void block_state::crash(crash_site where) {
  crash_ = where;
  leave_for_good();
}

void block_state::repeat_lanes(crash_site where) {
  const bool is_whole_block = lane_now.runs_block;
  repeated_ = where;
  lane_now.runs_together = false;
  lane_now.runs_block = false;
  lane_now.repeats_lanes = true;
  if (is_whole_block) track_from(0);
  context nowhere;
  switch_fiber(nowhere, is_whole_block ? order_.next_of_block() : owner_.take_fiber().idle);
  __builtin_unreachable();
}

// A whole block has been repeated. Its first run may have changed what a lane loads, so the lane
// that crashed now is the right one only if it did so at the same page.
void block_state::find_repeated_crash() {
  const auto page = [](const crash_site& where) {
    const bool has_address = where.signal == SIGSEGV || where.signal == SIGBUS;
    const auto bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    return has_address ? reinterpret_cast<std::uintptr_t>(where.address) / bytes : 0;
  };
  const bool is_same =
      crash_ && crash_->signal == repeated_.signal && page(*crash_) == page(repeated_);
  if (!is_same) failure_ = describe_without_lane(repeated_);
  outcome_ = block_outcome::failed;
}

void fail_without_lane() { lane_now.block->crash_without_lane(); }

void block_state::leave_if_grid_has_failed() {
  if (grid_->has_failed()) leave_for_good();
}

void block_state::crash_without_lane() { fail(describe_without_lane(repeated_)); }

void block_state::leave_for_good() {
  context nowhere;
  switch_fiber(nowhere, leave(block_outcome::failed));
  __builtin_unreachable();
}

context end_lane(runner& mine) { return lane_now.block->end_lane(static_cast<fiber&>(mine)); }

void exit_lane() {
  if (!in_lane()) std::abort();  // PTX in a host function, which nvcc rejects
  leave_lane_code();
  worker& owner = lane_now.block->owner();
  fiber& mine = *owner.find_fiber(__builtin_frame_address(0));
  const bool is_in_row = lane_now.row_end != 0 && ++threadIdx.x < lane_now.row_end;
  owner.leave_fiber(mine, is_in_row ? nullptr : end_lane(mine));
}

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
