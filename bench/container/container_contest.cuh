// Times queues and stacks with different numbers of lanes, and checks that no value gets lost.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "container/container_report.hpp"
#include "container/traffic.cuh"
#include "support/device.cuh"
#include "support/report.hpp"
#include "support/this_machine.cuh"

namespace heddle_bench {

// How many lanes take part.
enum class contention { one_lane, one_warp, one_block, few_warps, full };
inline const char* name_of(contention level) {
  const char* const names[] = {"1 lane", "1 warp", "1 block", "256 per multiprocessor", "full GPU"};
  return names[static_cast<int>(level)];
}

struct launch_shape {
  int blocks, threads;
  std::size_t lanes() const {
    return static_cast<std::size_t>(blocks) * static_cast<std::size_t>(threads);
  }
};

// What a run showed.
struct finding {
  double speed = 0;  // millions of operations per second
  bool is_right = true;
};

class container_contest {
 public:
  container_contest(container_report& rows, const char* explanation)
      : rows_(rows), device_(device_properties()) {
    rows_.head(this_machine(), explanation);
  }
  container_report& rows() { return rows_; }
  std::size_t multiprocessors() const {
    return static_cast<std::size_t>(device_.multiProcessorCount);
  }

  // A shape whose lanes all run at the same time.
  template <typename Kernel>
  launch_shape shape_of(contention level, Kernel kernel) const {
    int each = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads_of_block, 0));
    check(each > 0, "a kernel needs more resources than a multiprocessor has");
    switch (level) {
      case contention::one_lane:
        return {1, 1};
      case contention::one_warp:
        return {1, heddle::warp_size};
      case contention::one_block:
        return {1, threads_of_block};
      case contention::few_warps:
        return {device_.multiProcessorCount, threads_of_block};
      default:
        return {device_.multiProcessorCount * each, threads_of_block};
    }
  }

  // The median of several runs. `launch` starts the kernels; `poppers` of the lanes pop `rounds`
  // values each. The values are the numbers from 0 on.
  template <typename Launch>
  finding run(launch_shape shape, std::size_t rounds, std::size_t poppers, double operations,
              const Launch& launch) {
    const device_array<popped_sum> sums(shape.lanes());
    finding found;
    std::vector<double> took;
    double total = 0;
    // The first run warms up. Slow kernels get fewer runs.
    for (int i = 0; i < most_runs_ && total < time_limit_; ++i) {
      sums.poison();
      watch_.start();
      launch(sums.data());
      check(cudaGetLastError());
      const double nanoseconds = watch_.nanoseconds();
      total += nanoseconds;
      if (i > 0 || nanoseconds > time_limit_) took.push_back(nanoseconds);
      found.is_right = found.is_right && is_sum_right(sums.values(shape.lanes()), rounds * poppers);
    }
    found.speed = operations / median(took) * 1e3;
    return found;
  }

  static bool is_sum_right(const std::vector<popped_sum>& sums, std::size_t values) {
    popped_sum total = 0;
    for (const popped_sum one : sums) total += one;
    return total == (values % 2 == 0 ? values / 2 * (values - 1) : (values - 1) / 2 * values);
  }

  stopwatch& watch() { return watch_; }

 private:
  static constexpr int most_runs_ = 8;
  static constexpr double time_limit_ = 2e8;  // nanoseconds

  container_report& rows_;
  cudaDeviceProp device_;
  stopwatch watch_;
};

// Names the side whose sums were wrong.
inline std::string wrong_side(const finding& ours, const finding& peer = {}) {
  return !ours.is_right ? "ours" : peer.is_right ? "" : "the peer";
}

// Rounds per lane: enough for a measurable time, and few if thousands of lanes wait for each other.
inline unsigned rounds_for(contention level, bool is_slow) {
  switch (level) {
    case contention::one_lane:
      return is_slow ? 1000 : 4000;
    case contention::one_warp:
      return is_slow ? 100 : 1000;
    case contention::one_block:
      return is_slow ? 10 : 200;
    case contention::few_warps:
      return is_slow ? 1 : 100;
    default:
      return is_slow ? 1 : 32;
  }
}

// With a lock, all threads of a GPU would take half a minute for this measurement. Fewer threads
// are faster, so they represent the full GPU.
inline contention contention_of_locks(contention level) {
  return level == contention::full ? contention::few_warps : level;
}

// Every lane pushes and pops in turn. `Container` is constructed with room for all lanes.
template <typename Container, bool together>
finding measure_pairs(container_contest& contest, contention level, bool is_slow) {
  using view = decltype(std::declval<const Container&>().view());
  const auto kernel = push_and_pop<together, view>;
  const launch_shape shape = contest.shape_of(level, kernel);
  const unsigned rounds = rounds_for(level, is_slow);
  const Container container(2 * shape.lanes());
  return contest.run(shape, rounds, shape.lanes(),
                     2.0 * rounds * static_cast<double>(shape.lanes()), [&](popped_sum* sums) {
                       kernel<<<shape.blocks, shape.threads>>>(container.view(), rounds, sums);
                     });
}

}  // namespace heddle_bench
