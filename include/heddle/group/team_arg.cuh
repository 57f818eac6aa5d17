// Extremes over several warps: the basis of arg_max and arg_min for blocks and large tiles.
#pragma once
#include <heddle/group/scratch.cuh>
#include <heddle/group/team.cuh>
#include <heddle/warp/arg.cuh>

namespace heddle::group::detail {

using warp::indexed;
using warp::detail::extreme;

// Takes the better of two values; of equal ones, that with the smaller index.
template <extreme wanted>
struct better {
  template <typename T, typename Index>
  __device__ indexed<T, Index> operator()(const indexed<T, Index>& a,
                                          const indexed<T, Index>& b) const {
    using key = warp::detail::sort_key<wanted, T>;
    const auto key_of_a = key::key_of(a.value);
    const auto key_of_b = key::key_of(b.value);
    const bool takes_b = key_of_b < key_of_a || (key_of_b == key_of_a && b.index < a.index);
    return takes_b ? b : a;
  }
};

// The extreme of a whole warp, in every lane.
template <extreme wanted, typename T, typename Index>
__device__ inline indexed<T, Index> extreme_of_warp(const indexed<T, Index>& mine) {
  return warp::detail::extreme_of_tile<wanted, warp_size>(all_lanes, mine.value, mine.index);
}

// The extreme of all threads' pairs, in every thread. Slots would not help: comparing pairs one
// after the other takes longer than the few instructions of warp::arg_max in every warp.
template <extreme wanted, typename Team, typename T, typename Index, typename Scratch>
__device__ inline indexed<T, Index> extreme_of_team(const Team& here, const indexed<T, Index>& mine,
                                                    Scratch& shared) {
  using pair = indexed<T, Index>;
  pair* const partials = partials_of<pair>(shared);
  pair* const results = results_of<pair>(shared);
  const pair of_warp = extreme_of_warp<wanted>(mine);
  if (here.is_alone()) return of_warp;
  if (here.lane == 0) partials[here.warp] = of_warp;
  here.sync();
  if (agreed(here.warp == 0)) {
    // Lanes without a partial of their own read the last one again, which changes nothing.
    const pair best = extreme_of_warp<wanted>(partials[min(here.lane, here.warps - 1)]);
    if (here.lane == 0) results[0] = best;
  }
  here.sync();
  return results[0];
}

}  // namespace heddle::group::detail

// Pairs with the same index are the same, so it does not matter which of them is taken.
template <heddle::group::detail::extreme wanted, typename T, typename Index>
inline constexpr bool
    heddle::commutes<heddle::group::detail::better<wanted>, heddle::warp::indexed<T, Index>> = true;
