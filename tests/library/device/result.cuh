// What tests of device-wide algorithms use: results that start poisoned, and counts at all edges.
#pragma once
#include <heddle/device/fold_tuning.cuh>

#include <cstdint>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace heddle_test {

// The result that `call(pointer)` leaves on the device.
template <typename T, typename Call>
T result_of(Call&& call) {
  const device_array<T> result(1);
  call(result.data());
  check(cudaDeviceSynchronize(), "the kernel");
  return result.values()[0];
}

// A grid so small that small counts reach its rounds and remainders.
struct small_grid : heddle::device::fold_tuning {
  static constexpr int threads = 64;
  static constexpr int in_flight = 2;
  static constexpr int share = 1;
  static constexpr int alone_threads = threads;
  static constexpr int alone_loads = threads;
  static constexpr int cluster_loads = 0;
  static constexpr int small_threads = 32;
  static constexpr int small_cluster_loads = 8 * 32;
  static constexpr int small_loads = 8 * 32 * 2;
};
struct small_grid_with_counter : small_grid {
  static constexpr bool posts = false;
};
struct small_grid_alone : small_grid {
  static constexpr int alone_loads = 1 << 30;
};
struct small_cluster : small_grid {
  static constexpr int cluster_loads = 1 << 30;
};

// Counts around vectors, warps, blocks, clusters and rounds, and some others.
inline std::vector<std::int64_t> counts_of_interest(std::uint64_t seed, std::int64_t most) {
  std::vector<std::int64_t> counts{0};
  for (std::int64_t edge = 1; edge < most; edge *= 2) {
    for (const std::int64_t count : {edge - 1, edge, edge + 1}) counts.push_back(count);
  }
  for (std::uint64_t i = 0; i < 12; ++i) {
    counts.push_back(
        static_cast<std::int64_t>(sample_bits(seed, i) % static_cast<std::uint64_t>(most)));
  }
  return counts;
}

}  // namespace heddle_test
