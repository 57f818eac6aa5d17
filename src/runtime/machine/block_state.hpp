// One block while it runs: its lanes, where they wait, and who may go on.
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

// What is known of a lane that has stopped.
struct lane_record {
  context stopped_at = nullptr;
  const void* where = nullptr;  // the place its call returns to, where it did not stop there
  uint3 index{};                // threadIdx, since the lane began
  unsigned thread = 0;          // its linear index
};

// Whose value a lane will get from the shuffle that it waits in.
struct shuffle_source {
  unsigned lane;
  const void* where;
};

struct warp_state {
  std::uint32_t exited = 0;     // lanes that have ended, and lanes that never were
  std::uint32_t at_end = 0;     // lanes that have come to the end of the kernel, in a checked run
  std::uint32_t ready = 0;      // stopped, may go on
  std::uint32_t offered = 0;    // the same, where a schedule decides who does
  std::uint32_t yielded = 0;    // may go on, but let all others go first
  std::uint32_t preempted = 0;  // of those: did not ask for it, and would perhaps not have waited
  std::uint32_t gathering = 0;  // asked who is active
  unsigned number = 0;          // in the block
  warp_meetings meetings;
  std::array<lane_record, lanes_per_warp> lanes;
  std::array<activity, lanes_per_warp> doing{};  // of lanes that wait, but not in a meeting
  std::array<std::uint32_t, lanes_per_warp> active_lanes;  // answers to those who asked
  std::array<shuffle_source, lanes_per_warp> sources;      // in a checked run
};

// A barrier for threads of the block, by count.
struct block_gathering {
  unsigned arrived = 0;
  unsigned expected = 0;  // 0: all non-exited threads
  unsigned true_predicates = 0;
  unsigned parity = 0;
  bool is_passed = false;  // some of the arrived did not wait
  std::array<barrier_result, 2> outcomes{};
  std::array<std::uint32_t, max_warps_per_block> waiting{};
};

// What a signal handler can say of a crash without using the heap.
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
  void tell_of_cluster() const;  // the observer, when all its blocks have begun
  block_outcome enter();         // runs lanes until none can go on or the block ends
  block_outcome outcome() const { return outcome_; }
  bool try_release();  // true: what the block waited for has happened
  bool waits_for_grid() const { return lanes_at_grid_barrier_ > 0; }
  unsigned grid_generation() const { return grid_generation_; }
  void abandon();  // gives up all lanes
  finding describe_waiting(finding_kind kind, cudaError_t error) const;

  // Called by the running lane.
  warp_state& take_care();  // from now on lanes may stop: keep the books. The running lane's warp.
  unsigned running_thread() const;  // its linear index
  context end_lane(fiber& mine);    // as heddle_host::end_lane
  // `is_turn`: it only lets others run, and is at no call that a report would name.
  void yield_lane(const void* where, bool is_preempted = false, bool is_turn = false);
  void interrupt_lane(interruption how, const void* where);  // it may go on at once
  // Ends the grid. What went wrong is told by the worker, on its own, larger stack.
  [[noreturn]] void fail(finding what);
  [[noreturn]] void crash(crash_site where);
  bool has_crashed() const { return crash_.has_value(); }  // and it is not told yet
  [[noreturn]] void leave_for_good();                      // somebody else has failed the grid

  // Where lanes meet.
  void make_ready(warp_state& warp, std::uint32_t lanes) {
    // With a schedule no lane is taken from its warp by the short way.
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
  void pass_barrier(unsigned id, unsigned expected);  // arrives and does not wait
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
  bool have_all_begun() const;            // its threads
  bool keeps(const void* address) const;  // what lanes hand to each other
  lane_place place(unsigned thread) const;
  using lanes_of_warps = std::array<std::uint32_t, max_warps_per_block>;
  // The observer hears who has made a part of a group without one of its threads.
  void tell_of_incomplete_group(const lanes_of_warps& makers, unsigned absent) const;
  // Where to go on when no lane of the running warp is ready.
  context& pick_beyond_warp();
  context& pick_in_other_warps();
  context* pick_by_schedule();                        // null: no lane can go on
  context stop_beyond_warp(const lane_record& mine);  // null: it is `mine` whose turn has come
  context& start_on_another_fiber();
  void start_next_lane();  // makes the next unstarted lane the running one
  uint3 thread_index(unsigned thread) const;
  lane_identity running_lane() const;
  unsigned char* shared() const { return shared_.get(); }
  unsigned char* dynamic_shared() const { return shared_.get() + shared_bytes_; }
  std::size_t shared_bytes() const { return shared_bytes_; }
  std::size_t dynamic_shared_bytes() const { return dynamic_shared_bytes_; }
  // The cluster this block runs in: its blocks in rank order (the block alone without one).
  block_state& in_cluster(unsigned rank) const { return *cluster_[rank]; }
  unsigned cluster_rank() const { return cluster_rank_; }

  // Counts threads that have ended; read by the watchdog from another thread.
  unsigned exited() const { return exited_; }
  // Counts meetings of its threads; likewise.
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
  // `waits_there`: the running lane is one of those who wait, unless it has just ended.
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
  void reserve_shared_memory();

  worker& owner_;
  grid_state* grid_ = nullptr;
  std::uint64_t linear_index_ = 0;
  uint3 index_{};
  unsigned threads_ = 0;
  unsigned exited_ = 0;  // counted from take_care() on
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
  void* observed_ = nullptr;      // what the observer keeps of the block
  bool leaves_soon_ = false;      // another block is to have its turn
  schedule* schedule_ = nullptr;  // null: a warp until all its lanes wait
  unsigned next_unstarted_ = 0;   // while the block is not entered
  block_state* const* cluster_ = nullptr;
  unsigned cluster_rank_ = 0;
  bool is_in_cluster_ = false;  // of more than one block
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

  struct aligned_free {
    void operator()(unsigned char* memory) const;
  };
  std::unique_ptr<unsigned char, aligned_free> shared_;  // with what the launch asks for behind it
  std::size_t shared_bytes_ = 0;
  std::size_t dynamic_shared_bytes_ = 0;
  std::vector<unsigned char> block_variables_;  // their bytes while the block is not entered
};

// ---- The way from a lane that waits to the next one: the machine's hottest path, hence inline.

// Takes a lane that may go on and makes it the running one, but for the switch to where it stopped.
[[gnu::always_inline]] inline context& take_ready(warp_state& warp) {
  const auto lane = static_cast<unsigned>(std::countr_zero(warp.ready));
  warp.ready &= warp.ready - 1;
  lane_record& next = warp.lanes[lane];
  lane_now.thread = next.thread;
  threadIdx = next.index;
  return next.stopped_at;
}

// Books the running lane as stopped until somebody makes it ready and its turn comes, and tells
// where to go on. Null: its turn has come at once. A warp runs until all its lanes wait.
[[gnu::always_inline]] inline context stop(warp_state& warp, lane_record& mine) {
  lane_now.stopping = &mine.stopped_at;
  if (__builtin_expect(warp.ready != 0, 1)) return take_ready(warp);
  return lane_now.block->stop_beyond_warp(mine);
}

// The same, with what the lane is to read when it goes on. The less usual way is apart, so that the
// usual one needs no registers saved.
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

// The same with the switch, for what need not be as fast as can be.
inline void suspend(warp_state& warp, activity doing, const void* where) {
  const unsigned lane = lane_now.thread % lanes_per_warp;
  warp.doing[lane] = doing;
  lane_record& mine = warp.lanes[lane];
  mine.where = where;
  if (context next = stop(warp, mine)) switch_fiber(mine.stopped_at, next);
  mine.where = nullptr;
}

// The same division as in arrive(): inline is what most threads do.
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

// What the machine's own functions hold while they run for a lane, so that it is not preempted
// there. Lanes call them from their own code alone, where they may be preempted again.
class machine_section {
 public:
  machine_section() { leave_lane_code(); }
  ~machine_section() { enter_lane_code(); }
  machine_section(const machine_section&) = delete;
  machine_section& operator=(const machine_section&) = delete;
};

}  // namespace heddle_host
