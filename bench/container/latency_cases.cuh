// Latency of single calls of queues and stacks over all lanes: median, 99th percentile and maximum.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "container/container_contest.cuh"
#include "container/queue_cases.cuh"
#include "container/stack_cases.cuh"

namespace heddle_bench {

inline latency latency_of(std::vector<std::uint32_t> cycles) {
  std::sort(cycles.begin(), cycles.end());
  return {static_cast<double>(cycles[cycles.size() / 2]),
          static_cast<double>(cycles[(cycles.size() - 1) * 99 / 100]),
          static_cast<double>(cycles.back())};
}

struct latency_pair {
  latency push, pop;
};

template <typename Container, bool together>
latency_pair measure_latency(container_contest& contest, contention level, bool is_slow) {
  using view = decltype(std::declval<const Container&>().view());
  const auto kernel = push_and_pop_timed<together, view>;
  const launch_shape shape = contest.shape_of(level, kernel);
  const unsigned rounds =
      std::min(rounds_for(level, is_slow), level == contention::full ? 8u : 1000u);
  const Container container(2 * shape.lanes());
  const std::size_t calls = shape.lanes() * rounds;
  const device_array<popped_sum> sums(shape.lanes());
  const device_array<std::uint32_t> push_cycles(calls), pop_cycles(calls);
  // Only the second run counts; in the first one caches and code are cold.
  for (int run = 0; run < 2; ++run) {
    sums.poison();
    kernel<<<shape.blocks, shape.threads>>>(container.view(), rounds, sums.data(),
                                            push_cycles.data(), pop_cycles.data());
    check(cudaGetLastError());
    check(container_contest::is_sum_right(sums.values(shape.lanes()), calls),
          "a value was lost or duplicated");
  }
  return {latency_of(push_cycles.values(calls)), latency_of(pop_cycles.values(calls))};
}

template <typename Ours, typename Peer, bool together>
void latency_rows(container_contest& contest, const std::string& what, bool is_slow) {
  for (const contention level :
       {contention::one_lane, contention::one_warp, contention::one_block, contention::full}) {
    const std::string name =
        "latency, " + what + ", " + name_of(level) + (together ? ", together" : ", single lanes");
    if (!contest.rows().wants(name)) continue;
    const latency_pair ours = measure_latency<Ours, together>(contest, level, is_slow);
    const latency_pair peers =
        measure_latency<Peer, together>(contest, contention_of_locks(level), true);
    contest.rows().latencies(name + ": push", "under spin_lock", ours.push, peers.push);
    contest.rows().latencies(name + ": pop", "under spin_lock", ours.pop, peers.pop);
  }
}

inline void latency_cases(container_contest& contest) {
  using queue = bench_queue<passing::values_and_memory>;
  latency_rows<queue, spinning_queue, false>(contest, "queue", false);
  latency_rows<queue, spinning_queue, true>(contest, "queue", false);
  latency_rows<bench_stack, spinning_stack, false>(contest, "stack", true);
  latency_rows<bench_stack, spinning_stack, true>(contest, "stack", false);
}

}  // namespace heddle_bench
