// One value or several per thread in, what the threads up to each make together out.
//   strategy    two levels: each warp, or each lane of the first warp, scans a part; the parts are
//               scanned and added in front
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

// Scans one value of each thread and hands out the total to who wants it.
template <scan_kind kind, typename T, typename Carried, typename Op, typename Before,
          typename Scratch>
__device__ inline Carried scan_block(const Carried& value, const Op& op, const Before& initial,
                                     Scratch& shared, T* total) {
  const auto scanned = scan_team<kind>(block_of(shared), value, op, initial, shared);
  if (total != nullptr) *total = static_cast<T>(scanned.total);
  return scanned.result;
}

// What the values of a thread make together, in the type in which they are carried.
template <typename Carried, typename T, int count, typename Op>
__device__ inline Carried fold(const T (&items)[count], const Op& op) {
  auto folded = static_cast<Carried>(items[0]);
#pragma unroll
  for (int item = 1; item < count; ++item) folded = op(folded, static_cast<Carried>(items[item]));
  return folded;
}

// Replaces a thread's values by what stands before each.
template <typename Carried, typename T, int count, typename Op>
__device__ inline void scan_items_before(Carried before, T (&items)[count], const Op& op) {
#pragma unroll
  for (T& item : items) {
    const Carried including = op(before, static_cast<Carried>(item));
    item = static_cast<T>(before);
    before = including;
  }
}

// Replaces a thread's values by what each ends, if `before` is what stands before the first.
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

// The result of an exclusive scan before which nothing stands: the first thread's is the identity,
// which for integers it is already.
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
//   result in   each thread: what the threads of the block make together, in the order of
//               thread_rank(), up to that thread
//   op          associative; need not commute
//   initial     the same in every thread; stands before the first value
//   total       where it is not null: gets, in every thread, bit for bit the same, what the values
//               of all threads make together, without `initial`
//   scratch     may be reused immediately
//   order       a fixed tree for each thread and size of block and scratch: the same bits on every
//               run. Sums and products of half and bfloat16 are accumulated in float and rounded
//               once
//   cost        two barriers. With a scratch for `threads` threads: a shared store, a load, and in
//               the first warp a scan of threads / 32 values in each lane. With one of any_size: a
//               warp scan in each warp and a second one in the first warp; neither shared memory
//               nor barriers if the block is one warp. Several items cost two uses of op for each
//               besides

// Each thread gets the result up to and including its own value.
template <exchangeable T, combines<T> Op, int threads, int rows>
[[nodiscard]] __device__ T inclusive_scan(T value, Op op, scratch<T, threads, rows>& scratch,
                                          T* total = nullptr) {
  const auto mine = static_cast<carried<T, Op>>(value);
  return static_cast<T>(detail::scan_block<detail::scan_kind::inclusive>(
      mine, op, detail::nothing_before{}, scratch, total));
}

// The same with `initial` before the first value.
template <exchangeable T, combines<T> Op, int threads, int rows>
[[nodiscard]] __device__ T inclusive_scan_from(T initial, T value, Op op,
                                               scratch<T, threads, rows>& scratch,
                                               T* total = nullptr) {
  const auto mine = static_cast<carried<T, Op>>(value);
  const detail::initial_before<carried<T, Op>> first{static_cast<carried<T, Op>>(initial)};
  return static_cast<T>(
      detail::scan_block<detail::scan_kind::inclusive>(mine, op, first, scratch, total));
}

// Each thread gets the result of the threads before it, the first thread the identity of op.
template <exchangeable T, combines<T> Op, int threads, int rows>
requires has_identity<Op, T>
[[nodiscard]] __device__ T exclusive_scan(T value, Op op, scratch<T, threads, rows>& scratch,
                                          T* total = nullptr) {
  const auto mine = static_cast<carried<T, Op>>(value);
  const auto before = detail::scan_block<detail::scan_kind::exclusive>(
      mine, op, detail::nothing_before{}, scratch, total);
  return static_cast<T>(detail::or_identity<Op>(before));
}

// The same with `initial` instead of the identity.
template <exchangeable T, combines<T> Op, int threads, int rows>
[[nodiscard]] __device__ T exclusive_scan_from(T initial, T value, Op op,
                                               scratch<T, threads, rows>& scratch,
                                               T* total = nullptr) {
  const auto mine = static_cast<carried<T, Op>>(value);
  const detail::initial_before<carried<T, Op>> first{static_cast<carried<T, Op>>(initial)};
  return static_cast<T>(
      detail::scan_block<detail::scan_kind::exclusive>(mine, op, first, scratch, total));
}

// The same four for `count` values of each thread, in place: those of the first thread come first,
// then those of the second, and so on.
template <exchangeable T, int count, combines<T> Op, int threads, int rows>
__device__ void inclusive_scan(T (&items)[count], Op op, scratch<T, threads, rows>& scratch,
                               T* total = nullptr) {
  const auto mine = detail::fold<carried<T, Op>>(items, op);
  const auto before = detail::scan_block<detail::scan_kind::exclusive>(
      mine, op, detail::nothing_before{}, scratch, total);
  const bool has_before = detail::has_neutral<carried<T, Op>, Op> || thread_rank() != 0;
  detail::scan_items_including(has_before, before, items, op);
}

// With `initial` before the first value.
template <exchangeable T, int count, combines<T> Op, int threads, int rows>
__device__ void inclusive_scan_from(T initial, T (&items)[count], Op op,
                                    scratch<T, threads, rows>& scratch, T* total = nullptr) {
  const auto mine = detail::fold<carried<T, Op>>(items, op);
  const detail::initial_before<carried<T, Op>> first{static_cast<carried<T, Op>>(initial)};
  const auto before =
      detail::scan_block<detail::scan_kind::exclusive>(mine, op, first, scratch, total);
  detail::scan_items_including(true, before, items, op);
}

// Without the value's own: the first one becomes the identity of op.
template <exchangeable T, int count, combines<T> Op, int threads, int rows>
requires has_identity<Op, T> __device__ void exclusive_scan(T (&items)[count], Op op,
                                                            scratch<T, threads, rows>& scratch,
                                                            T* total = nullptr) {
  const auto mine = detail::fold<carried<T, Op>>(items, op);
  const auto before = detail::scan_block<detail::scan_kind::exclusive>(
      mine, op, detail::nothing_before{}, scratch, total);
  detail::scan_items_before(detail::or_identity<Op>(before), items, op);
}

// Without the value's own: the first one becomes `initial`.
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
