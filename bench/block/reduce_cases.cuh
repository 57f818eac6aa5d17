// Block-wide reductions against CUB and the two-level reduction of the textbooks.
#pragma once
#include <cub/block/block_reduce.cuh>
#include <cuda/functional>
#include <heddle/block/reduce.cuh>

#include <string>

#include "support/contest.cuh"

namespace heddle_bench {

template <typename T, typename Op, int threads = heddle::block::any_size>
struct heddle_reduce {
  __device__ T operator()(T value) const {
    __shared__ heddle::block::scratch<T, threads> scratch;
    return heddle::block::reduce(value, Op{}, scratch);
  }
};
template <typename T, typename Op, int threads>
struct heddle_reduce_to_first {
  __device__ T operator()(T value) const {
    __shared__ heddle::block::scratch<T, threads> scratch;
    return heddle::block::reduce_to_first(value, Op{}, scratch);
  }
};

// Warps reduce with shuffles; the first warp reduces their results and broadcasts the final one.
// threads = 0 takes any number of whole warps, as in the textbooks: lanes without a partial result
// use the identity, and all 32 lanes shuffle.
template <int threads, typename T, typename Op>
struct two_level_reduce {
  __device__ T operator()(T value) const {
    __shared__ T partials[32];
    __shared__ T result;
    value = of_warp(value, 32);
    if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
      if constexpr (threads > 0) {
        value = of_warp(partials[threadIdx.x % (threads / 32)], threads / 32);
      } else {
        value = of_warp(
            threadIdx.x < blockDim.x / 32 ? partials[threadIdx.x] : heddle::identity<Op, T>(), 32);
      }
      if (threadIdx.x == 0) result = value;
    }
    __syncthreads();
    return result;
  }
  static __device__ T of_warp(T value, int lanes) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      if (distance < lanes) value = Op{}(value, __shfl_down_sync(~0u, value, distance));
    }
    return value;
  }
};

// The barrier lets the next call reuse the storage. Our collectives do that without being asked.
template <int threads, typename T, typename Op, cub::BlockReduceAlgorithm algorithm>
struct cub_reduce {
  __device__ T operator()(T value) const {
    using reduction = cub::BlockReduce<T, threads, algorithm>;
    __shared__ typename reduction::TempStorage storage;
    const T result = of_block<reduction>(storage, value);
    __syncthreads();
    return result;
  }
  template <typename Reduction>
  static __device__ T of_block(typename Reduction::TempStorage& storage, T value) {
    if constexpr (std::is_same_v<Op, heddle::plus>) {
      return Reduction(storage).Sum(value);
    } else {
      return Reduction(storage).Reduce(value, cuda::maximum<>{});
    }
  }
};

// CUB returns the result in the first thread only; if all threads need it, it must be broadcast.
template <int threads, typename T, typename Op, cub::BlockReduceAlgorithm algorithm>
struct cub_reduce_for_all {
  __device__ T operator()(T value) const {
    using reduction = cub::BlockReduce<T, threads, algorithm>;
    __shared__ typename reduction::TempStorage storage;
    __shared__ T result;
    const T found =
        cub_reduce<threads, T, Op, algorithm>::template of_block<reduction>(storage, value);
    if (threadIdx.x == 0) result = found;
    __syncthreads();
    return result;
  }
};

template <int threads, typename T, typename Op>
void reduce_blocks(contest& contest, const std::string& type) {
  const callers who{.threads = threads, .threads_per_call = threads};
  const std::string of = "(" + type + "), " + std::to_string(threads) + " threads";
  constexpr auto by_warps = cub::BLOCK_REDUCE_WARP_REDUCTIONS;
  constexpr auto raking = cub::BLOCK_REDUCE_RAKING;
  {
    using feed = number_feed<T, threads>;
    contest.run<feed>(
        {blocks<threads, feed, heddle_reduce<T, Op, threads>>("block::reduce" + of),
         blocks<threads, feed, two_level_reduce<threads, T, Op>>("two-level reduction"),
         blocks<threads, feed, cub_reduce_for_all<threads, T, Op, by_warps>>(
             "cub::BlockReduce, warps + broadcast"),
         blocks<threads, feed, cub_reduce_for_all<threads, T, Op, raking>>(
             "cub::BlockReduce, raking + broadcast")},
        who);
  }
  {
    using feed = number_feed<T, threads>;
    contest.run<feed>(
        {blocks<threads, feed, heddle_reduce<T, Op>>("block::reduce, any size" + of),
         blocks<threads, feed, two_level_reduce<0, T, Op>>("two-level reduction, whole warps")},
        who);
  }
  {
    using feed = number_feed<T, threads, threads>;
    contest.run<feed>(
        {blocks<threads, feed, heddle_reduce_to_first<T, Op, threads>>("block::reduce_to_first" +
                                                                       of),
         blocks<threads, feed, cub_reduce<threads, T, Op, by_warps>>("cub::BlockReduce, warps"),
         blocks<threads, feed, cub_reduce<threads, T, Op, raking>>("cub::BlockReduce, raking")},
        who);
  }
}

template <int threads>
void reduce_cases_of(contest& contest) {
  reduce_blocks<threads, float, heddle::plus>(contest, "float, plus");
  reduce_blocks<threads, int, heddle::plus>(contest, "int, plus");
  reduce_blocks<threads, double, heddle::plus>(contest, "double, plus");
  reduce_blocks<threads, float, heddle::maximum>(contest, "float, maximum");
}

inline void reduce_cases(contest& contest) {
  reduce_cases_of<128>(contest);
  reduce_cases_of<256>(contest);
  reduce_cases_of<512>(contest);
  reduce_cases_of<1024>(contest);
}

}  // namespace heddle_bench
