// One step of a histogram: each lane has a bin, and equal bins become one addition where that is
// faster.
//   strategy    a match groups the lanes by bin where that is faster; one lane of each group makes
//               the atomic addition
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/match.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::warp {

// Adds 1 to bins[bin] for each lane. 32-bit counters in shared memory take one atomic addition per
// lane, which the hardware merges. Other counters take one atomic addition for each distinct bin in
// the warp; if lanes rarely share a bin in global memory, plain atomicAdd costs less.
//   called by   every lane of `members`: any set of lanes, with the same `bins`
//   bins        shared or global memory; int, unsigned or 64-bit counters
//   bin         a lane with a negative bin counts nothing
//   order       relaxed, like atomicAdd: a barrier or a fence must come before the bins are read
//   cost        one atomic addition. Except for 32-bit counters in shared memory also a match,
//               which takes longer the more bins differ, and two population counts
template <typename T>
__device__ inline void count_in_bins(T* bins, int bin, lane_mask members = all_lanes) {
  static_assert(std::is_integral_v<T> && sizeof(T) >= 4, "counters are 32- or 64-bit integers");
  if constexpr (detail::is_updated_by_shared_memory<T>) {
    if (detail::is_in_shared_memory(bins)) {
      if (bin >= 0) static_cast<void>(detail::update_alone(bins + bin, T{1}, plus{}));
      return;
    }
  }
  const lane_mask peers = match_any(bin, members);
  const bool is_first_of_bin = rank(peers) == 0;
  if (is_first_of_bin && bin >= 0) {
    detail::update_alone(bins + bin, static_cast<T>(count(peers)), plus{});
  }
}

// Adds each lane's weight to bins[bin], with one atomic addition for each distinct bin in the warp.
// Except for 32-bit integers in shared memory: there each lane adds its own weight, unless all
// lanes have the same bin.
//   called by   every lane of `members`: any set of lanes, with the same `bins`
//   bins        shared or global memory; int, unsigned, 64-bit integers, float or double
//   bin         a lane with a negative bin adds nothing
//   order       relaxed, like atomicAdd. The weights of a bin are added up in lane order as a tree
//               of neighbours, so a warp's contribution is the same on every run; the order in
//               which warps add theirs is not
//   cost        that of aggregated_update_without_result()
template <typename T>
__device__ inline void add_to_bins(T* bins, int bin, std::type_identity_t<T> weight,
                                   lane_mask members = all_lanes) {
  static_assert(has_atomic<plus, T>, "weights are int, unsigned, 64-bit integers, float or double");
  if constexpr (detail::is_updated_by_shared_memory<T>) {
    if (detail::is_in_shared_memory(bins)) {
      using number = detail::summed_as<T, plus>;  // wraps around, as atomicAdd does
      return detail::update_in_shared_memory(
          reinterpret_cast<number*>(bins + bin), static_cast<std::uint32_t>(bin),
          static_cast<number>(weight), plus{}, bin >= 0, members);
    }
  }
  const lane_mask peers = match_any(bin, members);
  const T total = detail::combine_peers(peers, weight, plus{}, members);
  const bool is_first_of_bin = rank(peers) == 0;
  if (is_first_of_bin && bin >= 0) detail::update_alone(bins + bin, total, plus{});
}

}  // namespace heddle::warp
