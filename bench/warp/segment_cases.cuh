// Segments, compaction and transposition against shuffle loops, shared memory and CUB.
#pragma once
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <heddle/warp/compact.cuh>
#include <heddle/warp/segmented.cuh>
#include <heddle/warp/transpose.cuh>

#include <string>

#include "support/contest.cuh"

namespace heddle_bench {

// ---- segments; about every fifth lane begins one

struct begins_segment {
  bool is_head = heddle::lane_id() == 0 || thread_bits(heddle::thread_rank()) % 5 == 0;
  __device__ begins_segment() {}
};

template <typename T>
struct heddle_segmented_scan : begins_segment {
  __device__ T operator()(T value) const {
    return heddle::warp::segmented_inclusive_scan(value, is_head);
  }
};

// The flag travels with the value at every step.
template <typename T>
struct flagged_up_loop : begins_segment {
  __device__ T operator()(T value) const {
    int has_head = is_head;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const T earlier = __shfl_up_sync(~0u, value, distance);
      const int earlier_has_head = __shfl_up_sync(~0u, has_head, distance);
      if (heddle::lane_id() >= distance && !has_head) {
        value += earlier;
        has_head = earlier_has_head;
      }
    }
    return value;
  }
};

// One vote gives every lane the start of its segment.
template <typename T>
struct voted_up_loop : begins_segment {
  __device__ T operator()(T value) const {
    const int lane = heddle::lane_id();
    const unsigned heads = __ballot_sync(~0u, is_head) | 1;
    const int first = 31 - __clz(static_cast<int>(heads & (~0u >> (31 - lane))));
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const T earlier = __shfl_up_sync(~0u, value, distance);
      if (lane - distance >= first) value += earlier;
    }
    return value;
  }
};

template <typename T>
struct heddle_segmented_reduce : begins_segment {
  __device__ T operator()(T value) const {
    const T sum = heddle::warp::segmented_reduce_to_first(value, is_head);
    return is_head ? sum : T{};
  }
};
template <typename T>
struct cub_segmented_reduce : begins_segment {
  __device__ T operator()(T value) const {
    using reduction = cub::WarpReduce<T>;
    __shared__ typename reduction::TempStorage storage[warp_bench_threads / 32];
    const T sum = reduction(storage[threadIdx.x / 32]).HeadSegmentedSum(value, is_head);
    return is_head ? sum : T{};
  }
};

template <typename T>
void segments_of(contest& contest, const std::string& type) {
  using feed = number_feed<T>;
  contest.run<feed>(
      {warps<feed, heddle_segmented_scan<T>>("warp::segmented_inclusive_scan(" + type + ")"),
       warps<feed, flagged_up_loop<T>>("up loop of value and flag"),
       warps<feed, voted_up_loop<T>>("vote and up loop")});
  contest.run<feed>(
      {warps<feed, heddle_segmented_reduce<T>>("warp::segmented_reduce_to_first(" + type + ")"),
       warps<feed, cub_segmented_reduce<T>>("cub::WarpReduce::HeadSegmentedSum")});
}

// ---- compaction: about half of the lanes keep their value; the others return 0

struct keeps_value {
  bool keep = thread_bits(heddle::thread_rank()) % 2 == 0;
  __device__ keeps_value() {}
};

template <typename T>
struct heddle_compact : keeps_value {
  __device__ T operator()(T value) const {
    const auto left = heddle::warp::compact(value, keep);
    return heddle::lane_id() < left.total ? left.value : T{};
  }
};
template <typename T>
struct shared_compact : keeps_value {
  __device__ T operator()(T value) const {
    __shared__ T slots[warp_bench_threads];
    T* const own = slots + threadIdx.x / 32 * 32;
    const unsigned kept = __ballot_sync(~0u, keep);
    if (keep) own[heddle::rank(kept)] = value;
    __syncwarp();
    const T left = heddle::lane_id() < __popc(kept) ? own[heddle::lane_id()] : T{};
    __syncwarp();
    return left;
  }
};
template <typename T>
struct search_compact : keeps_value {
  __device__ T operator()(T value) const {
    const unsigned kept = __ballot_sync(~0u, keep);
    const unsigned source = __fns(kept, 0, heddle::lane_id() + 1);
    const T left = __shfl_sync(~0u, value, static_cast<int>(source & 31));
    return heddle::lane_id() < __popc(kept) ? left : T{};
  }
};

// ---- matrices, one row per lane

template <typename T, int size>
struct row_of {
  T values[size];
};

template <typename T, int size>
struct row_feed {
  using value_type = row_of<T, size>;
  number_feed<T> number;
  __device__ explicit row_feed(int thread) : number(thread) {}
  __device__ value_type first() const {
    value_type row;
#pragma unroll
    for (int i = 0; i < size; ++i) row.values[i] = number.next(static_cast<T>(i));
    return row;
  }
  // Returns the whole row: a transposition drops nothing.
  __device__ value_type next(const value_type& result) const {
    value_type row = result;
    row.values[0] = number.next(result.values[size - 1]);
    return row;
  }
  static bool agree(const value_type& a, const value_type& b) {
    for (int i = 0; i < size; ++i) {
      if (a.values[i] != b.values[i]) return false;
    }
    return true;
  }
};

template <typename T, int size>
struct heddle_transpose {
  __device__ row_of<T, size> operator()(row_of<T, size> row) const {
    heddle::warp::transpose(row.values);
    return row;
  }
};
// Rows are padded by one slot, so that the elements of a column are in different banks.
template <typename T, int size>
struct shared_transpose {
  __device__ row_of<T, size> operator()(row_of<T, size> row) const {
    __shared__ T slots[warp_bench_threads / size][size][size + 1];
    auto& own = slots[threadIdx.x / size];
    const unsigned lane = threadIdx.x % size;
#pragma unroll
    for (int i = 0; i < size; ++i) own[lane][i] = row.values[i];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < size; ++i) row.values[i] = own[i][lane];
    __syncwarp();
    return row;
  }
};
template <typename T, int size, cub::WarpExchangeAlgorithm algorithm>
struct cub_transpose {
  __device__ row_of<T, size> operator()(row_of<T, size> row) const {
    using exchange = cub::WarpExchange<T, size, size, algorithm>;
    __shared__ typename exchange::TempStorage storage[warp_bench_threads / size];
    row_of<T, size> column;
    exchange(storage[threadIdx.x / size]).BlockedToStriped(row.values, column.values);
    __syncwarp();
    return column;
  }
};

template <typename T, int size>
struct heddle_blocked_to_striped {
  __device__ row_of<T, size> operator()(row_of<T, size> row) const {
    heddle::warp::blocked_to_striped(row.values);
    return row;
  }
};
template <typename T, int size>
struct cub_blocked_to_striped {
  __device__ row_of<T, size> operator()(row_of<T, size> row) const {
    using exchange = cub::WarpExchange<T, size>;
    __shared__ typename exchange::TempStorage storage[warp_bench_threads / 32];
    row_of<T, size> column;
    exchange(storage[threadIdx.x / 32]).BlockedToStriped(row.values, column.values);
    __syncwarp();
    return column;
  }
};

template <typename T, int size>
void transpose_of(contest& contest, const std::string& what) {
  using feed = row_feed<T, size>;
  contest.run<feed>(
      {warps<feed, heddle_transpose<T, size>>("warp::transpose(" + what + ")"),
       warps<feed, shared_transpose<T, size>>("through padded shared memory", 0),
       warps<feed, cub_transpose<T, size, cub::WARP_EXCHANGE_SHUFFLE>>(
           "cub::WarpExchange, shuffle"),
       warps<feed, cub_transpose<T, size, cub::WARP_EXCHANGE_SMEM>>("cub::WarpExchange, shared")});
}

inline void segment_cases(contest& contest) {
  segments_of<int>(contest, "int");
  segments_of<float>(contest, "float");
  using feed = number_feed<int>;
  contest.run<feed>({warps<feed, heddle_compact<int>>("warp::compact(int)"),
                     warps<feed, shared_compact<int>>("vote and shared memory", 0),
                     warps<feed, search_compact<int>>("vote, __fns and shuffle")});
  transpose_of<int, 32>(contest, "32 x 32 int");
  transpose_of<int, 8>(contest, "8 x 8 int");
  {
    using feed = row_feed<int, 4>;
    contest.run<feed>(
        {warps<feed, heddle_blocked_to_striped<int, 4>>("warp::blocked_to_striped(4 int per lane)"),
         warps<feed, cub_blocked_to_striped<int, 4>>("cub::WarpExchange")});
  }
}

}  // namespace heddle_bench
