// Aggregated against plain atomics, and lock-free containers and counters against locked ones.
#pragma once
#include "experiments/laboratory.cuh"
// After the header that turns preconditions off.
#include <heddle/container/queue.cuh>
#include <heddle/container/stack.cuh>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "container/locked_queue.cuh"
#include "container/locked_stack.cuh"
#include "container/traffic.cuh"
#include "experiments/locked_counts.cuh"
#include "experiments/tickets.cuh"

namespace heddle_bench {

inline const char* const aggregated = "aggregated against plain atomics";
inline const char* const lock_free = "lock-free against locked";

// ---- tickets

inline ticket sum_below(ticket count) {
  return count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
}

// No ticket is drawn twice or lost: each counter's tickets are the numbers from 0 on.
inline bool are_tickets_right(const std::vector<ticket>& counters, const std::vector<ticket>& sums,
                              ticket drawn) {
  ticket total = 0, wanted_sum = 0, sum = 0;
  for (const ticket one : counters) {
    total += one;
    wanted_sum += sum_below(one);
  }
  for (const ticket one : sums) sum += one;
  return total == drawn && sum == wanted_sum;
}

template <typename Draw>
void draw_from(laboratory& laboratory, unsigned counter_count, const std::string& variant) {
  const int blocks = laboratory.multiprocessors() * 8, rounds = 32;
  const std::size_t threads = std::size_t{1} * blocks * warp_bench_threads;
  const device_array<ticket> counters(counter_count), sums(threads);
  const double took = laboratory.nanoseconds(
      [&] {
        check(cudaMemset(counters.data(), 0, counter_count * sizeof(ticket)));
        sums.poison();
      },
      [&] {
        draw_tickets<Draw>
            <<<blocks, warp_bench_threads>>>(counters.data(), counter_count, rounds, sums.data());
      });
  const std::size_t drawn = threads * static_cast<std::size_t>(rounds);
  check(are_tickets_right(counters.values(counter_count), sums.values(threads), drawn),
        "tickets were lost or drawn twice");
  laboratory.rows().row(
      aggregated,
      std::to_string(counter_count) + (counter_count == 1 ? " counter, " : " counters, ") + variant,
      "speed", "millions/s", 1e3 * static_cast<double>(drawn) / took);
}

// ---- a counter, and containers

struct contended_launch {
  int blocks, threads, rounds, slow_rounds;
  std::string name;
  std::size_t lanes() const { return std::size_t{1} * blocks * threads; }
};

template <typename Count>
void count_by(laboratory& laboratory, const contended_launch& launch, const std::string& variant,
              bool is_slow) {
  const int rounds = is_slow ? launch.slow_rounds : launch.rounds;
  const device_array<locked_counter> counter(1);
  const double took = laboratory.nanoseconds(
      [&] { check(cudaMemset(counter.data(), 0, sizeof(locked_counter))); },
      [&] { count_up<Count><<<launch.blocks, launch.threads>>>(counter.data(), rounds); });
  const double counted = static_cast<double>(launch.lanes()) * rounds;
  check(static_cast<double>(counter.values(1)[0].count) == counted, "a counter is wrong");
  laboratory.rows().row(lock_free, "counter, " + launch.name + ": " + variant, "speed",
                        "millions/s", 1e3 * counted / took);
}

// Every lane pushes and pops in turn, alone or together with its warp.
template <typename Container, bool together>
void push_and_pop_in(laboratory& laboratory, const contended_launch& launch,
                     const std::string& variant, bool is_slow) {
  const auto rounds = static_cast<unsigned>(is_slow ? launch.slow_rounds : launch.rounds);
  const Container container(2 * launch.lanes());
  const device_array<popped_sum> sums(launch.lanes());
  const double took =
      laboratory.nanoseconds([&] { sums.poison(); },
                             [&] {
                               push_and_pop<together><<<launch.blocks, launch.threads>>>(
                                   container.view(), rounds, sums.data());
                             });
  popped_sum sum = 0;
  for (const popped_sum one : sums.values(launch.lanes())) sum += one;
  check(sum == sum_below(launch.lanes() * rounds), "a value was lost or duplicated");
  laboratory.rows().row(lock_free, variant + ", " + launch.name, "speed", "millions/s",
                        2e3 * static_cast<double>(launch.lanes()) * rounds / took);
}

template <bool together>
void container_rows(laboratory& laboratory, const contended_launch& launch) {
  using heddle::container::queue;
  using heddle::container::stack;
  const std::string who = together ? ", warps together" : ", single lanes";
  push_and_pop_in<queue<std::uint32_t>, together>(laboratory, launch, "queue" + who, false);
  push_and_pop_in<locked_queue<std::uint32_t>, together>(laboratory, launch, "locked queue" + who,
                                                         true);
  // Single lanes that fail at the top of the stack retry; the more lanes, the more failures.
  push_and_pop_in<stack<std::uint32_t>, together>(laboratory, launch, "stack" + who, !together);
  push_and_pop_in<locked_stack<std::uint32_t>, together>(laboratory, launch, "locked stack" + who,
                                                         true);
}

inline void atomic_experiments(laboratory& laboratory) {
  if (laboratory.rows().wants(aggregated)) {
    draw_from<plain_ticket>(laboratory, 1, "an atomic for each lane");
    draw_from<joined_ticket>(laboratory, 1, "one for the warp");
    draw_from<matched_ticket>(laboratory, 1, "one for each counter, by a match");
    for (const unsigned counters : {32u, 4096u}) {
      draw_from<plain_ticket>(laboratory, counters, "an atomic for each lane");
      draw_from<matched_ticket>(laboratory, counters, "one for each counter, by a match");
    }
  }
  if (!laboratory.rows().wants(lock_free)) return;
  const contended_launch launches[] = {
      {1, 32, 1000, 100, "1 warp"},
      {1, 256, 200, 10, "1 block"},
      {laboratory.multiprocessors(), 256, 10, 1, "256 lanes a multiprocessor"}};
  for (const contended_launch& launch : launches) {
    count_by<count_by_addition>(laboratory, launch, "atomicAdd", false);
    count_by<count_by_exchange>(laboratory, launch, "compare and swap", true);
    count_by<count_under_lock>(laboratory, launch, "under a spin lock", true);
    container_rows<false>(laboratory, launch);
    container_rows<true>(laboratory, launch);
  }
}

}  // namespace heddle_bench
