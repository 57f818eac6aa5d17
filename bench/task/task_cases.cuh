// The scheduler with empty tasks and with an unbalanced tree.
#pragma once
// Preconditions are for debug builds; we time what a release build runs.
#undef HEDDLE_CHECK_PRECONDITIONS
#define HEDDLE_CHECK_PRECONDITIONS 0
#include <heddle/task/scheduler.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/device.cuh"
#include "support/report.hpp"
#include "support/this_machine.cuh"
#include "task/task_report.hpp"

namespace heddle_bench {

// A node of a full tree: a task only spawns its children.
struct empty_task {
  int depth;
};
struct empty_visitor {
  int children;
  template <typename Context>
  __device__ void operator()(const empty_task& task, Context& context) const {
    if (task.depth == 0) return;
    for (int i = 0; i < children; ++i) static_cast<void>(context.spawn({task.depth - 1}));
  }
};

// Like the unbalanced tree search benchmark (Olivier and others, 2006): every node has eight
// children with a probability just below 1/8, otherwise none. Subtrees differ by orders of
// magnitude, and nothing tells in advance which are large.
struct tree_node {
  std::uint64_t state;
};
__host__ __device__ inline std::uint64_t mixed_bits(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
  return bits ^ bits >> 31;
}
// One step of a linear congruential generator. Many steps combine to one such step, so the host
// does not have to take them one by one.
struct generator_step {
  std::uint64_t factor = 6364136223846793005ull, summand = 1442695040888963407ull;

  __host__ __device__ std::uint64_t operator()(std::uint64_t state) const {
    return state * factor + summand;
  }
  [[nodiscard]] generator_step repeated(int times) const {
    generator_step all{1, 0};
    for (int i = 0; i < times; ++i) all = {all.factor * factor, (*this)(all.summand)};
    return all;
  }
};

struct tree_visitor {
  int rounds;  // of work per node
  // One round. Its constants are not known at compile time, so the compiler cannot merge rounds.
  generator_step round{};

  // The children's states derive from the result.
  __device__ std::uint64_t worked(std::uint64_t state) const {
    for (int i = 0; i < rounds; ++i) state = round(state);
    return mixed_bits(state);
  }
  __host__ __device__ static int children_of(std::uint64_t worked) {
    return worked % 1000 < 124 ? 8 : 0;
  }
  template <typename Context>
  __device__ void operator()(const tree_node& task, Context& context) const {
    const std::uint64_t state = worked(task.state);
    const int children = children_of(state);
    for (int i = 0; i < children; ++i) {
      static_cast<void>(context.spawn({mixed_bits(state + static_cast<unsigned>(i) + 1)}));
    }
  }
  std::uint64_t nodes_on_host(std::vector<tree_node> waiting) const {
    const generator_step all_rounds = round.repeated(rounds);
    std::uint64_t nodes = 0;
    while (!waiting.empty()) {
      const std::uint64_t state = mixed_bits(all_rounds(waiting.back().state));
      waiting.pop_back();
      ++nodes;
      const int children = children_of(state);
      for (int i = 0; i < children; ++i) {
        waiting.push_back({mixed_bits(state + static_cast<unsigned>(i) + 1)});
      }
    }
    return nodes;
  }
};

// Grids to compare: the default, and others.
struct task_grid {
  std::string name;
  int blocks_per_multiprocessor, smallest_group;
};

class task_contest {
 public:
  explicit task_contest(task_report& rows)
      : rows_(rows), multiprocessors_(device_properties().multiProcessorCount) {
    rows_.head(this_machine());
  }

  template <int priorities, typename Task, typename Visitor>
  void run(const std::string& what, const std::vector<Task>& roots, const Visitor& visitor,
           std::uint64_t expected, task_goal goal) {
    if (!rows_.wants(what)) return;
    for (const task_grid& grid : grids_) {
      heddle::task::options wanted;
      wanted.blocks = grid.blocks_per_multiprocessor * multiprocessors_;
      wanted.smallest_group = grid.smallest_group;
      heddle::task::scheduler<Task, priorities> all(wanted);
      std::vector<double> took;
      task_figures figures;
      bool is_right = true;
      for (int run = 0; run <= runs_; ++run) {
        all.add(roots);
        figures.run = all.run(visitor);
        is_right = is_right && figures.run.is_complete() && !figures.run.has_overflowed() &&
                   figures.run.total().tasks == expected;
        std::uint64_t longest = 0;
        for (const auto& one : figures.run.workers) longest = std::max(longest, one.nanoseconds);
        if (run > 0) took.push_back(static_cast<double>(longest));  // the first one warms up
      }
      figures.nanoseconds = median(took);
      // The goals are for the default grid.
      rows_.row(what, grid.name, figures, &grid == &grids_.front() ? goal : task_goal{}, is_right);
    }
  }

 private:
  static constexpr int runs_ = 5;
  task_report& rows_;
  int multiprocessors_;
  const std::vector<task_grid> grids_{{"8 warps each", 1, heddle::task::options().smallest_group},
                                      {"8 warps, groups from 1 on", 1, 1},
                                      {"8 warps, groups of 32", 1, 32},
                                      {"16 warps each", 2, 8},
                                      {"32 warps each", 4, 8}};
};

inline void task_cases(task_contest& contest) {
  using empty_tasks = std::vector<empty_task>;
  contest.run<1>("empty tasks, 2 children each", empty_tasks(1, empty_task{27}), empty_visitor{2},
                 (std::uint64_t{1} << 28) - 1, {.tasks_per_second = 1e9});
  contest.run<1>("empty tasks, 4 children each", empty_tasks(1, empty_task{13}), empty_visitor{4},
                 ((std::uint64_t{1} << 28) - 1) / 3, {});
  contest.run<4>("empty tasks, with 4 priorities", empty_tasks(1, empty_task{25}), empty_visitor{2},
                 (std::uint64_t{1} << 26) - 1, {});
  // A subtree has 125 nodes on average, and some are a thousand generations deep: with this many
  // roots, the last subtrees do not affect the time.
  std::vector<tree_node> roots(2'000'000);
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i].state = mixed_bits(i + 1);
  for (const int rounds : {1, 64, 1024}) {
    const tree_visitor visitor{rounds};
    contest.run<1>("unbalanced trees, " + std::to_string(rounds) + " rounds at a node", roots,
                   visitor, visitor.nodes_on_host(roots), {.busy_share = 0.8});
  }
}

}  // namespace heddle_bench
