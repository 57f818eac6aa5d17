// Reductions of a warp and of its tiles against shuffle loops, CUB and cooperative groups.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cub/warp/warp_reduce.cuh>
#include <cuda/functional>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/scan.cuh>

#include <string>

#include "support/contest.cuh"
#include "warp/values.cuh"

namespace heddle_bench {

template <int width, typename T, typename Op>
struct heddle_reduce {
  __device__ T operator()(const T& value) const { return heddle::warp::reduce<width>(value, Op{}); }
};
template <int width, typename T, typename Op>
struct heddle_reduce_to_first {
  __device__ T operator()(const T& value) const {
    return heddle::warp::reduce_to_first<width>(value, Op{});
  }
};

// What people write: one shuffle per member.
template <typename T>
__device__ T shuffled_xor(const T& value, int distance) {
  if constexpr (std::is_same_v<T, summary>) {
    return {
        __shfl_xor_sync(~0u, value.sum, distance), __shfl_xor_sync(~0u, value.smallest, distance),
        __shfl_xor_sync(~0u, value.largest, distance), __shfl_xor_sync(~0u, value.count, distance)};
  } else if constexpr (std::is_same_v<T, affine>) {
    return {__shfl_xor_sync(~0u, value.scale, distance),
            __shfl_xor_sync(~0u, value.shift, distance)};
  } else {
    return __shfl_xor_sync(~0u, value, distance);
  }
}

template <int width, typename T, typename Op>
struct xor_loop {
  __device__ T operator()(T value) const {
#pragma unroll
    for (int distance = width / 2; distance > 0; distance /= 2) {
      value = Op{}(value, shuffled_xor(value, distance));
    }
    return value;
  }
};

// The same in lane order: nearest lanes first, and the earlier value on the left.
template <int width, typename T, typename Op>
struct ordered_xor_loop {
  __device__ T operator()(T value) const {
#pragma unroll
    for (int distance = 1; distance < width; distance *= 2) {
      const T other = shuffled_xor(value, distance);
      value = threadIdx.x & distance ? Op{}(other, value) : Op{}(value, other);
    }
    return value;
  }
};

// Selects the operands in every lane, instead of the results.
template <int width, typename T, typename Op>
struct chosen_xor_loop {
  __device__ T operator()(T value) const {
#pragma unroll
    for (int distance = 1; distance < width; distance *= 2) {
      const T other = shuffled_xor(value, distance);
      const bool other_is_earlier = (heddle::lane_id() & distance) != 0;
      const T earlier = other_is_earlier ? other : value;
      const T later = other_is_earlier ? value : other;
      value = Op{}(earlier, later);
    }
    return value;
  }
};

// Computes both orders, each under a predicate.
template <int width, typename T, typename Op>
struct predicated_xor_loop {
  __device__ T operator()(T value) const {
#pragma unroll
    for (int distance = 1; distance < width; distance *= 2) {
      const T other = shuffled_xor(value, distance);
      const bool other_is_earlier = (heddle::lane_id() & distance) != 0;
      const T forwards =
          heddle::warp::detail::combine_where(!other_is_earlier, value, other, value, Op{});
      value = heddle::warp::detail::combine_where(other_is_earlier, other, value, forwards, Op{});
    }
    return value;
  }
};

template <int width, typename T, typename Op>
struct down_loop {
  __device__ T operator()(T value) const {
#pragma unroll
    for (int distance = width / 2; distance > 0; distance /= 2) {
      value = Op{}(value, __shfl_down_sync(~0u, value, distance, width));
    }
    return value;
  }
};

template <int width, typename T, typename Op>
struct cub_reduce {
  __device__ T operator()(const T& value) const {
    using reduction = cub::WarpReduce<T, width>;
    __shared__ typename reduction::TempStorage storage[warp_bench_threads / width];
    auto& own = storage[threadIdx.x / width];
    if constexpr (std::is_same_v<Op, heddle::plus>) {
      return reduction(own).Sum(value);  // CUB has inline PTX for it
    } else if constexpr (std::is_same_v<Op, heddle::maximum>) {
      return reduction(own).Reduce(value, cuda::maximum<>{});  // an operator that CUB recognises
    } else {
      return reduction(own).Reduce(value, Op{});
    }
  }
};

// CUB returns the result in the first lane only; if all lanes need it, it must be broadcast.
template <int width, typename T, typename Op>
struct cub_reduce_for_all {
  __device__ T operator()(const T& value) const {
    return heddle::shuffle(heddle::all_lanes, cub_reduce<width, T, Op>{}(value), 0, width);
  }
};

template <int width, typename T, typename Op>
struct groups_reduce {
  __device__ T operator()(const T& value) const {
    namespace cg = cooperative_groups;
    const auto tile = cg::tiled_partition<width>(cg::this_thread_block());
    if constexpr (std::is_same_v<Op, heddle::plus>) {
      return cg::reduce(tile, value, cg::plus<T>());
    } else if constexpr (std::is_same_v<Op, heddle::maximum>) {
      return cg::reduce(tile, value, cg::greater<T>());
    } else {
      return cg::reduce(tile, value, Op{});
    }
  }
};

// ---- several values at once

template <typename T, int size>
struct row_reduce {
  __device__ T operator()(T value) const {
    T values[size];
#pragma unroll
    for (int i = 0; i < size; ++i) values[i] = value + static_cast<T>(i);
    heddle::warp::reduce_rows(values);
    return mean(values);
  }
  static __device__ T mean(const T (&values)[size]) {
    T sum = values[0];
#pragma unroll
    for (int i = 1; i < size; ++i) sum += values[i];
    return sum / size;
  }
};
template <typename T, int size>
struct xor_loop_of_each {
  __device__ T operator()(T value) const {
    T values[size];
#pragma unroll
    for (int i = 0; i < size; ++i) {
      values[i] = xor_loop<32, T, heddle::plus>{}(value + static_cast<T>(i));
    }
    return row_reduce<T, size>::mean(values);
  }
};

// ---- cases

template <int width, typename T, typename Op>
void reduce_numbers(contest& contest, const std::string& type) {
  using feed = number_feed<T, width>;
  const std::string name = "warp::reduce<" + std::to_string(width) + ">(" + type + ")";
  contest.run<feed>({warps<feed, heddle_reduce<width, T, Op>>(name),
                     warps<feed, xor_loop<width, T, Op>>("xor loop"),
                     warps<feed, groups_reduce<width, T, Op>>("cooperative_groups::reduce"),
                     warps<feed, cub_reduce_for_all<width, T, Op>>("cub::WarpReduce + broadcast")});
}

// The result in one lane only. The row against reduce() shows what it costs to have the result in
// all lanes.
template <int width, typename T, typename Op>
void reduce_numbers_to_first(contest& contest, const std::string& type) {
  using feed = number_feed<T, width, width>;
  const std::string name = "warp::reduce_to_first<" + std::to_string(width) + ">(" + type + ")";
  contest.run<feed>({warps<feed, heddle_reduce_to_first<width, T, Op>>(name),
                     warps<feed, down_loop<width, T, Op>>("down loop"),
                     warps<feed, cub_reduce<width, T, Op>>("cub::WarpReduce"),
                     warps<feed, heddle_reduce<width, T, Op>>("warp::reduce, in all lanes", 0)});
}

inline void reduce_cases(contest& contest) {
  using heddle::maximum;
  using heddle::plus;
  reduce_numbers<32, float, plus>(contest, "float, plus");
  reduce_numbers<16, float, plus>(contest, "float, plus");
  reduce_numbers<8, float, plus>(contest, "float, plus");
  reduce_numbers<32, int, plus>(contest, "int, plus");
  reduce_numbers<16, int, plus>(contest, "int, plus");
  reduce_numbers<8, int, plus>(contest, "int, plus");
  reduce_numbers<32, double, plus>(contest, "double, plus");
  reduce_numbers<8, double, plus>(contest, "double, plus");
  reduce_numbers<32, long long, plus>(contest, "long long, plus");
  reduce_numbers<32, float, maximum>(contest, "float, maximum");
  reduce_numbers<32, int, maximum>(contest, "int, maximum");
  {
    using feed = summary_feed<>;
    contest.run<feed>(
        {warps<feed, heddle_reduce<32, summary, join>>("warp::reduce<32>(16-byte struct, join)"),
         warps<feed, xor_loop<32, summary, join>>("xor loop"),
         warps<feed, groups_reduce<32, summary, join>>("cooperative_groups::reduce"),
         warps<feed, cub_reduce_for_all<32, summary, join>>("cub::WarpReduce + broadcast")});
  }
  {
    using feed = affine_feed<>;
    contest.run<feed>(
        {warps<feed, heddle_reduce<32, affine, then>>("warp::reduce<32>(affine, does not commute)"),
         warps<feed, ordered_xor_loop<32, affine, then>>("xor loop in lane order"),
         warps<feed, chosen_xor_loop<32, affine, then>>("xor loop, operands chosen"),
         warps<feed, predicated_xor_loop<32, affine, then>>("xor loop, both under predicates"),
         warps<feed, cub_reduce_for_all<32, affine, then>>("cub::WarpReduce + broadcast")});
  }
  {
    using feed = number_feed<float>;
    contest.run<feed>({warps<feed, row_reduce<float, 8>>("warp::reduce_rows(8 float)"),
                       warps<feed, xor_loop_of_each<float, 8>>("xor loop for each")});
  }
  reduce_numbers_to_first<32, float, plus>(contest, "float, plus");
  reduce_numbers_to_first<8, float, plus>(contest, "float, plus");
  reduce_numbers_to_first<32, int, plus>(contest, "int, plus");
  reduce_numbers_to_first<32, double, plus>(contest, "double, plus");
  {
    using feed = affine_feed<32>;
    contest.run<feed>(
        {warps<feed, heddle_reduce_to_first<32, affine, then>>("warp::reduce_to_first<32>(affine)"),
         warps<feed, cub_reduce<32, affine, then>>("cub::WarpReduce"),
         warps<feed, heddle_reduce<32, affine, then>>("warp::reduce, in all lanes", 0)});
  }
}

}  // namespace heddle_bench
