// The largest or smallest value of a block, and where it stands.
#pragma once
#include <heddle/block/scratch.cuh>
#include <heddle/warp/arg.cuh>

namespace heddle::block {

using warp::indexed;

namespace detail {

template <warp::detail::extreme wanted, typename T, typename Index, int rows>
__device__ inline indexed<T, Index> extreme_of_block(T value, Index index,
                                                     scratch<indexed<T, Index>, rows>& shared) {
  using warp::detail::extreme_of_tile;
  using slot = indexed<T, Index>;
  const place here;
  const slot of_warp = extreme_of_tile<wanted, warp_size>(here.members(), value, index);
  if (here.is_alone()) return of_warp;
  slot* const partials = partials_of<slot>(shared);
  slot* const results = results_of<slot>(shared);
  if (here.lane == 0) partials[here.warp] = of_warp;
  __syncthreads();
  // Lanes without a partial of their own take the last one again, which changes nothing.
  const int own = here.lane < here.warps ? here.lane : here.warps - 1;
  if (here.each_warp_combines()) {
    const slot mine = partials[own];
    __syncthreads();
    return extreme_of_tile<wanted, warp_size>(all_lanes, mine.value, mine.index);
  }
  if (here.warp == 0) {
    const slot mine = partials[own];
    const slot best = extreme_of_tile<wanted, warp_size>(all_lanes, mine.value, mine.index);
    if (here.lane == 0) results[0] = best;
  }
  __syncthreads();
  return results[0];
}

}  // namespace detail

// The contract of both functions here:
//   called by   every thread of the block, which may have any shape and size
//   result in   every thread, the same
//   order       of equal values that with the smallest index is taken; -0 and +0 are equal, and the
//               value is the one that stands at the index. A NaN loses against any number; if all
//               are NaN, the result is a NaN with the smallest index
//   scratch     a scratch<indexed<T, Index>>; may be passed again at once
//   cost        two warp::arg_max and a shared load in each warp, two barriers; above 16 warps, or
//               with a partial one, the second warp::arg_max in the first warp only and another
//               load; neither shared memory nor barriers if the block is one warp

// The largest value of the block and its index.
template <typename T, std::integral Index, int rows>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_max(T value, Index index,
                                                   scratch<indexed<T, Index>, rows>& scratch) {
  return detail::extreme_of_block<warp::detail::extreme::largest>(value, index, scratch);
}

// The smallest value of the block and its index.
template <typename T, std::integral Index, int rows>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_min(T value, Index index,
                                                   scratch<indexed<T, Index>, rows>& scratch) {
  return detail::extreme_of_block<warp::detail::extreme::smallest>(value, index, scratch);
}

}  // namespace heddle::block
