// A scheduler's device memory: tasks in batches, stacks of batches, and the state all workers
// share.
#pragma once
#include <heddle/container/index_stack.cuh>
#include <heddle/container/ring.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/task/report.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::task::detail {

// The state that all workers poll. Contended words are on separate cache lines.
struct shared_state {
  // Unfinished tasks, as far as workers have reported them: see worker::report_count(). At 0 the
  // run ends.
  alignas(128) unsigned long long unfinished;
  alignas(128) unsigned stopped;  // a stop_reason
  unsigned idle_workers;
};

// The index of each number in worker_statistics.
enum class tally : int {
  tasks,
  spawned,
  refused,
  groups,
  published,
  steals,
  idle_nanoseconds,
  nanoseconds
};
inline constexpr int tallies = static_cast<int>(tally::nanoseconds) + 1;
static_assert(sizeof(worker_statistics) == tallies * sizeof(std::uint64_t));
static_assert(offsetof(worker_statistics, published) ==
              static_cast<int>(tally::published) * sizeof(std::uint64_t));

// The batches that the host has filled for one priority: the next one to take, and the end.
struct inbox {
  alignas(128) unsigned next;
  unsigned end;
};

// Numbered batches of up to a warp's worth of tasks. A batch is in exactly one state: free, in an
// inbox, on a worker's stack of one priority, or held by a worker. All workers compete for free
// batches. So these are in a ring, where each worker draws a ticket; only one worker at a time
// could change the top of a stack.
template <typename Task, int priorities>
struct pool_view {
  using stack = container::detail::index_stack_view;
  // The tops of one worker's stacks.
  struct tops {
    alignas(64) unsigned long long of_priority[priorities];
  };

  Task* tasks;           // warp_size slots for each batch
  std::uint32_t* sizes;  // how many of them hold a task
  std::uint32_t* links;  // shared by all stacks
  container::detail::ring_view unused;
  tops* published;  // one per worker
  inbox* inboxes;   // one per priority
  shared_state* state;
  std::uint64_t* statistics;     // the numbers of worker_statistics, for each worker
  const unsigned* host_cancels;  // in host memory
  std::uint32_t workers;
  std::uint32_t batches;

  // Takes a free batch for each lane that wants one. Returns false in lanes that get none, because
  // no batch is free or the last ones are just being put back.
  //   called by   every lane of `members`
  [[nodiscard]] __device__ bool take_free(std::uint32_t& batch, bool wants,
                                          lane_mask members) const {
    const bool has_one = unused.take_spare(batch, wants, members);
    sync::fence();  // whoever had it before has read it
    return has_one;
  }
  // Frees the batches of the lanes that want it.
  __device__ void set_free(std::uint32_t batch, bool wants, lane_mask members) const {
    sync::fence();
    unused.put_back(batch, wants, members);
  }
  [[nodiscard]] __device__ stack published_by(std::uint32_t worker, int priority) const {
    return {published[worker].of_priority + priority, links};
  }
  [[nodiscard]] __device__ Task* tasks_of(std::uint32_t batch) const {
    return tasks + std::size_t{batch} * warp_size;
  }
  // The first reason wins.
  __device__ void stop(stop_reason reason) const {
    sync::compare_exchange(&state->stopped, static_cast<unsigned>(stop_reason::none),
                           static_cast<unsigned>(reason));
  }
};

// How many tasks of each priority the host has added.
template <int priorities>
struct added_tasks {
  std::uint64_t of_priority[priorities];
};

// Turns zeroed memory into a pool: the first batches are the host's, by priority; all others are
// free.
template <typename Task, int priorities>
__global__ void lay_out(pool_view<Task, priorities> pool, added_tasks<priorities> added) {
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t threads = gridDim.x * blockDim.x;
  std::uint32_t first = 0;
  std::uint64_t all = 0;
  for (int priority = 0; priority < priorities; ++priority) {
    const std::uint64_t tasks = added.of_priority[priority];
    const auto full = static_cast<std::uint32_t>(tasks / warp_size);
    const auto rest = static_cast<std::uint32_t>(tasks % warp_size);
    const std::uint32_t end = first + full + (rest != 0 ? 1 : 0);
    for (std::uint32_t i = first + thread; i < end; i += threads) {
      pool.sizes[i] = i < first + full ? warp_size : rest;
    }
    if (thread == 0) {
      pool.inboxes[priority].next = first;
      pool.inboxes[priority].end = end;
    }
    first = end;
    all += tasks;
  }
  pool.unused.lay_out(pool.batches - first, [first](unsigned long long i) {
    return first + static_cast<std::uint32_t>(i);
  });
  if (thread == 0) pool.state->unfinished = all;
}

}  // namespace heddle::task::detail
