// Maxima with their indices, and sorting, against shuffle loops, CUB and cooperative groups.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cub/thread/thread_operators.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/arg.cuh>
#include <heddle/warp/sort.cuh>

#include <string>

#include "support/contest.cuh"

namespace heddle_bench {

// ---- maxima with their indices

// Mixes value and index into one number, so that the compiler can drop neither.
template <typename T>
__device__ T fold(T value, int place) {
  return (place & 1) != 0 ? value : -value;
}

template <int width, typename T>
struct heddle_arg_max {
  __device__ T operator()(T value) const {
    const auto found = heddle::warp::arg_max<width>(value, heddle::lane_id());
    return fold(found.value, found.index);
  }
};

template <int width, typename T>
struct arg_max_loop {
  __device__ T operator()(T value) const {
    int place = heddle::lane_id();
#pragma unroll
    for (int distance = width / 2; distance > 0; distance /= 2) {
      const T other = __shfl_xor_sync(~0u, value, distance);
      const int other_place = __shfl_xor_sync(~0u, place, distance);
      if (other > value || (other == value && other_place < place)) {
        value = other;
        place = other_place;
      }
    }
    return fold(value, place);
  }
};

template <int width, typename T>
struct cub_arg_max {
  __device__ T operator()(T value) const {
    using pair = cub::KeyValuePair<int, T>;
    using reduction = cub::WarpReduce<pair, width>;
    __shared__ typename reduction::TempStorage storage[warp_bench_threads / width];
    const pair found = reduction(storage[threadIdx.x / width])
                           .Reduce(pair(heddle::lane_id(), value), cub::ArgMax());
    const T largest = heddle::shuffle(heddle::all_lanes, found.value, 0, width);
    return fold(largest, __shfl_sync(~0u, found.key, 0, width));
  }
};

template <typename T>
struct placed {
  T value;
  int place;
};
struct larger {
  template <typename T>
  __device__ placed<T> operator()(const placed<T>& a, const placed<T>& b) const {
    const bool is_b = b.value > a.value || (b.value == a.value && b.place < a.place);
    return is_b ? b : a;
  }
};
template <int width, typename T>
struct groups_arg_max {
  __device__ T operator()(T value) const {
    namespace cg = cooperative_groups;
    const auto tile = cg::tiled_partition<width>(cg::this_thread_block());
    const auto found = cg::reduce(tile, placed<T>{value, heddle::lane_id()}, larger{});
    return fold(found.value, found.place);
  }
};

template <int width, typename T>
void arg_max_of(contest& contest, const std::string& type) {
  using feed = number_feed<T, width>;
  contest.run<feed>({warps<feed, heddle_arg_max<width, T>>(
                         "warp::arg_max<" + std::to_string(width) + ">(" + type + ")"),
                     warps<feed, arg_max_loop<width, T>>("xor loop of value and index"),
                     warps<feed, cub_arg_max<width, T>>("cub::WarpReduce, ArgMax + broadcast"),
                     warps<feed, groups_arg_max<width, T>>("cooperative_groups::reduce of pairs")});
}

// ---- sorting

template <typename T>
struct heddle_sort {
  __device__ T operator()(T key) const { return heddle::warp::sort(key); }
};

template <typename T>
struct bitonic_loop {
  __device__ T operator()(T key) const {
    const int lane = heddle::lane_id();
#pragma unroll
    for (int size = 2; size <= 32; size *= 2) {
#pragma unroll
      for (int distance = size / 2; distance > 0; distance /= 2) {
        const T other = __shfl_xor_sync(~0u, key, distance);
        const bool takes_smaller = ((lane & size) == 0) == ((lane & distance) == 0);
        key = takes_smaller ? min(key, other) : max(key, other);
      }
    }
    return key;
  }
};

struct less {
  template <typename T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

template <typename T>
struct cub_sort {
  __device__ T operator()(T key) const {
    using sorting = cub::WarpMergeSort<T, 1>;
    __shared__ typename sorting::TempStorage storage[warp_bench_threads / 32];
    T keys[1] = {key};
    sorting(storage[threadIdx.x / 32]).Sort(keys, less{});
    __syncwarp();
    return keys[0];
  }
};

// Pairs with distinct keys, so that there is only one right order.
__device__ inline int distinct_key(int value) { return value * 32 + heddle::lane_id(); }

struct heddle_sort_pairs {
  __device__ int operator()(int value) const {
    int key = distinct_key(value);
    int load = heddle::lane_id();
    heddle::warp::sort_pairs(key, load);
    return key / 32 ^ load;
  }
};

struct bitonic_pair_loop {
  __device__ int operator()(int value) const {
    const int lane = heddle::lane_id();
    int key = distinct_key(value);
    int load = lane;
#pragma unroll
    for (int size = 2; size <= 32; size *= 2) {
#pragma unroll
      for (int distance = size / 2; distance > 0; distance /= 2) {
        const int other = __shfl_xor_sync(~0u, key, distance);
        const int other_load = __shfl_xor_sync(~0u, load, distance);
        const bool takes_smaller = ((lane & size) == 0) == ((lane & distance) == 0);
        if (takes_smaller == (other < key)) {
          key = other;
          load = other_load;
        }
      }
    }
    return key / 32 ^ load;
  }
};

struct cub_sort_pairs {
  __device__ int operator()(int value) const {
    using sorting = cub::WarpMergeSort<int, 1, 32, int>;
    __shared__ typename sorting::TempStorage storage[warp_bench_threads / 32];
    int keys[1] = {distinct_key(value)};
    int loads[1] = {heddle::lane_id()};
    sorting(storage[threadIdx.x / 32]).Sort(keys, loads, less{});
    __syncwarp();
    return keys[0] / 32 ^ loads[0];
  }
};

template <typename T>
void sort_of(contest& contest, const std::string& type) {
  using feed = number_feed<T>;
  contest.run<feed>({warps<feed, heddle_sort<T>>("warp::sort(" + type + ")"),
                     warps<feed, bitonic_loop<T>>("bitonic loop of shuffles"),
                     warps<feed, cub_sort<T>>("cub::WarpMergeSort")});
}

inline void order_cases(contest& contest) {
  arg_max_of<32, float>(contest, "float");
  arg_max_of<8, float>(contest, "float");
  arg_max_of<32, int>(contest, "int");
  arg_max_of<32, double>(contest, "double");
  sort_of<int>(contest, "int");
  sort_of<float>(contest, "float");
  sort_of<double>(contest, "double");
  using feed = number_feed<int>;
  contest.run<feed>({warps<feed, heddle_sort_pairs>("warp::sort_pairs(int, int)"),
                     warps<feed, bitonic_pair_loop>("bitonic loop of shuffles"),
                     warps<feed, cub_sort_pairs>("cub::WarpMergeSort of pairs")});
}

}  // namespace heddle_bench
