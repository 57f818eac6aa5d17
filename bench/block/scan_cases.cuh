// Block-wide scans of one and of four values per thread, against CUB.
#pragma once
#include <cub/block/block_scan.cuh>
#include <heddle/block/scan.cuh>

#include <string>

#include "support/contest.cuh"

namespace heddle_bench {

template <typename T, int threads = heddle::block::any_size>
struct heddle_inclusive_scan {
  __device__ T operator()(T value) const {
    __shared__ heddle::block::scratch<T, threads> scratch;
    return heddle::block::inclusive_scan(value, heddle::plus{}, scratch);
  }
};
template <typename T, int threads = heddle::block::any_size>
struct heddle_exclusive_scan {
  __device__ T operator()(T value) const {
    __shared__ heddle::block::scratch<T, threads> scratch;
    return heddle::block::exclusive_scan(value, heddle::plus{}, scratch);
  }
};

// The barrier lets the next call reuse the storage. Our collectives do that without being asked.
template <int threads, typename T, cub::BlockScanAlgorithm algorithm>
struct cub_inclusive_sum {
  __device__ T operator()(T value) const {
    using scan = cub::BlockScan<T, threads, algorithm>;
    __shared__ typename scan::TempStorage storage;
    T result;
    scan(storage).InclusiveSum(value, result);
    __syncthreads();
    return result;
  }
};
template <int threads, typename T, cub::BlockScanAlgorithm algorithm>
struct cub_exclusive_sum {
  __device__ T operator()(T value) const {
    using scan = cub::BlockScan<T, threads, algorithm>;
    __shared__ typename scan::TempStorage storage;
    T result;
    scan(storage).ExclusiveSum(value, result);
    __syncthreads();
    return result;
  }
};

// ---- four values of each thread

template <typename T>
struct four {
  T values[4];
};

template <typename T, int threads>
struct four_feed {
  using value_type = four<T>;
  using numbers = number_feed<T, 4 * threads>;
  numbers number;
  __device__ explicit four_feed(int thread) : number(thread) {}
  __device__ value_type first() const {
    const T own = number.first();
    return {own, own, own, own};
  }
  __device__ value_type next(const value_type& result) const {
    return {number.next(result.values[0]), number.next(result.values[1]),
            number.next(result.values[2]), number.next(result.values[3])};
  }
  static bool agree(const value_type& a, const value_type& b) {
    for (int i = 0; i < 4; ++i) {
      if (!numbers::agree(a.values[i], b.values[i])) return false;
    }
    return true;
  }
};

template <typename T, int threads = heddle::block::any_size>
struct heddle_scan_of_four {
  __device__ four<T> operator()(four<T> own) const {
    __shared__ heddle::block::scratch<T, threads> scratch;
    heddle::block::inclusive_scan(own.values, heddle::plus{}, scratch);
    return own;
  }
};
template <int threads, typename T, cub::BlockScanAlgorithm algorithm>
struct cub_sum_of_four {
  __device__ four<T> operator()(four<T> own) const {
    using scan = cub::BlockScan<T, threads, algorithm>;
    __shared__ typename scan::TempStorage storage;
    scan(storage).InclusiveSum(own.values, own.values);
    __syncthreads();
    return own;
  }
};

template <int threads, typename T>
void scan_blocks(contest& contest, const std::string& type) {
  const callers who{.threads = threads, .threads_per_call = threads};
  const std::string of = "(" + type + "), " + std::to_string(threads) + " threads";
  constexpr auto by_warps = cub::BLOCK_SCAN_WARP_SCANS;
  constexpr auto raking = cub::BLOCK_SCAN_RAKING;
  {
    using feed = number_feed<T, threads>;
    contest.run<feed>(
        {blocks<threads, feed, heddle_inclusive_scan<T, threads>>("block::inclusive_scan" + of),
         blocks<threads, feed, cub_inclusive_sum<threads, T, by_warps>>("cub::BlockScan, warps"),
         blocks<threads, feed, cub_inclusive_sum<threads, T, raking>>("cub::BlockScan, raking")},
        who);
    contest.run<feed>(
        {blocks<threads, feed, heddle_exclusive_scan<T, threads>>("block::exclusive_scan" + of),
         blocks<threads, feed, cub_exclusive_sum<threads, T, by_warps>>("cub::BlockScan, warps"),
         blocks<threads, feed, cub_exclusive_sum<threads, T, raking>>("cub::BlockScan, raking")},
        who);
  }
  using feed = four_feed<T, threads>;
  contest.run<feed>(
      {blocks<threads, feed, heddle_scan_of_four<T, threads>>("block::inclusive_scan(4 each)" + of),
       blocks<threads, feed, cub_sum_of_four<threads, T, by_warps>>("cub::BlockScan, warps"),
       blocks<threads, feed, cub_sum_of_four<threads, T, raking>>("cub::BlockScan, raking")},
      who);
}

template <int threads>
void scan_cases_of(contest& contest) {
  scan_blocks<threads, float>(contest, "float");
  scan_blocks<threads, int>(contest, "int");
  scan_blocks<threads, double>(contest, "double");
}

inline void scan_cases(contest& contest) {
  scan_cases_of<128>(contest);
  scan_cases_of<256>(contest);
  scan_cases_of<512>(contest);
  scan_cases_of<1024>(contest);
}

}  // namespace heddle_bench
