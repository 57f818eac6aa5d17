// A warp that takes tasks, visits them, shares them with other workers, and detects when all are
// done.
//   strategy    a loop: take a group of one kind, visit it, then keep, publish or steal
//   needs       sm_75
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>
#include <heddle/task/cache.cuh>
#include <heddle/task/context.cuh>
#include <heddle/task/pool.cuh>
#include <heddle/warp/reduce.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::task::detail {

// How many tasks of each priority fit in a worker's cache: its share of the block's shared memory
// if there are eight workers, in multiples of a warp. The lanes of one group may spawn
// `slots - kept_` tasks before they need their own batches.
inline constexpr std::size_t shared_bytes_of_block = 48 << 10;
inline constexpr int most_workers = 8;
inline constexpr int slots_in(std::size_t bytes, int least) {
  const auto warps_full = static_cast<int>(bytes / warp_size);
  return warp_size * (warps_full < least ? least : warps_full > 24 ? 24 : warps_full);
}
template <typename Task, int priorities>
inline constexpr int cache_slots = slots_in((shared_bytes_of_block / most_workers / priorities -
                                             2 * sizeof(int) - alignof(Task)) /
                                                sizeof(Task),
                                            priorities == 1 ? 6 : 3);

// The scheduler's options, as a worker needs them.
struct worker_settings {
  std::uint64_t time_out_nanoseconds;
  std::uint32_t seed;
  int most_spare_batches;  // that a worker keeps for itself, at most a warp's worth
  int smallest_group;      // that a worker keeps when it shares
};

// All lanes of the warp call every function together and hold the same state, except for `spare_`,
// `random_`, `counted_` and the time.
//
// Why the run is over when `unfinished` is 0: each worker counts locally the tasks that it creates
// and finishes, and now and then adds the difference to `unfinished`, by report_count(). Pick any
// value of that word. For each worker, consider what it had done by its last report_count() that
// the value includes. The value is the number of tasks created by then minus the number finished by
// then.
//   - Every task finished by then was also created by then. Either the same worker created it, or
//     another one did and called report_count() before it published the task. The push's fence
//     comes after that report_count(), and the worker that finishes the task has popped it and
//     calls report_count() later.
//   - So if the value is 0, all tasks created by then are finished by then: no worker holds a task
//     and none is published. Only tasks create tasks, so none can appear later.
// The initial value counts the host's tasks.
template <typename Task, int priorities>
class worker {
 public:
  static constexpr int slots = cache_slots<Task, priorities>;
  using pool_type = pool_view<Task, priorities>;
  using cache_type = cache<Task, slots>;
  using context_type = context<Task, priorities, slots>;

  __device__ worker(const pool_type& pool, cache_type* caches, std::uint32_t number,
                    const worker_settings& settings)
      : pool_(pool),
        caches_(caches),
        number_(number),
        most_spare_(settings.most_spare_batches),
        smallest_group_(settings.smallest_group),
        random_((settings.seed + number) * 0x9e3779b9u +
                static_cast<unsigned>(lane_id()) * 747796405u),
        begin_(__shfl_sync(all_lanes, now(), 0)),
        time_out_(settings.time_out_nanoseconds) {
    for (int priority = 0; priority < priorities; ++priority) caches_[priority].clear();
  }

  template <typename Visitor>
  __device__ void work(const Visitor& visitor) {
    for (;;) {
      const outlook seen = look();
      if (seen.is_stopped) break;
      const int priority = first_with_task();
      if (priority < 0) {
        if (!wait_for_task()) break;
        continue;
      }
      if (seen.others_are_idle) share(priority);
      visit_group(priority, visitor);
      make_room();
    }
    report_count();
    count_up(tally::nanoseconds, now() - begin_);
    if (lane_id() < tallies) pool_.statistics[number_ * tallies + lane_id()] = counted_;
  }

 private:
  // The most tasks of a priority in the cache when a group begins, including the group.
  static constexpr int kept_ = priorities == 1 ? 3 * warp_size : 2 * warp_size;
  static constexpr int probes_ = 8;  // victims probed at once
  static constexpr unsigned longest_pause_ = 8192;

  struct outlook {
    bool is_stopped, others_are_idle;
  };

  __device__ void count_up(tally what, std::uint64_t by) {
    if (lane_id() == static_cast<int>(what)) counted_ += by;
  }

  // Lanes may read different times.
  __device__ static std::uint64_t now() {
    std::uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
  }

  __device__ outlook look() {
    unsigned seen = 0;
    if (lane_id() == 0) {
      if (time_out_ != 0 && now() - begin_ >= time_out_) pool_.stop(stop_reason::timed_out);
      // Only one worker polls host memory, which is slow.
      if (number_ == 0 && sync::load<sync::scope::system>(pool_.host_cancels) != 0) {
        pool_.stop(stop_reason::cancelled);
      }
      seen = (sync::load(&pool_.state->stopped) != 0 ? 1 : 0) |
             (sync::load(&pool_.state->idle_workers) != 0 ? 2 : 0);
    }
    seen = __shfl_sync(all_lanes, seen, 0);
    return {(seen & 1) != 0, (seen & 2) != 0};
  }

  // The first priority for which this worker or the host's inbox has a task, which is then in the
  // cache; -1 if there is none.
  __device__ int first_with_task() {
    for (int priority = 0; priority < priorities; ++priority) {
      const unsigned bit = 1u << priority;
      if (caches_[priority].size() != 0) return priority;
      if ((may_have_published_ & bit) != 0) {
        if (take_published(number_, priority)) return priority;
        may_have_published_ &= ~bit;
      }
      if ((may_have_inbox_ & bit) != 0) {
        if (take_inbox(priority)) return priority;
        may_have_inbox_ &= ~bit;
      }
    }
    return -1;
  }

  __device__ bool take_inbox(int priority) {
    inbox& from = pool_.inboxes[priority];
    unsigned batch = 0, end = 0;
    if (lane_id() == 0) {
      batch = sync::add(&from.next, 1u);
      end = from.end;
    }
    batch = __shfl_sync(all_lanes, batch, 0);
    end = __shfl_sync(all_lanes, end, 0);
    if (batch >= end) return false;
    take_in(batch, priority);
    return true;
  }

  __device__ bool take_published(std::uint32_t from, int priority) {
    std::uint32_t batch = 0;
    bool is_ours = false;
    if (lane_id() == 0) is_ours = pool_.published_by(from, priority).pop(batch, true, 1);
    if (__shfl_sync(all_lanes, is_ours ? 1 : 0, 0) == 0) return false;
    take_in(__shfl_sync(all_lanes, batch, 0), priority);
    return true;
  }

  // Moves the tasks of a batch into the cache of that priority, which is empty.
  __device__ void take_in(std::uint32_t batch, int priority) {
    __syncwarp();  // lane 0 sees the batch's contents; now all lanes do
    const int tasks = static_cast<int>(pool_.sizes[batch]);
    Task mine{};
    if (lane_id() < tasks) mine = pool_.tasks_of(batch)[lane_id()];
    caches_[priority].fill(mine, tasks);
    put_away(batch);
  }

  template <typename Visitor>
  __device__ void visit_group(int priority, const Visitor& visitor) {
    Task mine{};
    const lane_mask members = caches_[priority].take_newest(mine);
    int before = 0, after = 0;
    for (int i = 0; i < priorities; ++i) before += caches_[i].size();
    __syncwarp();
    context_type mine_to_ask(pool_, caches_, number_, members);
    if (contains(members, lane_id())) {
      visitor(static_cast<const Task&>(mine), mine_to_ask);
      mine_to_ask.publish();
    }
    __syncwarp();  // the spawned tasks are in the caches
    for (int i = 0; i < priorities; ++i) after += caches_[i].size();
    unreported_ += after - before - count(members);
    count_up(tally::spawned, static_cast<unsigned>(after - before));
    count_up(tally::tasks, static_cast<unsigned>(count(members)));
    count_up(tally::groups, 1);
    // Rare: a lane found no room in the cache.
    const bool went_elsewhere = mine_to_ask.published_batches_ != 0 || mine_to_ask.refused_ != 0;
    if (__any_sync(all_lanes, went_elsewhere) != 0) {
      may_have_published_ = all_lanes;
      count_up(tally::spawned, static_cast<unsigned>(warp::reduce(mine_to_ask.published_tasks_)));
      count_up(tally::published,
               static_cast<unsigned>(warp::reduce(mine_to_ask.published_batches_)));
      count_up(tally::refused, static_cast<unsigned>(warp::reduce(mine_to_ask.refused_)));
    }
  }

  // Publishes the oldest tasks if the next group might not find room for the tasks it spawns. They
  // stay if there is no free batch.
  __device__ void make_room() {
    for (int priority = 0; priority < priorities; ++priority) {
      while (caches_[priority].size() > kept_) {
        if (!publish_oldest(priority, warp_size)) return;
      }
    }
  }

  // Other workers are idle: publishes half of the tasks at the next priority and all tasks at lower
  // ones, at most one batch of each, and only if the last such batch has been taken. A small group
  // is not split: its lanes run at the same time anyway, and a steal takes longer than most tasks.
  __device__ void share(int next) {
    for (int priority = next; priority < priorities; ++priority) {
      const int held = caches_[priority].size();
      const int given = min(priority == next ? held / 2 : held, warp_size);
      if (given == 0 || (priority == next && held - given < smallest_group_)) continue;
      bool is_wanted = false;
      if (lane_id() == 0) is_wanted = pool_.published_by(number_, priority).is_empty();
      if (__shfl_sync(all_lanes, is_wanted ? 1 : 0, 0) == 0) continue;
      if (!publish_oldest(priority, given)) return;
    }
  }

  __device__ bool publish_oldest(int priority, int tasks) {
    std::uint32_t batch = 0;
    if (!take_spare(batch)) return false;
    Task mine{};
    caches_[priority].take_oldest(mine, tasks);
    if (lane_id() < tasks) pool_.tasks_of(batch)[lane_id()] = mine;
    __syncwarp();  // lane 0 publishes for all
    report_count();
    if (lane_id() == 0) {
      pool_.sizes[batch] = static_cast<std::uint32_t>(tasks);
      pool_.published_by(number_, priority).push(batch, true, 1);
    }
    __syncwarp();
    may_have_published_ |= 1u << priority;
    count_up(tally::published, 1);
    return true;
  }

  // The first lanes keep spare batches, so that the ring of free ones is rarely touched.
  __device__ bool take_spare(std::uint32_t& batch) {
    if (spares_ == 0) {
      const bool wants = lane_id() < max(1, most_spare_ / 2);
      std::uint32_t found = 0;
      const bool has_one = pool_.take_free(found, wants, all_lanes);
      if (has_one) spare_ = found;
      spares_ = count(__ballot_sync(all_lanes, has_one));
      __syncwarp();
      if (spares_ == 0) return false;
    }
    batch = __shfl_sync(all_lanes, spare_, --spares_);
    return true;
  }
  __device__ void put_away(std::uint32_t batch) {
    __syncwarp();  // all lanes have read its contents
    if (spares_ >= most_spare_) {
      // Half of them are freed, and the new one too.
      const int kept = spares_ / 2;
      if (lane_id() == spares_) spare_ = batch;
      pool_.set_free(spare_, lane_id() >= kept && lane_id() <= spares_, all_lanes);
      spares_ = kept;
      return;
    }
    if (lane_id() == spares_) spare_ = batch;
    ++spares_;
  }

  __device__ void report_count() {
    if (lane_id() == 0 && unreported_ != 0) {
      sync::add(&pool_.state->unfinished, static_cast<unsigned long long>(unreported_));
    }
    unreported_ = 0;
  }

  // Returns false if the run has ended; otherwise there are tasks in the cache.
  __device__ bool wait_for_task() {
    report_count();
    if (lane_id() == 0) sync::add(&pool_.state->idle_workers, 1u);
    const std::uint64_t begin = now();
    bool has_task = false;
    for (sync::backoff wait(longest_pause_);; wait.pause()) {
      has_task = steal();
      if (has_task || look().is_stopped || all_is_done()) break;
    }
    count_up(tally::idle_nanoseconds, now() - begin);
    if (lane_id() == 0) sync::add(&pool_.state->idle_workers, ~0u);
    return has_task;
  }
  __device__ bool all_is_done() const {
    unsigned long long left = 0;
    if (lane_id() == 0) left = sync::load(&pool_.state->unfinished);
    return __shfl_sync(all_lanes, left, 0) == 0;
  }

  // Each of the first lanes probes a random worker; takes a batch of the best priority they see.
  __device__ bool steal() {
    random_ = random_ * 1664525u + 1013904223u;
    const auto victim = static_cast<std::uint32_t>((std::uint64_t{random_} * pool_.workers) >> 32);
    int seen = priorities;
    if (lane_id() < probes_) {
      for (seen = 0; seen < priorities; ++seen) {
        if (!pool_.published_by(victim, seen).is_empty()) break;
      }
    }
    const int best = warp::reduce(seen, minimum{});
    if (best == priorities) return false;
    const lane_mask with_best = __ballot_sync(all_lanes, seen == best);
    const std::uint32_t from = __shfl_sync(all_lanes, victim, first_lane(with_best));
    if (!take_published(from, best)) return false;
    count_up(tally::steals, 1);
    return true;
  }

  const pool_type& pool_;
  cache_type* caches_;  // one per priority
  std::uint32_t number_;
  int most_spare_;
  int smallest_group_;
  int spares_ = 0;
  std::uint32_t spare_ = 0;  // each of the first `spares_` lanes holds one batch
  std::uint32_t random_;     // differs by lane
  long long unreported_ = 0;
  lane_mask may_have_published_ = 0;      // one bit per priority; a set bit may
  lane_mask may_have_inbox_ = all_lanes;  // be stale, and is cleared when it is
  std::uint64_t begin_;                   // by lane 0's clock, which checks it
  std::uint64_t time_out_;                // 0: none
  std::uint64_t counted_ = 0;             // each lane holds the number of its index
};

}  // namespace heddle::task::detail
