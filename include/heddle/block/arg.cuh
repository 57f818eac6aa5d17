// The largest or smallest value of a block, and its index.
//   strategy    two levels of warp::arg_max
//   needs       sm_75; reductions in one instruction sm_80
#pragma once
#include <heddle/block/scratch.cuh>
#include <heddle/group/team_arg.cuh>

namespace heddle::block {

using warp::indexed;

namespace detail {

template <warp::detail::extreme wanted, typename T, typename Index, typename Scratch>
__device__ inline indexed<T, Index> extreme_of_block(T value, Index index, Scratch& shared) {
  return group::detail::extreme_of_team<wanted>(group::detail::block_of(shared),
                                                indexed<T, Index>{value, index}, shared);
}

}  // namespace detail

// The contract of both functions here:
//   called by   every thread of the block, which may have any shape and size
//   result in   every thread, the same
//   order       of equal values, the one with the smallest index wins; -0 and +0 are equal, and the
//               result is the one at that index. A NaN loses against any number; if all values are
//               NaN, the result is a NaN with the smallest index
//   scratch     a scratch<indexed<T, Index>>; may be reused immediately
//   cost        a warp::arg_max in each warp and a second one in the first warp, two barriers;
//               neither shared memory nor barriers if the block is one warp

// The largest value of the block and its index.
template <typename T, std::integral Index, int threads, int rows>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_max(
    T value, Index index, scratch<indexed<T, Index>, threads, rows>& scratch) {
  return detail::extreme_of_block<warp::detail::extreme::largest>(value, index, scratch);
}

// The smallest value of the block and its index.
template <typename T, std::integral Index, int threads, int rows>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_min(
    T value, Index index, scratch<indexed<T, Index>, threads, rows>& scratch) {
  return detail::extreme_of_block<warp::detail::extreme::smallest>(value, index, scratch);
}

}  // namespace heddle::block
