// Block-wide extremes, segments, exchanges, compaction, exact sums, rows and labels.
#pragma once
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <heddle/block/arg.cuh>
#include <heddle/block/compact.cuh>
#include <heddle/block/compensated_sum.cuh>
#include <heddle/block/exchange.cuh>
#include <heddle/block/reduce.cuh>
#include <heddle/block/segmented.cuh>
#include <heddle/group/labelled.cuh>

#include <string>

#include "block/scan_cases.cuh"
#include "support/contest.cuh"

namespace heddle_bench {

// ---- extremes

template <int threads>
struct heddle_arg_max {
  __device__ float operator()(float value) const {
    __shared__ heddle::block::scratch<heddle::block::indexed<float>, threads> scratch;
    const auto best = heddle::block::arg_max(value, heddle::thread_rank(), scratch);
    return best.value + static_cast<float>(best.index);
  }
};
template <int threads>
struct cub_arg_max {
  using pair = cub::KeyValuePair<int, float>;
  struct better {
    __device__ pair operator()(const pair& a, const pair& b) const {
      return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
    }
  };
  __device__ float operator()(float value) const {
    using reduction = cub::BlockReduce<pair, threads>;
    __shared__ typename reduction::TempStorage storage;
    __shared__ pair result;
    const pair best = reduction(storage).Reduce(pair{heddle::thread_rank(), value}, better{});
    if (threadIdx.x == 0) result = best;
    __syncthreads();
    return result.value + static_cast<float>(result.key);
  }
};

// ---- segments; about every sixth thread begins one

__device__ inline bool begins_segment() { return thread_bits(heddle::thread_rank()) % 6 == 0; }

template <int threads>
struct heddle_segmented_scan {
  bool begins = begins_segment();
  __device__ heddle_segmented_scan() {}
  __device__ float operator()(float value) const {
    __shared__ heddle::block::segmented_scratch<float, threads> scratch;
    return heddle::block::segmented_inclusive_scan(value, begins, heddle::plus{}, scratch);
  }
};
template <int threads, cub::BlockScanAlgorithm algorithm>
struct cub_segmented_scan {
  struct pair {
    float value;
    bool begins;
  };
  struct join {
    __device__ pair operator()(const pair& a, const pair& b) const {
      return {b.begins ? b.value : a.value + b.value, a.begins || b.begins};
    }
  };
  bool begins = begins_segment();
  __device__ cub_segmented_scan() {}
  __device__ float operator()(float value) const {
    using scan = cub::BlockScan<pair, threads, algorithm>;
    __shared__ typename scan::TempStorage storage;
    pair result;
    scan(storage).InclusiveScan(pair{value, begins}, result, join{});
    __syncthreads();
    return result.value;
  }
};

// ---- exchange

template <int threads>
struct heddle_exchange {
  __device__ four<float> operator()(four<float> own) const {
    __shared__ heddle::block::exchange_scratch<float, threads, 4> scratch;
    heddle::block::blocked_to_striped(own.values, scratch);
    return own;
  }
};
template <int threads>
struct cub_exchange {
  __device__ four<float> operator()(four<float> own) const {
    using exchange = cub::BlockExchange<float, threads, 4>;
    __shared__ typename exchange::TempStorage storage;
    exchange(storage).BlockedToStriped(own.values);
    __syncthreads();
    return own;
  }
};

// ---- ranks of the kept values, about half of them

template <int threads>
struct heddle_rank_kept {
  __device__ int operator()(int value) const {
    __shared__ heddle::block::scratch<int, threads> scratch;
    const auto place = heddle::block::rank_kept((value & 1) != 0, scratch);
    return place.rank + place.total;
  }
};
template <int threads, cub::BlockScanAlgorithm algorithm>
struct cub_rank_kept {
  __device__ int operator()(int value) const {
    using scan = cub::BlockScan<int, threads, algorithm>;
    __shared__ typename scan::TempStorage storage;
    int rank, total;
    scan(storage).ExclusiveSum(value & 1, rank, total);
    __syncthreads();
    return rank + total;
  }
};

// ---- exact sums

template <int threads>
struct heddle_compensated_sum {
  __device__ double operator()(double value) const {
    __shared__ heddle::block::scratch<heddle::compensated<double>, threads> scratch;
    return heddle::block::compensated_sum(value, scratch);
  }
};
template <int threads>
struct cub_compensated_sum {
  using sum = heddle::compensated<double>;
  struct join {
    __device__ sum operator()(const sum& a, const sum& b) const { return a + b; }
  };
  __device__ double operator()(double value) const {
    using reduction = cub::BlockReduce<sum, threads>;
    __shared__ typename reduction::TempStorage storage;
    __shared__ double result;
    const sum found = reduction(storage).Reduce(sum{value, 0}, join{});
    if (threadIdx.x == 0) result = found.value();
    __syncthreads();
    return result;
  }
};

// ---- four rows at once against four reductions

template <int threads>
struct heddle_reduce_rows {
  __device__ four<float> operator()(four<float> own) const {
    __shared__ heddle::block::scratch<float, threads, 4> scratch;
    heddle::block::reduce_rows(own.values, heddle::plus{}, scratch);
    return own;
  }
};
template <int threads, cub::BlockReduceAlgorithm algorithm>
struct cub_reduce_four {
  __device__ four<float> operator()(four<float> own) const {
    using reduction = cub::BlockReduce<float, threads, algorithm>;
    __shared__ typename reduction::TempStorage storage[4];
    __shared__ four<float> result;
    for (int row = 0; row < 4; ++row)
      own.values[row] = reduction(storage[row]).Sum(own.values[row]);
    if (threadIdx.x == 0) result = own;
    __syncthreads();
    return result;
  }
};

// ---- four groups by label, each with its sum, against atomic additions

__device__ inline int own_label() {
  return static_cast<int>(thread_bits(heddle::thread_rank()) % 4);
}

template <int threads>
struct heddle_labelled_sum {
  int label = own_label();
  __device__ heddle_labelled_sum() {}
  __device__ float operator()(float value) const {
    __shared__ heddle::group::labelled_scratch<float, 4, threads> scratch;
    return heddle::group::labelled_reduce(label, value, heddle::plus{}, scratch);
  }
};
template <int threads>
struct atomic_labelled_sum {
  int label = own_label();
  __device__ atomic_labelled_sum() {}
  __device__ float operator()(float value) const {
    __shared__ float sums[4];
    if (threadIdx.x < 4) sums[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&sums[label], value);
    __syncthreads();
    const float sum = sums[label];
    __syncthreads();
    return sum;
  }
};

template <int threads>
void other_cases_of(contest& contest) {
  const callers who{.threads = threads, .threads_per_call = threads};
  const std::string of = ", " + std::to_string(threads) + " threads";
  constexpr auto by_warps = cub::BLOCK_SCAN_WARP_SCANS;
  constexpr auto raking = cub::BLOCK_SCAN_RAKING;
  using number = number_feed<float, threads>;
  using integer = number_feed<int, threads>;
  using items = four_feed<float, threads>;
  contest.run<number>(
      {blocks<threads, number, heddle_arg_max<threads>>("block::arg_max(float)" + of),
       blocks<threads, number, cub_arg_max<threads>>("cub::BlockReduce of pairs + broadcast")},
      who);
  contest.run<number>({blocks<threads, number, heddle_segmented_scan<threads>>(
                           "block::segmented_inclusive_scan(float)" + of),
                       blocks<threads, number, cub_segmented_scan<threads, by_warps>>(
                           "cub::BlockScan of pairs, warps"),
                       blocks<threads, number, cub_segmented_scan<threads, raking>>(
                           "cub::BlockScan of pairs, raking")},
                      who);
  contest.run<items>({blocks<threads, items, heddle_exchange<threads>>(
                          "block::blocked_to_striped(4 float each)" + of),
                      blocks<threads, items, cub_exchange<threads>>("cub::BlockExchange")},
                     who);
  contest.run<integer>(
      {blocks<threads, integer, heddle_rank_kept<threads>>("block::rank_kept" + of),
       blocks<threads, integer, cub_rank_kept<threads, by_warps>>("cub::BlockScan, warps"),
       blocks<threads, integer, cub_rank_kept<threads, raking>>("cub::BlockScan, raking")},
      who);
  {
    using feed = number_feed<double, threads>;
    contest.run<feed>({blocks<threads, feed, heddle_compensated_sum<threads>>(
                           "block::compensated_sum(double)" + of),
                       blocks<threads, feed, cub_compensated_sum<threads>>(
                           "cub::BlockReduce of the same + broadcast")},
                      who);
  }
  contest.run<items>(
      {blocks<threads, items, heddle_reduce_rows<threads>>("block::reduce_rows(4 float)" + of),
       blocks<threads, items, cub_reduce_four<threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>>(
           "four cub::BlockReduce, warps + broadcast"),
       blocks<threads, items, cub_reduce_four<threads, cub::BLOCK_REDUCE_RAKING>>(
           "four cub::BlockReduce, raking + broadcast")},
      who);
  contest.run<number>(
      {blocks<threads, number, heddle_labelled_sum<threads>>(
           "group::labelled_reduce(4 labels, float)" + of),
       blocks<threads, number, atomic_labelled_sum<threads>>("atomicAdd to a sum for each label")},
      who);
}

inline void other_cases(contest& contest) {
  other_cases_of<128>(contest);
  other_cases_of<256>(contest);
  other_cases_of<512>(contest);
  other_cases_of<1024>(contest);
}

}  // namespace heddle_bench
