// A block while it runs: its lanes, where they wait, and which of them are ready.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <heddle_host/finding.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/meeting.hpp>
#include <heddle_host/observer.hpp>
#include <heddle_host/schedule.hpp>

#include "fiber/fiber.hpp"
#include "machine/shared_storage.hpp"
#include "meeting/gathering.hpp"
#include "meeting/warp_meeting.hpp"

namespace heddle_host {

inline constexpr unsigned lanes_per_warp = 32;
inline constexpr unsigned max_threads_per_block = 1024;
inline constexpr unsigned max_warps_per_block = max_threads_per_block / lanes_per_warp;
inline constexpr unsigned named_barriers = 16;
inline constexpr unsigned spins_before_yield = 16;

class grid_state;
class worker;

// The state of a suspended lane.
struct lane_record {
  context stopped_at = nullptr;
  const void* where = nullptr;  // its call's return address, if it was not suspended there
  uint3 index{};                // its threadIdx
  unsigned thread = 0;          // its linear index
};

// Which lane's value a lane gets from the shuffle it waits in.
struct shuffle_source {
  unsigned lane;
  const void* where;
};

struct warp_state {
  std::uint32_t exited = 0;     // lanes that have exited or never existed
  std::uint32_t at_end = 0;     // lanes at the end of the kernel, in a checked run
  std::uint32_t ready = 0;      // suspended and ready to run
  std::uint32_t offered = 0;    // the same, if a schedule decides which one runs
  std::uint32_t yielded = 0;    // ready, but let all others go first
  std::uint32_t preempted = 0;  // of those: yielded involuntarily, and might not have waited
  std::uint32_t gathering = 0;  // have asked which lanes are active
  unsigned number = 0;          // in the block
  warp_meetings meetings;
  std::array<lane_record, lanes_per_warp> lanes;
  std::array<activity, lanes_per_warp> doing{};  // of lanes that wait, except in warp operations
  std::array<std::uint32_t, lanes_per_warp> active_lanes;  // the results for those that asked
  std::array<shuffle_source, lanes_per_warp> sources;      // in a checked run
};

// A barrier of the block that counts arrivals.
struct block_gathering {
  unsigned arrived = 0;
  unsigned expected = 0;  // 0: all threads that have not exited
  unsigned true_predicates = 0;
  unsigned parity = 0;
  bool is_passed = false;  // some threads arrived without waiting
  std::array<barrier_result, 2> outcomes{};
  std::array<std::uint32_t, max_warps_per_block> waiting{};
};

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
  void tell_of_cluster() const;  // to the observer, once all its blocks have started
  block_outcome enter();         // runs lanes until none is ready or the block finishes
  block_outcome outcome() const { return outcome_; }
  bool try_release();  // true if what the block waited for has happened
  bool waits_for_grid() const { return lanes_at_grid_barrier_ > 0; }
  unsigned grid_generation() const { return grid_generation_; }
  void abandon();  // drops all lanes
  finding describe_waiting(finding_kind kind, cudaError_t error) const;

  // Called by the running lane.
  warp_state& take_care();          // starts tracking lanes, which may now wait; the running warp
  unsigned running_thread() const;  // its linear index
  context end_lane(fiber& mine);    // as heddle_host::end_lane
  // `is_turn`: it only lets others run, and is not in a call that a report should name.
  void yield_lane(const void* where, bool is_preempted = false, bool is_turn = false);
  void interrupt_lane(interruption how, const void* where);  // it stays ready
  // Ends the grid. The worker reports what went wrong, on its own, larger stack.
  [[noreturn]] void fail(finding what);
  [[noreturn]] void crash(crash_site where);
  bool has_crashed() const { return crash_.has_value(); }  // and has not been reported
  [[noreturn]] void leave_for_good();                      // another lane has failed the grid

  // Warp operations and barriers.
  void make_ready(warp_state& warp, std::uint32_t lanes) {
    // A schedule must see every choice, so the fast path, which takes a lane of the same warp,
    // finds none.
    if (__builtin_expect(schedule_ != nullptr, 0)) {
      warp.offered |= lanes;
    } else {
      warp.ready |= lanes;
    }
    ready_warps_ |= static_cast<std::uint32_t>(lanes != 0) << warp.number;
  }
  lane_record& record(unsigned thread) {
    return warps_[thread / lanes_per_warp].lanes[thread % lanes_per_warp];
  }
  const lane_record& record(unsigned thread) const {
    return warps_[thread / lanes_per_warp].lanes[thread % lanes_per_warp];
  }
  unsigned live_threads() const { return threads_ - exited_; }
  arrival<barrier_result> arrive_at_barrier(unsigned id, unsigned expected, bool predicate);
  arrival<barrier_result> arrive_at_barrier_in_general(unsigned id, unsigned expected,
                                                       bool predicate);
  void pass_barrier(unsigned id, unsigned expected);  // arrives without waiting
  const std::uint64_t* gather_on_tile(unsigned first_thread, unsigned threads, std::uint64_t value,
                                      const void* where,
                                      activity doing = activity::at_tile_barrier);
  void arrive_at_grid_barrier(const void* where);
  void arrive_at_cluster_barrier();
  void wait_at_cluster_barrier(const void* where);
  unsigned active_lanes(const void* where);

  grid_state& grid() const { return *grid_; }
  uint3 index() const { return index_; }
  unsigned threads() const { return threads_; }
  bool have_all_begun() const;            // all threads have started
  bool keeps(const void* address) const;  // whether lanes exchange values there
  lane_place place(unsigned thread) const;
  using lanes_of_warps = std::array<std::uint32_t, max_warps_per_block>;
  // Reports to the observer a group that was partitioned without one of its threads.
  void tell_of_incomplete_group(const lanes_of_warps& makers, unsigned absent) const;
  // What to resume when no lane of the running warp is ready.
  context& pick_beyond_warp();
  context& pick_in_other_warps();
  context* pick_by_schedule();                        // null if no lane is ready
  context stop_beyond_warp(const lane_record& mine);  // null if `mine` itself is next
  context& start_on_another_fiber();
  void start_next_lane();  // makes the next unstarted lane the running one
  uint3 thread_index(unsigned thread) const;
  lane_identity running_lane() const;
  const shared_storage& shared() const { return shared_; }
  // The blocks of this block's cluster in rank order; just this block if it is in none.
  block_state& in_cluster(unsigned rank) const { return *cluster_[rank]; }
  unsigned cluster_rank() const { return cluster_rank_; }

  // Number of exited threads; the watchdog reads it from another thread.
  unsigned exited() const { return exited_; }
  // Number of completed warp operations and barriers; likewise.
  std::uint64_t met() const { return met_; }
  void count_meeting() { ++met_; }
  void list_ready(std::vector<ready_lane>& into);  // for heddle_host::list_ready_lanes
  std::uint64_t linear_index() const { return linear_index_; }

 private:
  bool has_ready();
  void answer_active_lanes();
  std::uint32_t part(const warp_state& warp, std::uint32_t together);
  bool preempted_lanes_go_first();
  void revive_yielded();
  void lane_has_exited(warp_state& warp, unsigned lane);
  void count_arrival(unsigned id, unsigned expected, bool predicate);
  // `waits_there`: the running lane is among those that wait, unless it has just exited.
  void release_barrier_if_complete(unsigned id, bool waits_there = true);
  void release_tile_if_complete(tile_gathering& tile);
  void arrive_at_grid_if_complete();
  [[nodiscard]] std::vector<void*> observed_of_cluster() const;
  void release_cluster_if_complete();
  bool has_arrived_at_cluster() const;
  [[nodiscard]] lanes_of_warps with_running_lane(lanes_of_warps lanes) const;
  void tell_who_meets(const lanes_of_warps& lanes, bool are_all);
  void tell_places_of_barrier(const block_gathering& barrier);
  [[nodiscard]] std::vector<lane_place> places_by_code(const lanes_of_warps& lanes) const;
  void release(std::array<std::uint32_t, max_warps_per_block>& waiting);
  void keep_books_from(unsigned thread);
  void load_thread_state();
  void save_thread_state();

  worker& owner_;
  grid_state* grid_ = nullptr;
  std::uint64_t linear_index_ = 0;
  uint3 index_{};
  unsigned threads_ = 0;
  unsigned exited_ = 0;  // counted since take_care()
  std::uint64_t met_ = 0;
  std::uint32_t ready_warps_ = 0;
  std::uint32_t yielded_warps_ = 0;
  std::uint32_t gathering_warps_ = 0;
  unsigned spin_rounds_ = 0;
  unsigned turns_of_preempted_ = 0;
  block_outcome outcome_ = block_outcome::running;
  std::optional<finding> failure_;
  std::optional<crash_site> crash_;
  bool takes_care_ = false;
  bool is_observed_ = false;
  void* observed_ = nullptr;      // the observer's data for the block
  bool leaves_soon_ = false;      // another block gets its turn
  schedule* schedule_ = nullptr;  // null: each warp runs until all its lanes wait
  unsigned next_unstarted_ = 0;   // while the block is not on a thread
  block_state* const* cluster_ = nullptr;
  unsigned cluster_rank_ = 0;
  bool is_in_cluster_ = false;  // whose cluster has more than one block
  std::uint32_t busy_barriers_ = 0;

  std::array<warp_state, max_warps_per_block> warps_;
  std::array<block_gathering, named_barriers> barriers_;
  std::vector<std::unique_ptr<tile_gathering>> tiles_;

  unsigned lanes_at_grid_barrier_ = 0;
  unsigned grid_generation_ = 0;
  std::array<std::uint32_t, max_warps_per_block> at_grid_barrier_{};

  unsigned cluster_arrivals_ = 0;          // lanes that have arrived in the current phase
  unsigned lanes_at_cluster_barrier_ = 0;  // lanes that wait in it
  unsigned cluster_phase_ = 0;             // phases that this block's cluster has completed
  std::array<std::uint32_t, max_warps_per_block> at_cluster_barrier_{};
  std::array<unsigned char, max_threads_per_block> lane_cluster_phase_{};

  shared_storage shared_;
};

// ---- The switch from a waiting lane to the next: the hottest path of the runtime, hence inline.

// Makes a ready lane the current one; the caller still has to switch to its resume point.
[[gnu::always_inline]] inline context& take_ready(warp_state& warp) {
  const auto lane = static_cast<unsigned>(std::countr_zero(warp.ready));
  warp.ready &= warp.ready - 1;
  lane_record& next = warp.lanes[lane];
  lane_now.thread = next.thread;
  threadIdx = next.index;
  return next.stopped_at;
}

// Suspends the running lane until it is ready and its turn comes; returns what to resume, or null
// if its turn has come at once. A warp runs until all its lanes wait.
[[gnu::always_inline]] inline context stop(warp_state& warp, lane_record& mine) {
  lane_now.stopping = &mine.stopped_at;
  if (__builtin_expect(warp.ready != 0, 1)) return take_ready(warp);
  return lane_now.block->stop_beyond_warp(mine);
}

// The same, with the result that the lane will read when it resumes. The slow path is a separate
// function, so that the fast path saves no registers.
template <typename Result>
[[gnu::noinline]] arrival<Result> stop_beyond_warp_for(lane_record& mine, const Result& result) {
  return {lane_now.block->stop_beyond_warp(mine), &result};
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

// Split as in arrive(): the path that most threads take is inline.
[[gnu::always_inline]] inline arrival<barrier_result> block_state::arrive_at_barrier(
    unsigned id, unsigned expected, bool predicate) {
  warp_state* const warp = lane_now.warp;
  block_gathering& barrier = barriers_[id];
  const unsigned arrived = barrier.arrived + 1;
  if (__builtin_expect(warp != nullptr && barrier.arrived != 0 && barrier.expected == expected &&
                           arrived < (expected ? expected : live_threads()),
                       1)) {
    const unsigned lane = lane_now.thread % lanes_per_warp;
    barrier.arrived = arrived;
    barrier.true_predicates += predicate;
    barrier.waiting[warp->number] |= 1u << lane;
    warp->doing[lane] = id == 0 ? activity::at_block_barrier : activity::at_named_barrier;
    return stop_for(*warp, warp->lanes[lane], barrier.outcomes[barrier.parity]);
  }
  return arrive_at_barrier_in_general(id, expected, predicate);
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
