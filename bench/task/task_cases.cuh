// What the scheduler does with tasks that are empty, and with a tree that is unbalanced.
#pragma once
// Preconditions are for debug builds; what is timed here is what a release runs.
#undef HEDDLE_CHECK_PRECONDITIONS
#define HEDDLE_CHECK_PRECONDITIONS 0
#include <heddle/task/scheduler.cuh>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/device.cuh"
#include "support/report.hpp"
#include "task/task_report.hpp"

namespace heddle_bench {

// A node of a full tree: all that a task does is to spawn its children.
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

// In the manner of the unbalanced tree search benchmark (Olivier and others, 2006): the root has
// many children, and every other node has eight of them with a chance of just below 1/8, else none.
// Subtrees differ by orders of magnitude, and nobody knows before which are large.
struct tree_node {
  std::uint64_t state;
  std::uint32_t depth;
};
__host__ __device__ inline std::uint64_t mixed_bits(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
  return bits ^ bits >> 31;
}
struct tree_visitor {
  std::uint32_t roots_children;
  std::uint32_t chance;  // of having children, of 2^32
  int rounds;            // of work at each node
  template <typename Context>
  __device__ void operator()(const tree_node& task, Context& context) const {
    std::uint64_t state = task.state;
    for (int i = 0; i < rounds; ++i) state = mixed_bits(state + 0x9e3779b97f4a7c15ull);
    const std::uint32_t children =
        task.depth == 0 ? roots_children : (static_cast<std::uint32_t>(state) < chance ? 8 : 0);
    for (std::uint32_t i = 0; i < children; ++i) {
      static_cast<void>(context.spawn({mixed_bits(state + i + 1), task.depth + 1}));
    }
  }
  std::uint64_t nodes_on_host(tree_node root) const {
    std::vector<tree_node> waiting{root};
    std::uint64_t nodes = 0;
    while (!waiting.empty()) {
      const tree_node next = waiting.back();
      waiting.pop_back();
      ++nodes;
      std::uint64_t state = next.state;
      for (int i = 0; i < rounds; ++i) state = mixed_bits(state + 0x9e3779b97f4a7c15ull);
      const std::uint32_t children =
          next.depth == 0 ? roots_children : (static_cast<std::uint32_t>(state) < chance ? 8 : 0);
      for (std::uint32_t i = 0; i < children; ++i) {
        waiting.push_back({mixed_bits(state + i + 1), next.depth + 1});
      }
    }
    return nodes;
  }
};

// Grids to compare: as many workers as fit, and fewer.
struct task_grid {
  std::string name;
  int blocks_per_multiprocessor;  // 0: as many as fit
};

class task_contest {
 public:
  explicit task_contest(task_report& rows)
      : rows_(rows), multiprocessors_(device_properties().multiProcessorCount) {
    rows_.head(this_machine());
  }

  template <int priorities, typename Task, typename Visitor>
  void run(const std::string& what, const Task& root, const Visitor& visitor,
           std::uint64_t expected, task_goal goal) {
    if (!rows_.wants(what)) return;
    for (const task_grid& grid : grids_) {
      heddle::task::options wanted;
      wanted.blocks = grid.blocks_per_multiprocessor * multiprocessors_;
      heddle::task::scheduler<Task, priorities> all(wanted);
      std::vector<double> took;
      task_figures figures;
      bool is_right = true;
      for (int run = 0; run <= runs_; ++run) {
        all.add(root);
        figures.run = all.run(visitor);
        is_right = is_right && figures.run.is_complete() && !figures.run.has_overflowed() &&
                   figures.run.total().tasks == expected;
        std::uint64_t longest = 0;
        for (const auto& one : figures.run.workers) longest = std::max(longest, one.nanoseconds);
        if (run > 0) took.push_back(static_cast<double>(longest));  // the first one warms up
      }
      figures.nanoseconds = median(took);
      // The goals are those of the default.
      rows_.row(what, grid.name, figures, grid.blocks_per_multiprocessor == 0 ? goal : task_goal{},
                is_right);
    }
  }

 private:
  static constexpr int runs_ = 5;
  task_report& rows_;
  int multiprocessors_;
  const std::vector<task_grid> grids_{
      {"all that fit", 0}, {"32 warps each", 4}, {"8 warps each", 1}};
};

inline void task_cases(task_contest& contest) {
  contest.run<1>("empty tasks, 2 children each", empty_task{27}, empty_visitor{2},
                 (std::uint64_t{1} << 28) - 1, {.tasks_per_second = 1e9});
  contest.run<1>("empty tasks, 4 children each", empty_task{13}, empty_visitor{4},
                 ((std::uint64_t{1} << 28) - 1) / 3, {});
  contest.run<4>("empty tasks, with 4 priorities", empty_task{25}, empty_visitor{2},
                 (std::uint64_t{1} << 26) - 1, {});
  const tree_node root{42, 0};
  for (const int rounds : {1, 64, 1024}) {
    // 2000 subtrees of 125 nodes on average, and many more in a few of them.
    const tree_visitor visitor{rounds == 1 ? 200'000u : 20'000u, 0xffffffffu / 1000 * 124, rounds};
    contest.run<1>("unbalanced tree, " + std::to_string(rounds) + " rounds at a node", root,
                   visitor, rounds > 64 ? 0 : visitor.nodes_on_host(root),
                   {.busy_share = rounds == 64 ? 0.8 : 0});
  }
}

}  // namespace heddle_bench
