// The k largest keys of a warp, against repeated maxima, shuffle loops and CUB.
#pragma once
#include <cub/warp/warp_merge_sort.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/top_k.cuh>

#include <limits>
#include <string>
#include <type_traits>

#include "support/contest.cuh"
#include "warp/order_cases.cuh"

namespace heddle_bench {

// ---- keys: the k largest in lanes 0 … k - 1; the other lanes return 0

template <int k, typename T>
__device__ T of_first_lanes(T key) {
  return heddle::lane_id() < k ? key : T{};
}

template <int k, typename T>
struct heddle_top_k {
  __device__ T operator()(T key) const { return of_first_lanes<k>(heddle::warp::top_k<k>(key)); }
};
// Our network for every k, also where top_k() does not use it.
template <int k, typename T>
struct network_top_k {
  __device__ T operator()(T key) const {
    namespace detail = heddle::warp::detail;
    using heddle::descending;
    return of_first_lanes<k>(
        descending::number<T>(detail::first_items<detail::tile_for<k>, heddle::warp_size>(
            descending::code(key), heddle::all_lanes, detail::by_code{})));
  }
};
// Sorts all keys in ascending order, and reads them backwards.
template <int k, typename T>
struct sorted_top_k {
  __device__ T operator()(T key) const {
    const T sorted = bitonic_loop<T>{}(key);
    return of_first_lanes<k>(__shfl_sync(~0u, sorted, 31 - heddle::lane_id()));
  }
};
// A constant, since device code may not call the standard library's functions.
template <typename T>
inline constexpr T lowest_key = std::numeric_limits<T>::lowest();

// Takes the maximum k times; each time one of the lanes that hold it drops out.
template <int k, typename T>
struct repeated_top_k {
  __device__ T operator()(T key) const {
    const int lane = heddle::lane_id();
    T taken{};
#pragma unroll
    for (int place = 0; place < k; ++place) {
      T largest = key;
      if constexpr (std::is_same_v<T, int>) {
        largest = __reduce_max_sync(~0u, key);
      } else {
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2) {
          largest = max(largest, __shfl_xor_sync(~0u, largest, distance));
        }
      }
      if (lane == place) taken = largest;
      const unsigned holders = __ballot_sync(~0u, key == largest);
      if (lane == __ffs(static_cast<int>(holders)) - 1) key = lowest_key<T>;
    }
    return taken;
  }
};
struct greater {
  template <typename T>
  __device__ bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};
template <int k, typename T>
struct cub_top_k {
  __device__ T operator()(T key) const {
    using sorting = cub::WarpMergeSort<T, 1>;
    __shared__ typename sorting::TempStorage storage[warp_bench_threads / 32];
    T keys[1] = {key};
    sorting(storage[threadIdx.x / 32]).Sort(keys, greater{});
    __syncwarp();
    return of_first_lanes<k>(keys[0]);
  }
};

template <int k, typename T>
void top_k_of(contest& contest, const std::string& type) {
  using feed = number_feed<T>;
  contest.run<feed>(
      {warps<feed, heddle_top_k<k, T>>("warp::top_k<" + std::to_string(k) + ">(" + type + ")"),
       warps<feed, repeated_top_k<k, T>>("largest taken k times"),
       warps<feed, sorted_top_k<k, T>>("bitonic loop of shuffles"),
       warps<feed, cub_top_k<k, T>>("cub::WarpMergeSort"),
       warps<feed, network_top_k<k, T>>("our network", 0)});
}

// Pairs: the value is the lane of the key.
template <int k>
struct heddle_top_k_pairs {
  __device__ int operator()(int value) const {
    int key = distinct_key(value);
    int load = heddle::lane_id();
    heddle::warp::top_k_pairs<k>(key, load);
    return of_first_lanes<k>(key / 32 ^ load);
  }
};
template <int k>
struct repeated_top_k_pairs {
  __device__ int operator()(int value) const {
    const int lane = heddle::lane_id();
    int key = distinct_key(value);
    int taken = 0, source = 0;
#pragma unroll
    for (int place = 0; place < k; ++place) {
      const int largest = __reduce_max_sync(~0u, key);
      const int holder = __ffs(static_cast<int>(__ballot_sync(~0u, key == largest))) - 1;
      if (lane == place) {
        taken = largest;
        source = holder;
      }
      if (lane == holder) key = lowest_key<int>;
    }
    const int load = __shfl_sync(~0u, lane, source);
    return of_first_lanes<k>(taken / 32 ^ load);
  }
};
template <int k>
struct cub_top_k_pairs {
  __device__ int operator()(int value) const {
    using sorting = cub::WarpMergeSort<int, 1, 32, int>;
    __shared__ typename sorting::TempStorage storage[warp_bench_threads / 32];
    int keys[1] = {distinct_key(value)};
    int loads[1] = {heddle::lane_id()};
    sorting(storage[threadIdx.x / 32]).Sort(keys, loads, greater{});
    __syncwarp();
    return of_first_lanes<k>(keys[0] / 32 ^ loads[0]);
  }
};

template <int k>
void top_k_pairs_of(contest& contest) {
  using feed = number_feed<int>;
  contest.run<feed>(
      {warps<feed, heddle_top_k_pairs<k>>("warp::top_k_pairs<" + std::to_string(k) + ">(int, int)"),
       warps<feed, repeated_top_k_pairs<k>>("largest taken k times"),
       warps<feed, cub_top_k_pairs<k>>("cub::WarpMergeSort of pairs")});
}

inline void top_k_cases(contest& contest) {
  top_k_of<2, int>(contest, "int");
  top_k_of<4, int>(contest, "int");
  top_k_of<8, int>(contest, "int");
  top_k_of<2, float>(contest, "float");
  top_k_of<4, float>(contest, "float");
  top_k_of<8, float>(contest, "float");
  top_k_pairs_of<4>(contest);
  top_k_pairs_of<8>(contest);
}

}  // namespace heddle_bench
