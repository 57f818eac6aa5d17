// One step of a histogram: each lane brings a bin, and equal bins become one addition.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/match.cuh>

#include <type_traits>

namespace heddle::warp {

// Adds 1 to bins[bin] for each lane: one atomic addition for each distinct bin of the warp. It pays
// where lanes meet in few bins, and in global memory; where they rarely meet, atomicAdd alone does
// less.
//   called by   every lane of `members`: any set of lanes, with the same `bins`
//   bins        shared or global memory; int, unsigned or 64-bit counters
//   bin         a lane with a negative one counts nothing
//   order       relaxed, as atomicAdd: a barrier or a fence comes before the bins are read
//   cost        one match, one population count, one atomic addition
template <typename T>
__device__ inline void count_in_bins(T* bins, int bin, lane_mask members = all_lanes) {
  static_assert(std::is_integral_v<T> && sizeof(T) >= 4, "counters are 32- or 64-bit integers");
  const lane_mask peers = match_any(bin, members);
  const bool is_first_of_bin = rank(peers) == 0;
  if (is_first_of_bin && bin >= 0) {
    detail::update_alone(bins + bin, static_cast<T>(count(peers)), plus{});
  }
}

// Adds each lane's weight to bins[bin]: one atomic addition for each distinct bin of the warp.
//   called by   every lane of `members`: any set of lanes, with the same `bins`
//   bins        shared or global memory; int, unsigned, 64-bit integers, float or double
//   bin         a lane with a negative one adds nothing
//   order       relaxed, as atomicAdd. The weights of a bin are added up in lane order as a tree of
//               neighbours, so a warp's contribution is always the same; the order in which warps
//               add theirs is not
//   cost        one match, and as aggregated_update_without_result()
template <typename T>
__device__ inline void add_to_bins(T* bins, int bin, std::type_identity_t<T> weight,
                                   lane_mask members = all_lanes) {
  static_assert(has_atomic<plus, T>, "weights are int, unsigned, 64-bit integers, float or double");
  const lane_mask peers = match_any(bin, members);
  const T total = detail::combine_peers(peers, weight, plus{}, members);
  const bool is_first_of_bin = rank(peers) == 0;
  if (is_first_of_bin && bin >= 0) detail::update_alone(bins + bin, total, plus{});
}

}  // namespace heddle::warp
