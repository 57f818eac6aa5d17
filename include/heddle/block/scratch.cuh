// The shared memory through which the warps of a block hand results to each other.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>

#include <type_traits>

namespace heddle::block {

inline constexpr int most_warps = 1024 / warp_size;  // that a block can have

// What a block's functions work in: declared `__shared__ heddle::block::scratch<float> scratch;`,
// needs no preparation, and is passed to every function of values of T, in any order.
//
// It may be passed again at once: no function needs a __syncthreads() before or after it. Every
// function has two barriers. `partials` are written before the first and read between the two;
// `results` are written between the two and read after the second. So when a thread enters the next
// call and writes partials, all threads have come to the second barrier of the call before, hence
// have read the old ones; and when a thread writes results, all threads have come to the first
// barrier of its own call, hence have read the results of the call before.
//
// Nothing but scratch is ordered by that: a block of one warp has no barriers. And memory that a
// scratch shares with something else (a union) changes its use at a __syncthreads() of the
// caller's.
//
//   rows   how many values a thread reduces at once, with reduce_rows()
template <exchangeable T, int rows = 1>
struct scratch {
  static_assert(rows >= 1, "a scratch has at least one row");
  // Rows are four slots apart, so that the same warp's slots of up to eight rows lie in different
  // banks.
  static constexpr int row_stride = rows == 1 ? most_warps : most_warps + 4;
  static constexpr int result_count = rows > most_warps ? rows : most_warps;
  static constexpr int alignment = alignof(T) > 16 ? alignof(T) : 16;
  // Bytes, because a T that initialises itself cannot be a member of a shared variable.
  alignas(alignment) unsigned char partials[rows * row_stride * sizeof(accumulator<T>)];
  alignas(alignment) unsigned char results[result_count * sizeof(accumulator<T>)];
};

namespace detail {

// A scratch's memory as slots of the type in which a function carries its values.
template <typename Slot, typename T, int rows>
__device__ inline Slot* partials_of(scratch<T, rows>& shared, int row = 0) {
  static_assert(sizeof(Slot) <= sizeof(accumulator<T>),
                "a slot holds a T or what sums of T are in");
  return reinterpret_cast<Slot*>(shared.partials) + row * scratch<T, rows>::row_stride;
}
template <typename Slot, typename T, int rows>
__device__ inline Slot* results_of(scratch<T, rows>& shared) {
  static_assert(sizeof(Slot) <= sizeof(accumulator<T>),
                "a slot holds a T or what sums of T are in");
  return reinterpret_cast<Slot*>(shared.results);
}

// Up to so many warps, each combines the partials for itself; of more, the first does it for all:
// the loads and shuffles of so many warps would take longer than a round through shared memory.
inline constexpr int most_warps_that_each_combine = 16;

// Where the caller stands in its block.
struct place {
  int warps;             // of the block; only the last may lack lanes
  int warp;              // the caller's
  int lane;              // the caller's, in its warp
  int lanes;             // of its warp: those that have a thread
  bool warps_are_whole;  // all of the block's

  __device__ place() {
    // Without a sign, so that the divisions are shifts.
    const auto threads = static_cast<unsigned>(block_size());
    const unsigned before = static_cast<unsigned>(thread_rank()) / warp_size * warp_size;
    warps = static_cast<int>((threads + warp_size - 1) / warp_size);
    warp = static_cast<int>(before / warp_size);
    lane = lane_id();
    lanes = threads - before < warp_size ? static_cast<int>(threads - before) : warp_size;
    warps_are_whole = threads % warp_size == 0;
  }

  __device__ lane_mask members() const { return lanes_below(lanes); }
  __device__ bool is_first() const { return warp == 0 && lane == 0; }
  __device__ bool is_alone() const { return warps == 1; }
  __device__ bool has_whole_warp() const { return lanes == warp_size; }
  __device__ bool each_warp_combines() const {
    return warps_are_whole && warps <= most_warps_that_each_combine;
  }
};

}  // namespace detail

}  // namespace heddle::block
