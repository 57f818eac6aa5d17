// The scheduler visits every task once and in order, on any grid and with any amount of memory.
#include <heddle/task/scheduler.cuh>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {

using heddle::lane_mask;
using heddle::task::options;
using heddle::task::report;
using heddle::task::scheduler;
using heddle::task::stop_reason;
using heddle_test::device_array;
using heddle_test::sample_bits;
using counter = unsigned long long;

struct grid {
  int blocks, warps;
};
constexpr grid grids[] = {{1, 1}, {1, 4}, {3, 2}, {7, 1}};

options on(grid shape, std::size_t tasks = 0) {
  options wanted;
  wanted.blocks = shape.blocks;
  wanted.warps_per_block = shape.warps;
  wanted.tasks = tasks;
  return wanted;
}

// Holds for every run that nobody has stopped: it visits as many tasks as there were.
void expect_all_done(const report& done, std::uint64_t added) {
  EXPECT_EQ(done.stopped, stop_reason::none);
  EXPECT_TRUE(done.is_complete()) << done.left << " are left";
  const auto total = done.total();
  EXPECT_EQ(total.tasks, added + total.spawned);
  EXPECT_LE(total.groups, total.tasks);
  EXPECT_GE(total.groups * 32, total.tasks);
  EXPECT_LE(total.idle_nanoseconds, total.nanoseconds);
  EXPECT_GE(done.busy_share(), 0);
  EXPECT_LE(done.busy_share(), 1);
}

// ---- one task for each call of the textbook recursion

struct number {
  int n;
};

// A refused spawn is computed at once, in a loop: calls and leaves of fibonacci(n) in closed form.
__host__ __device__ counter fibonacci(int n) {
  counter a = 0, b = 1;
  for (int i = 0; i < n; ++i) {
    const counter next = a + b;
    a = b;
    b = next;
  }
  return a;
}
__host__ __device__ counter calls_of(int n) { return 2 * fibonacci(n + 1) - 1; }

struct fibonacci_visitor {
  counter* sum;
  counter* calls;
  template <typename Context>
  __device__ void operator()(const number& task, Context& context) const {
    atomicAdd(calls, counter{1});
    if (task.n < 2) {
      atomicAdd(sum, static_cast<counter>(task.n));
      return;
    }
    for (const int n : {task.n - 1, task.n - 2}) {
      if (context.spawn({n})) continue;
      atomicAdd(sum, fibonacci(n));
      atomicAdd(calls, calls_of(n));
    }
  }
};

void expect_fibonacci(const options& wanted, int n) {
  scheduler<number> all(wanted);
  for (int again = 0; again < 2; ++again) {
    device_array<counter> sum(std::vector<counter>{0}), calls(std::vector<counter>{0});
    all.add({n});
    const report done = all.run(fibonacci_visitor{sum.data(), calls.data()});
    expect_all_done(done, 1);
    EXPECT_EQ(sum.values().front(), fibonacci(n));
    EXPECT_EQ(calls.values().front(), calls_of(n));
    EXPECT_FALSE(done.has_overflowed());
    EXPECT_EQ(done.total().tasks, calls_of(n));
  }
}

TEST(task_scheduler, counts_the_calls_of_fibonacci_on_any_grid) {
  for (const grid shape : grids) {
    SCOPED_TRACE(std::to_string(shape.blocks) + " blocks of " + std::to_string(shape.warps));
    for (const int n : {0, 1, 2, 11, 15}) expect_fibonacci(on(shape), n);
  }
}

TEST(task_scheduler, fills_the_device_by_default) { expect_fibonacci(options{}, 10); }

// ---- an unbalanced tree

struct node {
  std::uint64_t state;
  int depth;
};

// How many children a node has: a geometric tree of limited depth, or a binomial one, in which most
// nodes have no children and a few have many.
__host__ __device__ int children_of(const node& parent, bool is_binomial) {
  const std::uint64_t bits = sample_bits(parent.state, 17);
  if (parent.depth == 0) return 40;
  if (is_binomial) return bits % 1000 < 118 ? 8 : 0;
  return parent.depth > 6 ? 0 : static_cast<int>(bits % 4);
}
__host__ __device__ node child_of(const node& parent, int i) {
  return {sample_bits(parent.state, static_cast<std::uint64_t>(i)), parent.depth + 1};
}
counter nodes_of(const node& root, bool is_binomial) {
  std::vector<node> waiting{root};
  counter nodes = 0;
  while (!waiting.empty()) {
    const node next = waiting.back();
    waiting.pop_back();
    ++nodes;
    const int children = children_of(next, is_binomial);
    for (int i = 0; i < children; ++i) waiting.push_back(child_of(next, i));
  }
  return nodes;
}

struct tree_visitor {
  bool is_binomial;
  counter* refused;
  template <typename Context>
  __device__ void operator()(const node& task, Context& context) const {
    const int children = children_of(task, is_binomial);
    for (int i = 0; i < children; ++i) {
      if (!context.spawn(child_of(task, i))) atomicAdd(refused, counter{1});
    }
  }
};

TEST(task_scheduler, visits_every_node_of_an_unbalanced_tree) {
  HEDDLE_NAME_SEED();
  for (const bool is_binomial : {false, true}) {
    for (std::uint64_t tree = 0; tree < 3; ++tree) {
      const node root{sample_bits(heddle_test::seed(), tree), 0};
      const counter nodes = nodes_of(root, is_binomial);
      for (const grid shape : grids) {
        scheduler<node> all(on(shape));
        device_array<counter> refused(std::vector<counter>{0});
        all.add(root);
        const report done = all.run(tree_visitor{is_binomial, refused.data()});
        expect_all_done(done, 1);
        EXPECT_EQ(done.total().tasks, nodes);
        EXPECT_EQ(refused.values().front(), 0u);
      }
    }
  }
}

// ---- little memory

TEST(task_scheduler, loses_no_task_when_memory_runs_out) {
  for (const grid shape : {grid{1, 1}, grid{2, 2}}) {
    for (const std::size_t tasks : {std::size_t{1}, std::size_t{70}}) {
      SCOPED_TRACE(std::to_string(tasks) + " tasks");
      scheduler<number> all(on(shape, tasks));
      device_array<counter> sum(std::vector<counter>{0}), calls(std::vector<counter>{0});
      all.add({18});
      const report done = all.run(fibonacci_visitor{sum.data(), calls.data()});
      expect_all_done(done, 1);
      EXPECT_EQ(sum.values().front(), fibonacci(18));
      EXPECT_EQ(calls.values().front(), calls_of(18));
    }
  }
}

// Every task spawns the same number of tasks in a row.
struct burst {
  int depth;
};
struct burst_visitor {
  int width;
  counter* visits;
  counter* refused;
  template <typename Context>
  __device__ void operator()(const burst& task, Context& context) const {
    atomicAdd(visits, counter{1});
    if (task.depth == 0) return;
    for (int i = 0; i < width; ++i) {
      if (!context.spawn({task.depth - 1})) atomicAdd(refused, counter{1});
    }
  }
};

TEST(task_scheduler, reports_every_refused_spawn) {
  bool has_refused = false;
  for (const std::size_t tasks : {std::size_t{64}, std::size_t{100'000}}) {
    for (const grid shape : {grid{1, 1}, grid{2, 2}}) {
      constexpr int width = 300;
      scheduler<burst> all(on(shape, tasks));
      device_array<counter> visits(std::vector<counter>{0}), refused(std::vector<counter>{0});
      const std::vector<burst> first(3, burst{1});
      all.add(first);
      const report done = all.run(burst_visitor{width, visits.data(), refused.data()});
      expect_all_done(done, first.size());
      EXPECT_EQ(done.total().refused, refused.values().front());
      EXPECT_EQ(done.has_overflowed(), refused.values().front() != 0);
      EXPECT_EQ(visits.values().front(), done.total().tasks);
      EXPECT_EQ(visits.values().front() + refused.values().front(), 3 + 3 * width);
      if (tasks == 100'000) EXPECT_FALSE(done.has_overflowed());
      has_refused |= done.has_overflowed();
    }
  }
  EXPECT_TRUE(has_refused);
}

// ---- order

struct ranked {
  int number, priority, depth;
};
// Logs the order of the visits.
struct ranked_visitor {
  int spawns;  // per task with a depth, cycling through the priorities
  unsigned* next;
  int* log;
  template <typename Context>
  __device__ void operator()(const ranked& task, Context& context) const {
    log[atomicAdd(next, 1u)] = task.priority;
    if (task.depth == 0) return;
    for (int i = 0; i < spawns; ++i) {
      const int priority = (task.number + i) % 4;
      static_cast<void>(context.spawn({task.number + i, priority, task.depth - 1}, priority));
    }
  }
};

TEST(task_scheduler_order, is_strict_with_one_worker) {
  scheduler<ranked, 4> all(on({1, 1}));
  std::vector<int> expected;
  for (const int priority : {2, 0, 3, 1}) {
    const std::vector<ranked> tasks(static_cast<std::size_t>(50 + priority),
                                    ranked{0, priority, 0});
    all.add(tasks, priority);
    expected.insert(expected.end(), tasks.size(), priority);
  }
  std::sort(expected.begin(), expected.end());
  device_array<unsigned> next(std::vector<unsigned>{0});
  device_array<int> log(expected.size());
  expect_all_done(all.run(ranked_visitor{0, next.data(), log.data()}), expected.size());
  EXPECT_EQ(log.values(), expected);
}

// Tasks of the last priority spawn tasks of higher ones, more than a worker has at hand. All of
// these must run before the other tasks of the last priority.
constexpr int rungs = 5;
struct ladder_visitor {
  unsigned* next;
  int* log;
  template <typename Context>
  __device__ void operator()(const ranked& task, Context& context) const {
    log[atomicAdd(next, 1u)] = task.priority;
    if (task.priority == 0) return;
    for (int i = 0; i < rungs; ++i) {
      static_cast<void>(context.spawn({0, task.priority - 1, 0}, task.priority - 1));
    }
  }
};

TEST(task_scheduler_order, puts_spawned_tasks_of_higher_priority_first) {
  // Lanes that spawn at the same time and find no room need one batch each.
  scheduler<ranked, 3> all(on({1, 1}, 100'000));
  constexpr int roots = 70;
  all.add(std::vector<ranked>(roots, ranked{0, 2, 0}), 2);
  device_array<unsigned> next(std::vector<unsigned>{0});
  device_array<int> log(roots * (1 + rungs + rungs * rungs));
  const report done = all.run(ladder_visitor{next.data(), log.data()});
  expect_all_done(done, roots);
  ASSERT_FALSE(done.has_overflowed());
  EXPECT_GT(done.total().published, 0u);
  const std::vector<int> seen = log.values();
  // A group is at most a full warp. When one of the last priority begins, all others are done.
  std::vector<int> waiting{0, 0, roots};
  for (std::size_t i = 0; i < seen.size();) {
    const int priority = seen[i];
    ASSERT_TRUE(priority >= 0 && priority < 3) << "at visit " << i;
    std::size_t group = 0;
    while (i + group < seen.size() && seen[i + group] == priority && group < 32 &&
           static_cast<int>(group) < waiting[static_cast<std::size_t>(priority)]) {
      ++group;
    }
    for (int higher = 0; higher < priority; ++higher) {
      ASSERT_EQ(waiting[static_cast<std::size_t>(higher)], 0) << "at visit " << i;
    }
    ASSERT_GT(group, 0u) << "at visit " << i;
    waiting[static_cast<std::size_t>(priority)] -= static_cast<int>(group);
    if (priority > 0) {
      waiting[static_cast<std::size_t>(priority) - 1] += rungs * static_cast<int>(group);
    }
    i += group;
  }
  EXPECT_EQ(waiting, (std::vector<int>{0, 0, 0}));
}

TEST(task_scheduler_order, lets_each_other_worker_overtake_by_at_most_a_warp_of_tasks) {
  for (const grid shape : {grid{1, 3}, grid{4, 1}}) {
    const int workers = shape.blocks * shape.warps;
    scheduler<ranked, 4> all(on(shape));
    constexpr std::size_t of_each = 200;
    for (int priority = 3; priority >= 0; --priority) {
      all.add(std::vector<ranked>(of_each, ranked{0, priority, 0}), priority);
    }
    device_array<unsigned> next(std::vector<unsigned>{0});
    device_array<int> log(4 * of_each);
    expect_all_done(all.run(ranked_visitor{0, next.data(), log.data()}), 4 * of_each);
    const std::vector<int> seen = log.values();
    std::vector<int> waiting(4, of_each);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const int higher = std::accumulate(waiting.begin(), waiting.begin() + seen[i], 0);
      ASSERT_LE(higher, 32 * (workers - 1)) << "at visit " << i;
      --waiting[static_cast<std::size_t>(seen[i])];
    }
  }
}

TEST(task_scheduler_order, visits_tasks_spawned_in_every_priority) {
  for (const grid shape : grids) {
    scheduler<ranked, 4> all(on(shape));
    for (int i = 0; i < 4; ++i) all.add({i, 3 - i, 3}, 3 - i);
    constexpr unsigned visits = 4 * (1 + 5 + 25 + 125);
    device_array<unsigned> next(std::vector<unsigned>{0});
    device_array<int> log(visits);
    const report done = all.run(ranked_visitor{5, next.data(), log.data()});
    expect_all_done(done, 4);
    EXPECT_EQ(done.total().tasks, visits);
    const std::vector<int> seen = log.values();
    EXPECT_EQ(std::count(seen.begin(), seen.end(), -1515870811), 0);
  }
}

// ---- kinds

struct letter {
  int what, number, depth;
  __device__ int kind() const { return what; }
};
struct letter_visitor {
  unsigned* visits;  // per number
  unsigned* mixed;   // groups with mixed kinds, or with a missing member
  unsigned* widest;  // largest group
  int kinds;
  template <typename Context>
  __device__ void operator()(const letter& task, Context& context) const {
    atomicAdd(visits + task.number, 1u);
    const lane_mask members = context.members();
    const lane_mask alike = __match_any_sync(members, task.what);
    if (alike != members || !heddle::contains(members, heddle::lane_id())) atomicAdd(mixed, 1u);
    atomicMax(widest, static_cast<unsigned>(heddle::count(members)));
    if (task.depth == 0) return;
    // Numbered like a heap with three children.
    for (int i = 1; i <= 3; ++i) {
      const int number = 3 * task.number + i;
      static_cast<void>(context.spawn({number % kinds, number, task.depth - 1}));
    }
  }
};

TEST(task_scheduler_kinds, visits_tasks_of_one_kind_together) {
  for (const int kinds : {1, 2, 5, 40}) {
    for (const grid shape : grids) {
      constexpr unsigned tasks = 1 + 3 + 9 + 27 + 81 + 243;
      scheduler<letter> all(on(shape));
      const std::vector<unsigned> nothing(tasks, 0);
      device_array<unsigned> visits(nothing), mixed(std::vector<unsigned>{0}),
          widest(std::vector<unsigned>{0});
      all.add({0, 0, 5});
      expect_all_done(all.run(letter_visitor{visits.data(), mixed.data(), widest.data(), kinds}),
                      1);
      EXPECT_EQ(visits.values(), std::vector<unsigned>(tasks, 1)) << kinds << " kinds";
      EXPECT_EQ(mixed.values().front(), 0u);
      if (shape.blocks * shape.warps == 1 && kinds <= 2) EXPECT_EQ(widest.values().front(), 32u);
    }
  }
}

// ---- runs that end early

struct endless_visitor {
  bool cancels;
  int visits_before;
  unsigned* visits;
  template <typename Context>
  __device__ void operator()(const number& task, Context& context) const {
    const unsigned before = atomicAdd(visits, 1u);
    static_cast<void>(context.spawn({task.n + 1}));
    if (cancels && before == static_cast<unsigned>(visits_before)) context.cancel();
  }
};

void expect_stopped(const report& done, stop_reason why, std::uint64_t added) {
  EXPECT_EQ(done.stopped, why);
  const auto total = done.total();
  EXPECT_EQ(total.tasks + done.left, added + total.spawned);
  EXPECT_EQ(done.left, added) << "every task replaces itself by another one";
  EXPECT_FALSE(done.is_complete());
}

TEST(task_scheduler_stop, stops_when_a_task_cancels_it) {
  for (const grid shape : grids) {
    scheduler<number> all(on(shape));
    device_array<unsigned> visits(std::vector<unsigned>{0});
    all.add(std::vector<number>(40));
    expect_stopped(all.run(endless_visitor{true, 200, visits.data()}), stop_reason::cancelled, 40);
    EXPECT_GT(visits.values().front(), 200u);
    // The remaining tasks are dropped.
    expect_all_done(all.run(endless_visitor{false, 0, visits.data()}), 0);
  }
}

TEST(task_scheduler_stop, stops_when_the_host_cancels_it) {
  scheduler<number> all(on({2, 1}));
  device_array<unsigned> visits(std::vector<unsigned>{0});
  all.add(std::vector<number>(3));
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    while (!is_over) {
      all.cancel();
      std::this_thread::yield();
    }
  });
  const report done = all.run(endless_visitor{false, 0, visits.data()});
  is_over = true;
  other.join();
  expect_stopped(done, stop_reason::cancelled, 3);
}

TEST(task_scheduler_stop, stops_at_its_time_limit) {
  options wanted = on({2, 2});
  wanted.time_out = std::chrono::milliseconds(2);
  scheduler<number> all(wanted);
  device_array<unsigned> visits(std::vector<unsigned>{0});
  all.add(std::vector<number>(70));
  const report done = all.run(endless_visitor{false, 0, visits.data()});
  expect_stopped(done, stop_reason::timed_out, 70);
  std::uint64_t longest = 0;
  for (const auto& one : done.workers) longest = std::max(longest, one.nanoseconds);
  EXPECT_GE(longest, 2'000'000u);
}

// ---- edges

TEST(task_scheduler, does_nothing_without_tasks) {
  for (const grid shape : grids) {
    scheduler<number> all(on(shape));
    const report done = all.run(fibonacci_visitor{nullptr, nullptr});
    expect_all_done(done, 0);
    EXPECT_EQ(done.total().tasks, 0u);
    EXPECT_EQ(done.workers.size(), static_cast<std::size_t>(shape.blocks * shape.warps));
  }
}

TEST(task_scheduler, publishes_work_for_other_workers) {
  scheduler<number> all(on({4, 1}));
  device_array<counter> sum(std::vector<counter>{0}), calls(std::vector<counter>{0});
  all.add({17});
  const report done = all.run(fibonacci_visitor{sum.data(), calls.data()});
  expect_all_done(done, 1);
  EXPECT_GT(done.total().published, 0u);
  EXPECT_LE(done.total().steals, done.total().published);
}

// ---- tasks so large that few fit in a block

struct wide {
  int words[30];
};
struct wide_visitor {
  counter* sum;
  template <typename Context>
  __device__ void operator()(const wide& task, Context& context) const {
    counter mine = 0;
    for (const int word : task.words) mine += static_cast<counter>(word);
    atomicAdd(sum, mine);
    if (task.words[0] == 0) return;
    wide next = task;
    for (int& word : next.words) --word;
    for (int i = 0; i < 2; ++i) static_cast<void>(context.spawn(next));
  }
};

TEST(task_scheduler, uses_fewer_workers_for_large_tasks) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    scheduler<wide> all(on({3, 0}), stream);
    device_array<counter> sum(std::vector<counter>{0});
    wide first;
    for (int& word : first.words) word = 7;
    all.add(first);
    const report done = all.run(wide_visitor{sum.data()});
    expect_all_done(done, 1);
    EXPECT_EQ(done.workers.size(), 3u * 2);  // 192 tasks of 120 bytes are 23 KiB for each
    counter expected = 0;
    for (int word = 7; word >= 0; --word) expected += (counter{1} << (7 - word)) * 30 * word;
    EXPECT_EQ(sum.values().front(), expected);
  }
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(task_scheduler, refuses_invalid_arguments) {
  EXPECT_THROW(scheduler<number>(on({-1, 1})), heddle::error);
  EXPECT_THROW(scheduler<number>(on({1, 9})), heddle::error);
  EXPECT_THROW(scheduler<number>(on({1, 1}, ~std::size_t{0})), heddle::error);
  EXPECT_THROW(scheduler<number>(on({1 << 30, 1})), heddle::error);
  options in_the_past;
  in_the_past.time_out = std::chrono::nanoseconds(-1);
  EXPECT_THROW(scheduler<number>{in_the_past}, heddle::error);
  scheduler<number, 2> two(on({1, 1}, 32));
  EXPECT_THROW(two.add({1}, 2), heddle::error);
  EXPECT_THROW(two.add({1}, -1), heddle::error);
  two.add(std::vector<number>(33));
  try {
    two.run(fibonacci_visitor{nullptr, nullptr});
    FAIL() << "there is no room";
  } catch (const heddle::error& refused) {
    EXPECT_NE(std::string(refused.what()).find("need 2 batches of a warp full"), std::string::npos)
        << refused.what();
  }
}

TEST(task_scheduler, keeps_its_memory_when_moved) {
  scheduler<number> first(on({1, 1}));
  first.add({5});
  scheduler<number> second(std::move(first));
  device_array<counter> sum(std::vector<counter>{0}), calls(std::vector<counter>{0});
  expect_all_done(second.run(fibonacci_visitor{sum.data(), calls.data()}), 1);
  EXPECT_EQ(sum.values().front(), fibonacci(5));
}

}  // namespace
