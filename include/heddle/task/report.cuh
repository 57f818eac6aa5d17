// The options of a scheduler, and its report of a run.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::task {

// A scheduler's options; all have defaults.
struct options {
  int blocks = 0;           // 0: one per multiprocessor
  int warps_per_block = 0;  // each is a worker; 0: as many as fit
  int smallest_group = 8;   // 1 to 32: a worker shares only if it keeps this many tasks
  std::size_t tasks = 0;    // that can wait at a time; 0: 2048 per worker
  std::chrono::nanoseconds time_out{0};  // 0: no limit
  std::uint32_t seed = 1;                // for choosing victims
};

// Why workers stop before all tasks are done.
enum class stop_reason : unsigned { none, cancelled, timed_out };

// What one worker has done. Device code indexes these numbers, so their order matters.
struct worker_statistics {
  std::uint64_t tasks = 0;             // visited
  std::uint64_t spawned = 0;           // by those tasks
  std::uint64_t refused = 0;           // spawns refused for lack of memory
  std::uint64_t groups = 0;            // of tasks of one kind, visited together
  std::uint64_t published = 0;         // batches made available to other workers
  std::uint64_t steals = 0;            // batches taken from other workers
  std::uint64_t idle_nanoseconds = 0;  // spent without a task
  std::uint64_t nanoseconds = 0;       // from its first look for a task to its last
};

// The outcome of a run.
struct report {
  stop_reason stopped = stop_reason::none;  // why, if the run did not finish
  std::uint64_t left = 0;                   // tasks not visited: 0 unless the run was stopped
  std::vector<worker_statistics> workers;   // one entry per worker

  // Whether all tasks were visited, and whether a spawn was refused.
  [[nodiscard]] bool is_complete() const { return left == 0; }
  [[nodiscard]] bool has_overflowed() const { return total().refused != 0; }
  // Sums over all workers.
  [[nodiscard]] worker_statistics total() const {
    worker_statistics sum;
    for (const worker_statistics& one : workers) {
      sum.tasks += one.tasks;
      sum.spawned += one.spawned;
      sum.refused += one.refused;
      sum.groups += one.groups;
      sum.published += one.published;
      sum.steals += one.steals;
      sum.idle_nanoseconds += one.idle_nanoseconds;
      sum.nanoseconds += one.nanoseconds;
    }
    return sum;
  }
  // The share of the workers' time in which they had tasks; each counts for as long as the slowest
  // ran.
  [[nodiscard]] double busy_share() const {
    std::uint64_t longest = 0;
    for (const worker_statistics& one : workers) longest = std::max(longest, one.nanoseconds);
    const worker_statistics sum = total();
    const double all = static_cast<double>(longest) * static_cast<double>(workers.size());
    return all == 0 ? 0 : static_cast<double>(sum.nanoseconds - sum.idle_nanoseconds) / all;
  }
};

}  // namespace heddle::task
