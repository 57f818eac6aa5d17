// What a scheduler is asked for, and what it says about a run.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::task {

// How a scheduler works; all have defaults.
struct options {
  int blocks = 0;                        // 0: one for each multiprocessor
  int warps_per_block = 0;               // each is a worker; 0: as many as have room
  int smallest_group = 8;                // 1 to 32: so few tasks are not parted for idle workers
  std::size_t tasks = 0;                 // that wait at a time; 0: 2048 for each worker
  std::chrono::nanoseconds time_out{0};  // 0: none
  std::uint32_t seed = 1;                // of the choice of victims
};

// Why workers leave before all tasks are done.
enum class stop_reason : unsigned { none, cancelled, timed_out };

// What one worker has done; device code knows the numbers by their places in here.
struct worker_statistics {
  std::uint64_t tasks = 0;             // visited
  std::uint64_t spawned = 0;           // by these
  std::uint64_t refused = 0;           // spawns for which there was no memory
  std::uint64_t groups = 0;            // of tasks of one kind that were visited together
  std::uint64_t published = 0;         // batches put where others can take them
  std::uint64_t steals = 0;            // batches taken from others
  std::uint64_t idle_nanoseconds = 0;  // without a task
  std::uint64_t nanoseconds = 0;       // from the first look for a task to the last
};

// How a run went.
struct report {
  stop_reason stopped = stop_reason::none;  // why, if not all is done
  std::uint64_t left = 0;  // tasks that nobody has visited: 0 unless the run was stopped
  std::vector<worker_statistics> workers;  // of each

  // Whether all tasks were visited, and whether a spawn was refused.
  [[nodiscard]] bool is_complete() const { return left == 0; }
  [[nodiscard]] bool has_overflowed() const { return total().refused != 0; }
  // The sums over all workers.
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
  // How much of the time of all workers, from begin to end of the longest, they have had tasks.
  [[nodiscard]] double busy_share() const {
    std::uint64_t longest = 0;
    for (const worker_statistics& one : workers) longest = std::max(longest, one.nanoseconds);
    const worker_statistics sum = total();
    const double all = static_cast<double>(longest) * static_cast<double>(workers.size());
    return all == 0 ? 0 : static_cast<double>(sum.nanoseconds - sum.idle_nanoseconds) / all;
  }
};

}  // namespace heddle::task
