// A block while it runs: its lanes, and the parts in which they wait for each other.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <heddle_host/finding.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/meeting.hpp>
#include <heddle_host/observer.hpp>
#include <heddle_host/schedule.hpp>

#include "fiber/fiber.hpp"
#include "machine/meeting/block_barriers.hpp"
#include "machine/meeting/cluster_member.hpp"
#include "machine/meeting/grid_arrivals.hpp"
#include "machine/meeting/tile_barriers.hpp"
#include "machine/published.hpp"
#include "machine/schedule/lane_order.hpp"
#include "machine/shared_storage.hpp"
#include "machine/warp_state.hpp"

namespace heddle_host {

inline constexpr unsigned spins_before_yield = 16;

class grid_state;
class worker;

// What a signal handler can record of a crash without using the heap.
struct crash_site {
  int signal;
  const void* address;
  const void* code;
  bool is_in_guard_page;
};

enum class block_outcome { running, finished, waiting, spinning, failed };

class block_state {
 public:
  explicit block_state(worker& owner);
  ~block_state();
  block_state(const block_state&) = delete;
  block_state& operator=(const block_state&) = delete;

  // Called by the worker.
  void begin(grid_state& grid, std::uint64_t linear_block, block_state* const* cluster,
             unsigned rank);
  block_outcome enter();  // runs lanes until none is ready or the block finishes
  block_outcome outcome() const { return outcome_; }
  bool try_release();  // true if what the block waited for has happened
  void abandon();      // drops all lanes
  finding describe_waiting(finding_kind kind, cudaError_t error) const;
  void list_ready(std::vector<ready_lane>& into);  // for heddle_host::list_ready_lanes

  // Called by the running lane.
  warp_state& track_lanes();        // from now on lanes may wait; returns the running warp
  unsigned running_thread() const;  // its linear index
  lane_identity running_lane() const;
  context end_lane(fiber& mine);  // as heddle_host::end_lane
  // `is_turn`: it only lets others run, and is not in a call that a report should name.
  void yield_lane(const void* where, bool is_preempted = false, bool is_turn = false);
  void take_turn(const void* where);  // yields, although the lane is not waiting
  // Ends the grid. The worker reports what went wrong, on its own, larger stack.
  [[noreturn]] void fail(finding what);
  [[noreturn]] void crash(crash_site where);
  // One of the lanes that run in a loop has crashed. Runs them again to find out which: those of a
  // group one by one, those of a whole block as fibers.
  [[noreturn]] void repeat_lanes(crash_site where);
  [[noreturn]] void crash_without_lane();                  // if none of them crashed again
  bool has_crashed() const { return crash_.has_value(); }  // and has not been reported
  void leave_if_grid_has_failed();  // does not return if another lane has failed the grid

  // Called by the parts.
  void release(lanes_of_warps& waiting);  // at a complete barrier; leaves the set empty
  context& leave(block_outcome why);      // what to resume when no lane of the block can run
  void count_exit() { publish(exited_, exited_ + 1); }
  worker& owner() const { return owner_; }

  grid_state& grid() const { return *grid_; }
  uint3 index() const { return index_; }
  unsigned threads() const { return threads_; }
  unsigned warps() const { return (threads_ + lanes_per_warp - 1) / lanes_per_warp; }
  unsigned live_threads() const { return threads_ - exited_; }
  bool tracks_lanes() const { return tracks_lanes_; }
  bool has_exited(unsigned thread) const {
    return (warp(thread / lanes_per_warp).exited >> thread % lanes_per_warp & 1) != 0;
  }
  bool have_all_begun() const;  // all threads have started
  bool is_observed() const { return is_observed_; }
  void* observed() const { return observed_; }  // the observer's data for the block
  bool keeps(const void* address) const;        // whether lanes exchange values there
  lane_place place(unsigned thread) const;

  warp_state& warp(unsigned number) { return warps_[number]; }
  const warp_state& warp(unsigned number) const { return warps_[number]; }
  lane_record& record(unsigned thread) {
    return warps_[thread / lanes_per_warp].lanes[thread % lanes_per_warp];
  }
  const lane_record& record(unsigned thread) const {
    return warps_[thread / lanes_per_warp].lanes[thread % lanes_per_warp];
  }

  lane_order& order() { return order_; }
  block_barriers& barriers() { return barriers_; }
  tile_barriers& tiles() { return tiles_; }
  grid_arrivals& at_grid() { return at_grid_; }
  const grid_arrivals& at_grid() const { return at_grid_; }
  cluster_member& in_cluster() { return in_cluster_; }
  const shared_storage& shared() const { return shared_; }

  // The watchdog calls these from another thread.
  std::uint64_t linear_index() const { return peek(linear_index_); }
  unsigned exited() const { return peek(exited_); }
  std::uint64_t met() const { return peek(met_); }
  // Counts a completed warp operation or barrier.
  void count_meeting() { publish(met_, met_ + 1); }

 private:
  [[noreturn]] void leave_for_good();
  void leave_if_grid_has_ended(const void* where);
  void find_repeated_crash();
  void track_from(unsigned thread);
  uint3 thread_index(unsigned thread) const;
  unsigned next_unstarted() const;
  void load_thread_state();
  void save_thread_state();

  worker& owner_;
  grid_state* grid_ = nullptr;
  std::uint64_t linear_index_ = 0;
  uint3 index_{};
  unsigned threads_ = 0;
  unsigned exited_ = 0;  // counted since track_lanes()
  std::uint64_t met_ = 0;
  block_outcome outcome_ = block_outcome::running;
  std::optional<finding> failure_;
  std::optional<crash_site> crash_;
  crash_site repeated_{};  // the crash for which lanes are repeated
  bool tracks_lanes_ = false;
  bool is_observed_ = false;
  void* observed_ = nullptr;
  unsigned next_unstarted_ = 0;  // while the block is not on a thread

  lane_order order_{*this};
  std::array<warp_state, max_warps_per_block> warps_;
  block_barriers barriers_{*this};
  tile_barriers tiles_{*this};
  grid_arrivals at_grid_{*this};
  cluster_member in_cluster_{*this};
  shared_storage shared_;
};

// ---- The switch from a waiting lane to the next: the hottest path of the runtime, hence inline.

// Suspends the running lane until it is ready and its turn comes; returns what to resume, or null
// if its turn has come at once. A warp runs until all its lanes wait.
[[gnu::always_inline]] inline context stop(warp_state& warp, lane_record& mine) {
  lane_now.stopping = &mine.stopped_at;
  if (__builtin_expect(warp.ready != 0, 1)) return take_ready(warp);
  return lane_now.block->order().stop_beyond_warp(mine);
}

// The same, with the result that the lane will read when it resumes. The slow path is a separate
// function, so that the fast path saves no registers.
template <typename Result>
[[gnu::noinline]] arrival<Result> stop_beyond_warp_for(lane_record& mine, const Result& result) {
  return {lane_now.block->order().stop_beyond_warp(mine), &result};
}
template <typename Result>
[[gnu::always_inline]] inline arrival<Result> stop_for(warp_state& warp, lane_record& mine,
                                                       const Result& result) {
  lane_now.stopping = &mine.stopped_at;
  if (__builtin_expect(warp.ready != 0, 1)) return {take_ready(warp), &result};
  return stop_beyond_warp_for(mine, result);
}

// The same, including the switch, where speed matters less.
inline void suspend(warp_state& warp, activity doing, const void* where) {
  const unsigned lane = lane_now.thread % lanes_per_warp;
  warp.doing[lane] = doing;
  lane_record& mine = warp.lanes[lane];
  mine.where = where;
  if (context next = stop(warp, mine)) switch_fiber(mine.stopped_at, next);
  mine.where = nullptr;
}

// Held by the runtime's functions while they run for a lane, so that it is not preempted there.
// Lanes call them only from their own code, which may be preempted again afterwards.
class machine_section {
 public:
  machine_section() { leave_lane_code(); }
  ~machine_section() { enter_lane_code(); }
  machine_section(const machine_section&) = delete;
  machine_section& operator=(const machine_section&) = delete;
};

}  // namespace heddle_host
