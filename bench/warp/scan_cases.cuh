// Scans of a warp and of its tiles against shuffle loops, CUB and cooperative groups.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <cub/warp/warp_scan.cuh>
#include <heddle/warp/scan.cuh>

#include <string>

#include "support/contest.cuh"
#include "warp/values.cuh"

namespace heddle_bench {

template <int width, typename T, typename Op>
struct heddle_inclusive_scan {
  __device__ T operator()(const T& value) const {
    return heddle::warp::inclusive_scan<width>(value, Op{});
  }
};
template <int width, typename T, typename Op>
struct heddle_exclusive_scan {
  __device__ T operator()(const T& value) const {
    return heddle::warp::exclusive_scan<width>(value, Op{});
  }
};

template <int width, typename T, typename Op>
struct up_loop {
  __device__ T operator()(T value) const {
#pragma unroll
    for (int distance = 1; distance < width; distance *= 2) {
      const T earlier = __shfl_up_sync(~0u, value, distance, width);
      if (threadIdx.x % width >= distance) value = Op{}(earlier, value);
    }
    return value;
  }
};
template <int width, typename T, typename Op>
struct exclusive_up_loop {
  __device__ T operator()(T value) const {
    const T before = __shfl_up_sync(~0u, up_loop<width, T, Op>{}(value), 1, width);
    return threadIdx.x % width == 0 ? T{} : before;
  }
};

template <int width, typename T, typename Op>
struct cub_inclusive_scan {
  __device__ T operator()(const T& value) const {
    using scan = cub::WarpScan<T, width>;
    __shared__ typename scan::TempStorage storage[warp_bench_threads / width];
    T result;
    if constexpr (std::is_same_v<Op, heddle::plus>) {
      scan(storage[threadIdx.x / width]).InclusiveSum(value, result);
    } else {
      scan(storage[threadIdx.x / width]).InclusiveScan(value, result, Op{});
    }
    return result;
  }
};
template <int width, typename T>
struct cub_exclusive_sum {
  __device__ T operator()(const T& value) const {
    using scan = cub::WarpScan<T, width>;
    __shared__ typename scan::TempStorage storage[warp_bench_threads / width];
    T result;
    scan(storage[threadIdx.x / width]).ExclusiveSum(value, result);
    return result;
  }
};

template <int width, typename T>
struct groups_inclusive_sum {
  __device__ T operator()(const T& value) const {
    namespace cg = cooperative_groups;
    return cg::inclusive_scan(cg::tiled_partition<width>(cg::this_thread_block()), value,
                              cg::plus<T>());
  }
};
template <int width, typename T>
struct groups_exclusive_sum {
  __device__ T operator()(const T& value) const {
    namespace cg = cooperative_groups;
    return cg::exclusive_scan(cg::tiled_partition<width>(cg::this_thread_block()), value,
                              cg::plus<T>());
  }
};

template <int width, typename T>
void scan_numbers(contest& contest, const std::string& type) {
  using heddle::plus;
  using feed = number_feed<T, width>;
  const std::string ending = "scan<" + std::to_string(width) + ">(" + type + ", plus)";
  contest.run<feed>(
      {warps<feed, heddle_inclusive_scan<width, T, plus>>("warp::inclusive_" + ending),
       warps<feed, up_loop<width, T, plus>>("up loop"),
       warps<feed, cub_inclusive_scan<width, T, plus>>("cub::WarpScan::InclusiveSum"),
       warps<feed, groups_inclusive_sum<width, T>>("cooperative_groups::inclusive_scan")});
  contest.run<feed>(
      {warps<feed, heddle_exclusive_scan<width, T, plus>>("warp::exclusive_" + ending),
       warps<feed, exclusive_up_loop<width, T, plus>>("up loop"),
       warps<feed, cub_exclusive_sum<width, T>>("cub::WarpScan::ExclusiveSum"),
       warps<feed, groups_exclusive_sum<width, T>>("cooperative_groups::exclusive_scan")});
}

inline void scan_cases(contest& contest) {
  scan_numbers<32, float>(contest, "float");
  scan_numbers<16, float>(contest, "float");
  scan_numbers<8, float>(contest, "float");
  scan_numbers<32, int>(contest, "int");
  scan_numbers<8, int>(contest, "int");
  scan_numbers<32, double>(contest, "double");
  using feed = affine_feed<>;
  contest.run<feed>(
      {warps<feed, heddle_inclusive_scan<32, affine, then>>("warp::inclusive_scan<32>(affine)"),
       warps<feed, cub_inclusive_scan<32, affine, then>>("cub::WarpScan::InclusiveScan")});
}

}  // namespace heddle_bench
