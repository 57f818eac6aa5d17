// The device memory of a scheduler: tasks in batches, stacks of batches, and what all workers know.
#pragma once
#include <heddle/container/index_stack.cuh>
#include <heddle/container/ring.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/task/report.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::task::detail {

// What all workers look at; each word that many write has a line of its own.
struct shared_state {
  // Tasks that are not finished, as far as workers have told: see worker::tell(). 0 is the end.
  alignas(128) unsigned long long unfinished;
  alignas(128) unsigned stopped;  // a stop_reason
  unsigned idle_workers;
};

// The numbers of worker_statistics, by place.
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

// Of one priority: the batches that the host has filled, by number, and the next one.
struct inbox {
  alignas(128) unsigned next;
  unsigned end;
};

// Batches of up to a warp full of tasks, which have numbers. A batch is free, or one of the inbox,
// or on a worker's stack of one priority, or in the hands of a worker, and never two of these. All
// workers want free ones, so these are in a ring, which a ticket opens; the top of a stack would be
// changed by one worker at a time.
template <typename Task, int priorities>
struct pool_view {
  using stack = container::detail::index_stack_view;
  // The tops of a worker's stacks.
  struct tops {
    alignas(64) unsigned long long of_priority[priorities];
  };

  Task* tasks;           // a warp full for each batch
  std::uint32_t* sizes;  // how many of these are there
  std::uint32_t* links;  // of all stacks
  container::detail::ring_view unused;
  tops* published;  // of each worker
  inbox* inboxes;   // of each priority
  shared_state* state;
  std::uint64_t* statistics;     // of each worker the numbers of worker_statistics
  const unsigned* host_cancels;  // in memory of the host
  std::uint32_t workers;
  std::uint32_t batches;

  // A free batch for each lane that wants one, as far as there are any; false where there is none,
  // or the last ones are just coming back.
  //   called by   every lane of `members`
  [[nodiscard]] __device__ bool take_free(std::uint32_t& batch, bool wants,
                                          lane_mask members) const {
    const bool has_one = unused.take_spare(batch, wants, members);
    sync::fence();  // whoever had it before has read it
    return has_one;
  }
  // The batches of those lanes that want it are free from now on.
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
  // The first reason counts.
  __device__ void stop(stop_reason reason) const {
    sync::compare_exchange(&state->stopped, static_cast<unsigned>(stop_reason::none),
                           static_cast<unsigned>(reason));
  }
};

// How many tasks the host has added of each priority.
template <int priorities>
struct added_tasks {
  std::uint64_t of_priority[priorities];
};

// Makes zeroed memory a pool: the first batches are the host's, by priority, all others free.
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
