// The queue in all its modes, alone and against the one with a lock.
#pragma once
#include <heddle/container/queue.cuh>
#include <heddle/sync/ticket_lock.cuh>

#include <cstdint>
#include <string>

#include "container/container_contest.cuh"
#include "container/locked_queue.cuh"

namespace heddle_bench {

using heddle::container::passing;
template <passing how>
using bench_queue = heddle::container::queue<std::uint32_t, how>;
using spinning_queue = locked_queue<std::uint32_t>;
using ticketed_queue = locked_queue<std::uint32_t, heddle::sync::ticket_lock<>>;

inline std::string mode_name(bool together, passing how) {
  return std::string(together ? "together" : "single lanes") +
         (how == passing::values_alone ? ", values alone" : ", with memory");
}

// Half of the warps push, half pop.
template <passing how, bool together>
finding measure_queue_halves(container_contest& contest, contention level) {
  const auto kernel = push_or_pop<together, heddle::container::queue_view<std::uint32_t, how>>;
  const launch_shape shape = contest.shape_of(level, kernel);
  const unsigned rounds = 64;
  const bench_queue<how> queue(2 * shape.lanes());
  return contest.run(shape, rounds, shape.lanes() / 2,
                     static_cast<double>(rounds) * static_cast<double>(shape.lanes()),
                     [&](popped_sum* sums) {
                       kernel<<<shape.blocks, shape.threads>>>(queue.view(), rounds, sums);
                     });
}

// All lanes push, then all pop; the two are timed separately.
struct one_way_findings {
  finding push, pop;
};
template <passing how, bool together>
one_way_findings measure_queue_one_way(container_contest& contest, unsigned rounds) {
  using view = heddle::container::queue_view<std::uint32_t, how>;
  const launch_shape shape = contest.shape_of(contention::full, only_push<together, view>);
  const std::size_t values = shape.lanes() * rounds;
  const bench_queue<how> queue(values);
  const device_array<popped_sum> sums(shape.lanes());
  std::vector<double> push_times, pop_times;
  one_way_findings found;
  for (int run = 0; run < 8; ++run) {
    contest.watch().start();
    only_push<together><<<shape.blocks, shape.threads>>>(queue.view(), rounds, sums.data());
    check(cudaGetLastError());
    push_times.push_back(contest.watch().nanoseconds());
    sums.poison();
    contest.watch().start();
    only_pop<together><<<shape.blocks, shape.threads>>>(queue.view(), rounds, sums.data());
    check(cudaGetLastError());
    pop_times.push_back(contest.watch().nanoseconds());
    found.pop.is_right =
        found.pop.is_right && container_contest::is_sum_right(sums.values(shape.lanes()), values);
  }
  push_times.erase(push_times.begin());
  pop_times.erase(pop_times.begin());
  found.push.speed = static_cast<double>(values) / median(push_times) * 1e3;
  found.pop.speed = static_cast<double>(values) / median(pop_times) * 1e3;
  found.push.is_right = found.pop.is_right;
  return found;
}

// The modes that have a target. The targets are for the mode that is meant for a full GPU.
template <passing how, bool together>
void queue_mode_cases(container_contest& contest) {
  container_report& rows = contest.rows();
  const std::string mode = mode_name(together, how);
  const auto row = [&](const std::string& what, double target, const auto& measure) {
    const std::string name = "queue " + what + ", " + mode;
    if (!rows.wants(name)) return;
    const finding ours = measure();
    rows.speed(name, "", ours.speed, 0, together ? target : 0, 0, wrong_side(ours));
  };
  using queue = bench_queue<how>;
  row("pairs, full GPU", 6300,
      [&] { return measure_pairs<queue, together>(contest, contention::full, false); });
  row("pairs, 256 per multiprocessor", 5000,
      [&] { return measure_pairs<queue, together>(contest, contention::few_warps, false); });
  row("half push, half pop", 5700,
      [&] { return measure_queue_halves<how, together>(contest, contention::full); });
  for (const unsigned rounds : {8u, 64u}) {
    const std::string name = "queue one way, " + std::to_string(rounds) + " each, " + mode;
    if (!rows.wants(name)) continue;
    const one_way_findings ours = measure_queue_one_way<how, together>(contest, rounds);
    const double target = together && rounds == 8 ? 10'000 : 0;
    rows.speed(name + ": push", "", ours.push.speed, 0, target, 0, wrong_side(ours.push));
    rows.speed(name + ": pop", "", ours.pop.speed, 0, target, 0, wrong_side(ours.pop));
  }
}

// What the memory alone can do.
inline void six_atomics_case(container_contest& contest) {
  const std::string name = "six atomics on random words as a pair, full GPU";
  if (!contest.rows().wants(name)) return;
  constexpr unsigned words = 1u << 20, rounds = 32;
  const device_array<unsigned> memory(words);
  const launch_shape shape = contest.shape_of(contention::full, six_atomics);
  const finding found = contest.run(
      shape, 0, 0, 2.0 * rounds * static_cast<double>(shape.lanes()), [&](popped_sum* sums) {
        six_atomics<<<shape.blocks, shape.threads>>>(memory.data(), words - 1, rounds, sums);
      });
  contest.rows().speed(name, "", found.speed, 0, 0, 0);
}

// Against locks, with different numbers of lanes.
template <typename Ours, typename Spinning, typename Ticketed, bool together>
void lock_cases(container_contest& contest, const std::string& what, bool has_goals) {
  for (const contention level :
       {contention::one_lane, contention::one_warp, contention::one_block, contention::full}) {
    const std::string name =
        what + " pairs, " + name_of(level) + (together ? ", together" : ", single lanes");
    if (!contest.rows().wants(name)) continue;
    // Single lanes change the top of a stack one at a time, as with a lock.
    const bool is_slow = !has_goals && !together;
    const finding ours = measure_pairs<Ours, together>(contest, level, is_slow);
    const finding spinning =
        measure_pairs<Spinning, together>(contest, contention_of_locks(level), true);
    const finding ticketed =
        measure_pairs<Ticketed, together>(contest, contention_of_locks(level), true);
    const double goal = !has_goals                       ? 0
                        : level == contention::full      ? 10
                        : level == contention::one_block ? 2
                                                         : 0;
    contest.rows().speed(name, "under spin_lock", ours.speed, spinning.speed, 0, goal,
                         wrong_side(ours, spinning));
    contest.rows().speed(name, "under ticket_lock", ours.speed, ticketed.speed, 0, goal,
                         wrong_side(ours, ticketed));
  }
}

inline void queue_cases(container_contest& contest) {
  queue_mode_cases<passing::values_alone, true>(contest);
  queue_mode_cases<passing::values_and_memory, true>(contest);
  queue_mode_cases<passing::values_alone, false>(contest);
  queue_mode_cases<passing::values_and_memory, false>(contest);
  six_atomics_case(contest);
  using ours = bench_queue<passing::values_and_memory>;
  lock_cases<ours, spinning_queue, ticketed_queue, false>(contest, "queue", true);
  lock_cases<ours, spinning_queue, ticketed_queue, true>(contest, "queue", true);
}

}  // namespace heddle_bench
