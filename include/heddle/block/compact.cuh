// Stream compaction in a block: moves the items that are kept together, in order.
//   strategy    a vote and population counts rank the items of a warp; the warps' counts are added
//               up through shared memory
//   needs       sm_75
#pragma once
#include <heddle/block/scratch.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/warp/compact.cuh>
#include <heddle/warp/reduce.cuh>

#include <concepts>

namespace heddle::block {

using warp::kept_place;

namespace detail {

// Counts the items that the lanes of a warp keep, up to `most` per lane, by one vote per binary
// digit.
template <int most>
__device__ inline kept_place rank_in_warp(int kept) {
  kept_place place{0, 0};
#pragma unroll
  for (int digit = 1; digit <= most; digit *= 2) {
    const lane_mask has_digit = __ballot_sync(all_lanes, (kept & digit) != 0);
    place.rank += digit * rank(has_digit);
    place.total += digit * count(has_digit);
  }
  return place;
}

// Counts the items that the threads of a block keep, up to `most` per thread.
template <int most, int threads, int rows>
__device__ inline kept_place rank_in_block(int kept, scratch<int, threads, rows>& shared) {
  // Two sums share a word: what the warps before the caller's keep in the upper half, what all
  // warps keep in the lower half.
  constexpr int half_a_word = 16;
  static_assert(most < (1 << half_a_word) / (most_warps * warp_size),
                "a thread has up to 63 items");
  const auto here = group::detail::block_of(shared);
  const kept_place in_warp = rank_in_warp<most>(kept);
  if (here.is_alone()) return in_warp;
  int* const partials = group::detail::partials_of<int>(shared);
  if (here.lane == 0) partials[here.warp] = in_warp.total;
  __syncthreads();
  const auto counted = [&](int warp) {
    const auto total = static_cast<unsigned>(partials[warp]);
    return total + (warp < here.warp ? total << half_a_word : 0);
  };
  unsigned sums = 0;
  if (here.lanes < warp_size) {
    // There may be fewer lanes than warps, so each lane adds up the totals of all warps.
#pragma unroll 1
    for (int warp = 0; warp < here.warps; ++warp) sums += counted(warp);
  } else if (here.lane < here.warps) {
    sums = counted(here.lane);
  }
  __syncthreads();
  if (agreed(here.lanes == warp_size)) sums = warp::reduce(sums);
  return {in_warp.rank + static_cast<int>(sums >> half_a_word),
          static_cast<int>(sums & ((1u << half_a_word) - 1))};
}

}  // namespace detail

// The contract of the functions here:
//   called by   every thread of the block, which may have any shape and size
//   order       kept: by thread, then by item within a thread
//   scratch     a scratch<int>; may be reused immediately
//   cost        a vote and two population counts, for several items one of each per binary digit of
//               their number; two barriers, a shared store and a load for each warp, and a
//               warp::reduce of one word; neither shared memory nor barriers if the block is one
//               warp

// Counts the threads that keep their value: all of them, and those before the caller, so that `if
// (keep) output[start + place.rank] = value` writes them without gaps, in thread order.
//   result in   every thread; `rank` is valid even if the caller keeps nothing
template <int threads, int rows>
[[nodiscard]] __device__ kept_place rank_kept(bool keep, scratch<int, threads, rows>& scratch) {
  return detail::rank_in_block<1>(keep ? 1 : 0, scratch);
}

// rank_kept() for several items per thread, in the blocked arrangement.
//   result in   every thread: how many items the block keeps; `ranks` holds the rank of each item
//               among them, and for an item that is not kept the rank that it would have
//   count       1 … 63
template <int count, int threads, int rows>
[[nodiscard]] __device__ int rank_kept(const bool (&keep)[count], int (&ranks)[count],
                                       scratch<int, threads, rows>& scratch) {
  int kept = 0;
#pragma unroll
  for (int i = 0; i < count; ++i) {
    ranks[i] = kept;
    kept += keep[i] ? 1 : 0;
  }
  const kept_place place = detail::rank_in_block<count>(kept, scratch);
#pragma unroll
  for (int i = 0; i < count; ++i) ranks[i] += place.rank;
  return place.total;
}

// Writes the kept values without gaps.
//   result in   every thread: how many values are kept
//   output      shared or global memory with room for them; call __syncthreads() before reading
//               what other threads have written
template <typename T, int threads, int rows>
__device__ int compact(const T& value, bool keep, T* output, scratch<int, threads, rows>& scratch) {
  const kept_place place = rank_kept(keep, scratch);
  if (keep) output[place.rank] = value;
  return place.total;
}

// Writes the items for which `keep` is true, of several per thread in the blocked arrangement.
//   result in   every thread: how many values are kept
//   keep        called once for each item
//   output      as above
//   count       1 … 63
template <typename T, int count, std::predicate<const T&> Keep, int threads, int rows>
__device__ int compact(const T (&items)[count], Keep keep, T* output,
                       scratch<int, threads, rows>& scratch) {
  bool is_kept[count];
#pragma unroll
  for (int i = 0; i < count; ++i) is_kept[i] = keep(items[i]);
  int ranks[count];
  const int total = rank_kept(is_kept, ranks, scratch);
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (is_kept[i]) output[ranks[i]] = items[i];
  }
  return total;
}

}  // namespace heddle::block
