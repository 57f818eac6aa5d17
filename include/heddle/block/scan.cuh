// Prefix scans: one or several values per thread in, the combined values up to each one out.
//   strategy    two levels: each warp, or each lane of the first warp, scans a part; then the
//               parts' results are scanned and prepended
//   needs       sm_75
#pragma once
#include <heddle/block/scratch.cuh>
#include <heddle/group/team_scan.cuh>

namespace heddle::block {

namespace detail {

using group::detail::block_of;
using group::detail::combine_where;
using group::detail::has_neutral;
using group::detail::initial_before;
using group::detail::nothing_before;
using group::detail::scan_kind;
using group::detail::scan_team;

// Scans one value per thread; stores the total if `total` is not null.
template <scan_kind kind, typename T, typename Carried, typename Op, typename Before,
          typename Scratch>
__device__ inline Carried scan_block(const Carried& value, const Op& op, const Before& initial,
                                     Scratch& shared, T* total) {
  const auto scanned = scan_team<kind>(block_of(shared), value, op, initial, shared);
  if (total != nullptr) *total = static_cast<T>(scanned.total);
  return scanned.result;
}

// Folds a thread's values, in the type in which they are carried.
template <typename Carried, typename T, int count, typename Op>
__device__ inline Carried fold(const T (&items)[count], const Op& op) {
  auto folded = static_cast<Carried>(items[0]);
#pragma unroll
  for (int item = 1; item < count; ++item) folded = op(folded, static_cast<Carried>(items[item]));
  return folded;
}

// Replaces each of a thread's values by its exclusive result; `before` comes before the first.
template <typename Carried, typename T, int count, typename Op>
__device__ inline void scan_items_before(Carried before, T (&items)[count], const Op& op) {
#pragma unroll
  for (T& item : items) {
    const Carried including = op(before, static_cast<Carried>(item));
    item = static_cast<T>(before);
    before = including;
  }
}

// Replaces each of a thread's values by its inclusive result; `before` comes before the first if
// `has_before`.
template <typename Carried, typename T, int count, typename Op>
__device__ inline void scan_items_including(bool has_before, const Carried& before,
                                            T (&items)[count], const Op& op) {
  const auto first = static_cast<Carried>(items[0]);
  Carried including = combine_where(has_before, before, first, first, op);
  items[0] = static_cast<T>(including);
#pragma unroll
  for (int item = 1; item < count; ++item) {
    including = op(including, static_cast<Carried>(items[item]));
    items[item] = static_cast<T>(including);
  }
}

// The result of an exclusive scan without an initial value: the first thread gets the identity.
// Integers with a neutral value already have it.
template <typename Op, typename Carried>
__device__ inline Carried or_identity(const Carried& before) {
  if constexpr (std::is_integral_v<Carried> && has_neutral<Carried, Op>) {
    return before;
  } else {
    return thread_rank() == 0 ? identity<Op, Carried>() : before;
  }
}

}  // namespace detail

// The contract of all scans:
//   called by   every thread of the block, which may have any shape and, with a scratch of
//               any_size, any size
//   result in   each thread: the combined values of the block's threads up to that thread, in the
//               order of thread_rank()
//   op          associative; need not commute
//   T           the type in which values are combined: to add bytes as int, pass int
//   initial     the same in every thread; comes before the first value
//   total       if not null, receives the combined values of all threads, without `initial`; bit
//               for bit the same in every thread
//   scratch     may be reused immediately
//   order       a fixed tree for each thread and size of block and scratch: the same bits on every
//               run. Sums and products of half and bfloat16 are accumulated in float and rounded
//               once
//   cost        two barriers. With a scratch for `threads` threads: a shared store, a load, and in
//               the first warp a scan of threads / 32 values per lane. With a scratch of any_size:
//               a warp scan in each warp and a second one in the first warp; neither shared memory
//               nor barriers if the block is one warp. Several values per thread add two uses of op
//               each

// Each thread gets the result up to and including its own value.
template <exchangeable T, combines<T> Op, int threads, int rows>
[[nodiscard]] __device__ T inclusive_scan(T value, Op op, scratch<T, threads, rows>& scratch,
                                          T* total = nullptr) {
  const auto mine = static_cast<carried<T, Op>>(value);
  return static_cast<T>(detail::scan_block<detail::scan_kind::inclusive>(
      mine, op, detail::nothing_before{}, scratch, total));
}

// inclusive_scan() with `initial` before the first value.
template <exchangeable T, combines<T> Op, int threads, int rows>
[[nodiscard]] __device__ T inclusive_scan_from(T initial, T value, Op op,
                                               scratch<T, threads, rows>& scratch,
                                               T* total = nullptr) {
  const auto mine = static_cast<carried<T, Op>>(value);
  const detail::initial_before<carried<T, Op>> first{static_cast<carried<T, Op>>(initial)};
  return static_cast<T>(
      detail::scan_block<detail::scan_kind::inclusive>(mine, op, first, scratch, total));
}

// Each thread gets the result of the threads before it; the first thread gets the identity of op.
template <exchangeable T, combines<T> Op, int threads, int rows>
requires has_identity<Op, T>
[[nodiscard]] __device__ T exclusive_scan(T value, Op op, scratch<T, threads, rows>& scratch,
                                          T* total = nullptr) {
  const auto mine = static_cast<carried<T, Op>>(value);
  const auto before = detail::scan_block<detail::scan_kind::exclusive>(
      mine, op, detail::nothing_before{}, scratch, total);
  return static_cast<T>(detail::or_identity<Op>(before));
}

// exclusive_scan() with `initial` instead of the identity.
template <exchangeable T, combines<T> Op, int threads, int rows>
[[nodiscard]] __device__ T exclusive_scan_from(T initial, T value, Op op,
                                               scratch<T, threads, rows>& scratch,
                                               T* total = nullptr) {
  const auto mine = static_cast<carried<T, Op>>(value);
  const detail::initial_before<carried<T, Op>> first{static_cast<carried<T, Op>>(initial)};
  return static_cast<T>(
      detail::scan_block<detail::scan_kind::exclusive>(mine, op, first, scratch, total));
}

// The same four scans for `count` values per thread, in place: those of the first thread come
// first, then those of the second, and so on.
template <exchangeable T, int count, combines<T> Op, int threads, int rows>
__device__ void inclusive_scan(T (&items)[count], Op op, scratch<T, threads, rows>& scratch,
                               T* total = nullptr) {
  const auto mine = detail::fold<carried<T, Op>>(items, op);
  const auto before = detail::scan_block<detail::scan_kind::exclusive>(
      mine, op, detail::nothing_before{}, scratch, total);
  const bool has_before = detail::has_neutral<carried<T, Op>, Op> || thread_rank() != 0;
  detail::scan_items_including(has_before, before, items, op);
}

// Inclusive, with `initial` before the first value.
template <exchangeable T, int count, combines<T> Op, int threads, int rows>
__device__ void inclusive_scan_from(T initial, T (&items)[count], Op op,
                                    scratch<T, threads, rows>& scratch, T* total = nullptr) {
  const auto mine = detail::fold<carried<T, Op>>(items, op);
  const detail::initial_before<carried<T, Op>> first{static_cast<carried<T, Op>>(initial)};
  const auto before =
      detail::scan_block<detail::scan_kind::exclusive>(mine, op, first, scratch, total);
  detail::scan_items_including(true, before, items, op);
}

// Exclusive; the first value becomes the identity of op.
template <exchangeable T, int count, combines<T> Op, int threads, int rows>
requires has_identity<Op, T> __device__ void exclusive_scan(T (&items)[count], Op op,
                                                            scratch<T, threads, rows>& scratch,
                                                            T* total = nullptr) {
  const auto mine = detail::fold<carried<T, Op>>(items, op);
  const auto before = detail::scan_block<detail::scan_kind::exclusive>(
      mine, op, detail::nothing_before{}, scratch, total);
  detail::scan_items_before(detail::or_identity<Op>(before), items, op);
}

// Exclusive; the first value becomes `initial`.
template <exchangeable T, int count, combines<T> Op, int threads, int rows>
__device__ void exclusive_scan_from(T initial, T (&items)[count], Op op,
                                    scratch<T, threads, rows>& scratch, T* total = nullptr) {
  const auto mine = detail::fold<carried<T, Op>>(items, op);
  const detail::initial_before<carried<T, Op>> first{static_cast<carried<T, Op>>(initial)};
  const auto before =
      detail::scan_block<detail::scan_kind::exclusive>(mine, op, first, scratch, total);
  detail::scan_items_before(before, items, op);
}

}  // namespace heddle::block
