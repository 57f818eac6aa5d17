// Counts the threads that arrive at a barrier of their block, and releases them together.
#include "machine/meeting/block_barriers.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include <heddle_host/fault.hpp>

#include "machine/block_state.hpp"
#include "machine/listeners.hpp"
#include "machine/meeting/barrier_reports.hpp"

#define HEDDLE_CALLER __builtin_return_address(0)

namespace heddle_host {

// Split as in warp operations: the path that most threads take is inline. It uses `lane_now.block`,
// which is in a register, for `block_`.
[[gnu::always_inline]] inline arrival<barrier_result> block_barriers::arrive(unsigned id,
                                                                             unsigned expected,
                                                                             bool predicate) {
  warp_state* const warp = lane_now.warp;
  gathering& barrier = barriers_[id];
  const unsigned arrived = barrier.arrived + 1;
  if (__builtin_expect(warp != nullptr && barrier.arrived != 0 && barrier.expected == expected &&
                           arrived < (expected ? expected : lane_now.block->live_threads()),
                       1)) {
    const unsigned lane = lane_now.thread % lanes_per_warp;
    barrier.arrived = arrived;
    barrier.true_predicates += predicate;
    barrier.waiting[warp->number] |= 1u << lane;
    warp->doing[lane] = id == 0 ? activity::at_block_barrier : activity::at_named_barrier;
    return stop_for(*warp, warp->lanes[lane], barrier.outcomes[barrier.parity]);
  }
  return arrive_in_general(id, expected, predicate);
}

arrival<barrier_result> block_barriers::arrive_in_general(unsigned id, unsigned expected,
                                                          bool predicate) {
  warp_state& warp = block_.track_lanes();
  gathering& barrier = barriers_[id];
  const barrier_result& result = barrier.outcomes[barrier.parity];
  count_arrival(id, expected, predicate);
  if (barrier.arrived >= (barrier.expected ? barrier.expected : block_.live_threads())) {
    release_if_complete(id, true);
    return {nullptr, &result};
  }
  const unsigned lane = lane_now.thread % lanes_per_warp;
  barrier.waiting[warp.number] |= 1u << lane;
  warp.doing[lane] = id == 0 ? activity::at_block_barrier : activity::at_named_barrier;
  return {stop(warp, warp.lanes[lane]), &result};
}

void block_barriers::pass(unsigned id, unsigned expected) {
  block_.track_lanes();
  count_arrival(id, expected, false);
  barriers_[id].is_passed = true;
  if (block_.is_observed()) current_observer()->lane_passes_barrier(id);
  release_if_complete(id, false);
}

void block_barriers::count_arrival(unsigned id, unsigned expected, bool predicate) {
  gathering& barrier = barriers_[id];
  // PTX forbids different counts. Threads that use them wait for the largest, so that the mistake
  // shows in every order.
  if (barrier.arrived != 0 && barrier.expected != 0 && expected != 0) {
    expected = std::max(expected, barrier.expected);
  }
  barrier.expected = expected;
  barrier.true_predicates += predicate;
  ++barrier.arrived;
  busy_ |= 1u << id;
}

void block_barriers::report_places(const gathering& barrier) const {
  const std::vector<lane_place> places = places_by_code(block_, barrier.waiting);
  if (places.size() > 1) current_observer()->barrier_has_places(places);
  if (block_.exited() == 0 || barrier.expected != 0 || places.empty()) return;
  unsigned absent = 0;
  while (!block_.has_exited(absent)) ++absent;
  lane_place gone = block_.place(absent);
  gone.doing = activity::exiting;
  current_observer()->meeting_lacks_thread(places, gone, absent, false);
}

void block_barriers::report_completion(unsigned id, bool waits_there) const {
  const gathering& barrier = barriers_[id];
  if (id == 0) report_places(barrier);
  current_observer()->block_meets(block_.index(), id);
  const auto lanes = waits_there ? with_running_lane(block_, barrier.waiting) : barrier.waiting;
  report_meeting(block_, lanes, barrier.expected == 0);
  if (barrier.is_passed) current_observer()->passed_barrier_is_complete(id, lanes.data());
}

// The threads that arrived resume, except the running one if it came last: it was never suspended.
void block_barriers::release_if_complete(unsigned id, bool waits_there) {
  gathering& barrier = barriers_[id];
  const unsigned expected = barrier.expected ? barrier.expected : block_.live_threads();
  if (barrier.arrived < expected) return;
  barrier.outcomes[barrier.parity] = {barrier.arrived, barrier.true_predicates};
  barrier.parity ^= 1;
  barrier.arrived = 0;
  barrier.true_predicates = 0;
  busy_ &= ~(1u << id);
  if (block_.is_observed()) report_completion(id, waits_there);
  barrier.is_passed = false;
  block_.release(barrier.waiting);
}

void block_barriers::release_complete() {
  for (std::uint32_t left = busy_; left; left &= left - 1) {
    release_if_complete(static_cast<unsigned>(std::countr_zero(left)), true);
  }
}

void block_barriers::clear() {
  barriers_.fill({});
  busy_ = 0;
}

arrival<barrier_result> arrive_at_block_barrier(bool predicate) {
  leave_lane_code();
  return lane_now.block->barriers().arrive(0, 0, predicate);
}

arrival<barrier_result> arrive_at_named_barrier(unsigned barrier, unsigned threads) {
  leave_lane_code();
  if (barrier >= named_barriers || threads % lanes_per_warp != 0) {
    fail_launch(finding_kind::divergent_barrier, finding_cause::bad_barrier,
                cudaErrorIllegalInstruction, HEDDLE_CALLER);
  }
  return lane_now.block->barriers().arrive(barrier, threads, false);
}

void pass_named_barrier(unsigned barrier, unsigned threads) {
  machine_section guard;
  if (barrier >= named_barriers || threads == 0 || threads % lanes_per_warp != 0) {
    fail_launch(finding_kind::divergent_barrier, finding_cause::bad_barrier,
                cudaErrorIllegalInstruction, HEDDLE_CALLER);
  }
  lane_now.block->barriers().pass(barrier, threads);
}

}  // namespace heddle_host
