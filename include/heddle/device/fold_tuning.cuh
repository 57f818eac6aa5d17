// How reductions, sums and searches for extremes are spread over the device.
#pragma once
#include <heddle/core/vector_access.cuh>

#include <cstdint>

namespace heddle::device {

// How a fold is spread over the device, tuned for an H200. To change it, derive from it and hide
// what you change.
struct fold_tuning {
  static constexpr int threads = 512;       // per block, if there are several
  static constexpr int blocks = 2;          // per multiprocessor, at least; limits the registers
  static constexpr int in_flight = 4;       // 16-byte loads in flight per thread
  static constexpr int many_in_flight = 8;  // the same for `many_loads` or more
  static constexpr std::int64_t many_loads = std::int64_t{1} << 23;
  static constexpr int waves = 1;  // grid size in multiples of what is resident at once
  static constexpr int share = 4;  // loads per thread, at least, if there are many blocks

  // Up to this many loads are done by one block, or by one cluster; 0: never by a cluster.
  static constexpr int alone_threads = 1024;
  static constexpr int alone_loads = 1024;
  static constexpr int cluster_loads = 8 * 512 * 8;
  static constexpr int cluster_share = 2;  // loads per thread before the cluster grows

  // Small inputs use smaller blocks: up to this many loads for a cluster, and for other grids.
  static constexpr int small_threads = 256;
  static constexpr int small_cluster_loads = 8 * 256 * 4;
  static constexpr int small_loads = 1 << 18;

  static constexpr bool posts = true;  // blocks hand over through a board, otherwise with a counter
  static constexpr caching hint = caching::once;   // of the loads
  static constexpr bool starts_early = true;       // while the previous kernel finishes
  static constexpr bool starts_beside = true;      // lets the next kernels become resident early
  static constexpr int bytes_fetched_ahead = 128;  // by a thread, during that kernel; 0: none
};

}  // namespace heddle::device
