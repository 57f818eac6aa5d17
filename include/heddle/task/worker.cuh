// A warp that takes tasks, visits them, shares them with others, and knows when all are done.
//   strategy    a loop: take a group of one kind, visit it, keep, publish or steal
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

// How many tasks of each priority a worker has room for at hand: what eight workers of a block can
// have of its shared memory, in warps full. One group of a warp full may spawn as many as
// `slots - kept` before lanes need batches of their own.
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

// What the scheduler's options come down to in a worker.
struct worker_settings {
  std::uint64_t time_out_nanoseconds;
  std::uint32_t seed;
  int most_spare_batches;  // that a worker keeps for itself, at most a warp full
  int smallest_group;      // that is not cut in two for others
};

// All lanes of the warp call every function together and hold the same state but for `spare_`,
// `random_`, `counted_` and the time.
//
// Why 0 unfinished tasks are the end. A worker keeps to itself what it creates and finishes, and
// adds the difference to `unfinished` now and then: it tells. Stop at any value of that word, and
// of each worker take what it has done up to the last tell that is in the value: the value is the
// number of tasks that were created up to there less those that were finished.
//   - Whatever is finished up to there was created up to there. Either the same worker has created
//     it, or another one, which has told of it before it published it: the fence of the push is
//     behind that tell, and whoever finishes the task has popped it and tells later.
//   - So if the value is 0 all that were created up to there are finished up to there, and a worker
//     has nothing in hands then, nor is anything published. Tasks come from tasks only: there is
//     nothing behind that moment, either.
// The host's tasks are in the first value.
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
    tell();
    count_up(tally::nanoseconds, now() - begin_);
    if (lane_id() < tallies) pool_.statistics[number_ * tallies + lane_id()] = counted_;
  }

 private:
  // How many tasks of a priority are at hand at most when a group begins, itself counted.
  static constexpr int kept_ = priorities == 1 ? 3 * warp_size : 2 * warp_size;
  static constexpr int probes_ = 8;  // victims that are looked at together
  static constexpr unsigned longest_pause_ = 8192;

  struct outlook {
    bool is_stopped, others_are_idle;
  };

  __device__ void count_up(tally what, std::uint64_t by) {
    if (lane_id() == static_cast<int>(what)) counted_ += by;
  }

  // Lanes may get different answers, each its own.
  __device__ static std::uint64_t now() {
    std::uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
  }

  __device__ outlook look() {
    unsigned seen = 0;
    if (lane_id() == 0) {
      if (time_out_ != 0 && now() - begin_ >= time_out_) pool_.stop(stop_reason::timed_out);
      // One worker asks the host's memory, which is far away.
      if (number_ == 0 && sync::load<sync::scope::system>(pool_.host_cancels) != 0) {
        pool_.stop(stop_reason::cancelled);
      }
      seen = (sync::load(&pool_.state->stopped) != 0 ? 1 : 0) |
             (sync::load(&pool_.state->idle_workers) != 0 ? 2 : 0);
    }
    seen = __shfl_sync(all_lanes, seen, 0);
    return {(seen & 1) != 0, (seen & 2) != 0};
  }

  // The first priority of which there are tasks at hand now, of those that this worker has or the
  // host has added; -1 if there are none.
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

  // The tasks of a batch come to hand, of which there were none of that priority.
  __device__ void take_in(std::uint32_t batch, int priority) {
    __syncwarp();  // the lane that has got the batch sees what is in it, and now all do
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
    __syncwarp();  // what they have spawned is at hand
    for (int i = 0; i < priorities; ++i) after += caches_[i].size();
    untold_ += after - before - count(members);
    count_up(tally::spawned, static_cast<unsigned>(after - before));
    count_up(tally::tasks, static_cast<unsigned>(count(members)));
    count_up(tally::groups, 1);
    // Rare: lanes for which there was no room.
    const bool went_elsewhere = mine_to_ask.published_batches_ != 0 || mine_to_ask.refused_ != 0;
    if (__any_sync(all_lanes, went_elsewhere) != 0) {
      may_have_published_ = all_lanes;
      count_up(tally::spawned, static_cast<unsigned>(warp::reduce(mine_to_ask.published_tasks_)));
      count_up(tally::published,
               static_cast<unsigned>(warp::reduce(mine_to_ask.published_batches_)));
      count_up(tally::refused, static_cast<unsigned>(warp::reduce(mine_to_ask.refused_)));
    }
  }

  // Publishes the oldest tasks where there are too many for the next group to have room. Without a
  // free batch they stay.
  __device__ void make_room() {
    for (int priority = 0; priority < priorities; ++priority) {
      while (caches_[priority].size() > kept_) {
        if (!publish_oldest(priority, warp_size)) return;
      }
    }
  }

  // Others have nothing: of the priority that is next half of the tasks, of the others all, as far
  // as a batch holds them and the last such batch has found somebody. A small group stays whole:
  // its lanes run at the same time as it is, and to steal takes longer than most tasks.
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
    __syncwarp();  // the first lane speaks for all
    tell();
    if (lane_id() == 0) {
      pool_.sizes[batch] = static_cast<std::uint32_t>(tasks);
      pool_.published_by(number_, priority).push(batch, true, 1);
    }
    __syncwarp();
    may_have_published_ |= 1u << priority;
    count_up(tally::published, 1);
    return true;
  }

  // Spare batches are kept by the first lanes, so that the ring of free ones is asked seldom.
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
    __syncwarp();  // all lanes have read what was in it
    if (spares_ >= most_spare_) {
      // Half of them go, the new one with them.
      const int kept = spares_ / 2;
      if (lane_id() == spares_) spare_ = batch;
      pool_.set_free(spare_, lane_id() >= kept && lane_id() <= spares_, all_lanes);
      spares_ = kept;
      return;
    }
    if (lane_id() == spares_) spare_ = batch;
    ++spares_;
  }

  __device__ void tell() {
    if (lane_id() == 0 && untold_ != 0) {
      sync::add(&pool_.state->unfinished, static_cast<unsigned long long>(untold_));
    }
    untold_ = 0;
  }

  // False if the run has ended, else there are tasks at hand.
  __device__ bool wait_for_task() {
    tell();
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

  // Some lanes look at a random worker each; a batch of the best priority that they see is taken.
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
  cache_type* caches_;  // of each priority
  std::uint32_t number_;
  int most_spare_;
  int smallest_group_;
  int spares_ = 0;
  std::uint32_t spare_ = 0;  // one of `spares_` batches in each of the first lanes
  std::uint32_t random_;     // each lane has its own
  long long untold_ = 0;
  lane_mask may_have_published_ = 0;      // a bit for each priority; false ones are cleared
  lane_mask may_have_inbox_ = all_lanes;  // as soon as they are found out
  std::uint64_t begin_;                   // by the clock of lane 0, which looks at it
  std::uint64_t time_out_;                // 0: none
  std::uint64_t counted_ = 0;             // in the lane of each number's place
};

}  // namespace heddle::task::detail
