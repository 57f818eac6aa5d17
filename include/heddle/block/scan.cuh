// One value or several per thread in, what the threads up to each make together out.
#pragma once
#include <heddle/block/reduce.cuh>
#include <heddle/block/scratch.cuh>
#include <heddle/warp/scan.cuh>

namespace heddle::block {

namespace detail {

using warp::detail::is_undone_exactly;
using warp::detail::scan_up;
using warp::detail::undo;

// What the warps before `warp` make together, from the quads of a row; identity for warp 0.
template <typename T, typename Op>
__device__ inline T combine_quads_before(const quad<T>& mine, const place& here, const Op& op) {
  const int last_quad = here.warps > 16 ? 7 : here.warps > 8 ? 3 : here.warps > 4 ? 1 : 0;
  const int earlier = here.warp - 4 * (here.lane & last_quad);  // so many of the four, or fewer
  T value = earlier > 0 ? mine.slots[0] : identity<Op, T>();
#pragma unroll
  for (int slot = 1; slot < 4; ++slot) {
    value = combine_where(earlier > slot, value, mine.slots[slot], value, op);
  }
  return combine_quads(value, here.warps, op);
}

// What a thread knows of the block after its threads have met.
template <typename T>
struct scan_state {
  T own;          // what it brought
  T in_warp;      // what the lanes of its warp up to itself make
  T before_warp;  // what the warps before its own make, if there are any
  T total;        // what all make, if it is wanted
};

// Scans one value of each thread, up to the last use of op.
template <typename T, typename Op, typename U, int rows>
__device__ inline scan_state<T> scan_block(const place& here, const T& value, const Op& op,
                                           scratch<U, rows>& shared, bool wants_total) {
  const T in_warp = scan_up<warp_size>(here.members(), value, op);
  if (here.is_alone()) {
    if (!wants_total) return {value, in_warp, in_warp, in_warp};
    return {value, in_warp, in_warp, shuffle(here.members(), in_warp, here.lanes - 1)};
  }
  T* const partials = partials_of<T>(shared);
  T* const results = results_of<T>(shared);
  if (here.lane == here.lanes - 1) partials[here.warp] = in_warp;
  fill_up<Op>(here, partials);
  __syncthreads();
  if constexpr (has_identity<Op, T>) {
    if (here.each_warp_combines()) {
      const quad<T> mine = share_of<Op>(partials, here);
      __syncthreads();
      const T before_warp = combine_quads_before(mine, here, op);
      if (!wants_total) return {value, in_warp, before_warp, before_warp};
      return {value, in_warp, before_warp, combine_shares<T>(mine, here.warps, op)};
    }
  }
  if (here.warp == 0) {
    const T of_warp = partials[here.lane < here.warps ? here.lane : here.warps - 1];
    const T up_to_warp = scan_up<warp_size>(all_lanes, of_warp, op);
    if (here.lane < here.warps) results[here.lane] = up_to_warp;
  }
  __syncthreads();
  const T before_warp = here.warp == 0 ? in_warp : results[here.warp - 1];
  if (!wants_total) return {value, in_warp, before_warp, before_warp};
  return {value, in_warp, before_warp, results[here.warps - 1]};
}

// What the lanes before the caller's make; without meaning in lane 0.
template <typename T, typename Op>
__device__ inline T before_in_warp(const place& here, const scan_state<T>& state) {
  if constexpr (is_undone_exactly<T, Op>) {
    return undo<Op>(state.in_warp, state.own);
  } else {
    return shuffle_up(here.members(), state.in_warp, 1);
  }
}

// What comes before a thread; `first` stands before all threads.
template <typename T, typename Op>
__device__ inline T before_thread(const place& here, const scan_state<T>& state, const T& first,
                                  const Op& op) {
  const T before_warp = combine_where(here.warp > 0, first, state.before_warp, first, op);
  const T in_warp = before_in_warp<T, Op>(here, state);
  return combine_where(here.lane > 0, before_warp, in_warp, before_warp, op);
}

// The same where nothing stands before the first thread, whose result has no meaning.
template <typename T, typename Op>
__device__ inline T before_later_thread(const place& here, const scan_state<T>& state,
                                        const Op& op) {
  const T in_warp = before_in_warp<T, Op>(here, state);
  if (here.warp == 0) return in_warp;
  return combine_where(here.lane > 0, state.before_warp, in_warp, state.before_warp, op);
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
__device__ inline void scan_items_from(Carried before, T (&items)[count], const Op& op) {
#pragma unroll
  for (T& item : items) {
    const Carried including = op(before, static_cast<Carried>(item));
    item = static_cast<T>(before);
    before = including;
  }
}

// Replaces a thread's values by what each ends, if `before` is what stands before the first.
template <typename Carried, typename T, int count, typename Op>
__device__ inline void scan_items(bool has_before, const Carried& before, T (&items)[count],
                                  const Op& op) {
  const auto first = static_cast<Carried>(items[0]);
  Carried including = combine_where(has_before, before, first, first, op);
  items[0] = static_cast<T>(including);
#pragma unroll
  for (int item = 1; item < count; ++item) {
    including = op(including, static_cast<Carried>(items[item]));
    items[item] = static_cast<T>(including);
  }
}

}  // namespace detail

// The contract of all scans:
//   called by   every thread of the block, which may have any shape and size
//   result in   each thread: what the threads of the block make together, in the order of
//               thread_rank(), up to that thread
//   op          associative; need not commute. One with an identity is combined faster
//   initial     the same in every thread; stands before the first value
//   total       where it is not null: gets, in every thread, bit for bit the same, what the values
//               of all threads make together, without `initial`
//   scratch     may be passed again at once
//   order       a fixed tree for each thread and block size: the same bits on every run. Sums and
//               products of half and bfloat16 are built in float and rounded once. A total of
//               floating-point numbers may differ from the last result in the last bits
//   cost        a warp scan, two barriers, and a shared load with up to two more shuffles for every
//               four bytes in each warp (up to 16 warps), or a second warp scan in the first warp
//               and another load (above); neither shared memory nor barriers if the block is one
//               warp. Several items cost two uses of op for each besides

// Each thread gets the result up to and including its own value.
template <exchangeable T, combines<T> Op, int rows>
[[nodiscard]] __device__ T inclusive_scan(T value, Op op, scratch<T, rows>& scratch,
                                          T* total = nullptr) {
  using carried = detail::carried<T, Op>;
  const detail::place here;
  const auto state =
      detail::scan_block(here, static_cast<carried>(value), op, scratch, total != nullptr);
  if (total != nullptr) *total = static_cast<T>(state.total);
  return static_cast<T>(
      detail::combine_where(here.warp > 0, state.before_warp, state.in_warp, state.in_warp, op));
}

// The same with `initial` before the first value.
template <exchangeable T, combines<T> Op, int rows>
[[nodiscard]] __device__ T inclusive_scan_from(T initial, T value, Op op, scratch<T, rows>& scratch,
                                               T* total = nullptr) {
  using carried = detail::carried<T, Op>;
  const detail::place here;
  const auto first = static_cast<carried>(initial);
  const auto state =
      detail::scan_block(here, static_cast<carried>(value), op, scratch, total != nullptr);
  if (total != nullptr) *total = static_cast<T>(state.total);
  const carried before_warp =
      detail::combine_where(here.warp > 0, first, state.before_warp, first, op);
  return static_cast<T>(op(before_warp, state.in_warp));
}

// Each thread gets the result of the threads before it, the first thread the identity of op.
//   cost        one shuffle for every four bytes more; for sums and exclusive ors of integers one
//               subtraction instead of it
template <exchangeable T, combines<T> Op, int rows>
requires has_identity<Op, T>
[[nodiscard]] __device__ T exclusive_scan(T value, Op op, scratch<T, rows>& scratch,
                                          T* total = nullptr) {
  if constexpr (detail::is_undone_exactly<T, Op>) {
    return detail::undo<Op>(inclusive_scan(value, op, scratch, total), value);
  } else {
    using carried = detail::carried<T, Op>;
    const detail::place here;
    const auto state =
        detail::scan_block(here, static_cast<carried>(value), op, scratch, total != nullptr);
    if (total != nullptr) *total = static_cast<T>(state.total);
    const carried before = detail::before_later_thread(here, state, op);
    return static_cast<T>(here.is_first() ? identity<Op, carried>() : before);
  }
}

// The same with `initial` instead of the identity.
//   cost        one shuffle for every four bytes more than inclusive_scan_from()
template <exchangeable T, combines<T> Op, int rows>
[[nodiscard]] __device__ T exclusive_scan_from(T initial, T value, Op op, scratch<T, rows>& scratch,
                                               T* total = nullptr) {
  using carried = detail::carried<T, Op>;
  const detail::place here;
  const auto state =
      detail::scan_block(here, static_cast<carried>(value), op, scratch, total != nullptr);
  if (total != nullptr) *total = static_cast<T>(state.total);
  return static_cast<T>(detail::before_thread(here, state, static_cast<carried>(initial), op));
}

// The same four for `count` values of each thread, in place: those of the first thread come first,
// then those of the second, and so on.
template <exchangeable T, int count, combines<T> Op, int rows>
__device__ void inclusive_scan(T (&items)[count], Op op, scratch<T, rows>& scratch,
                               T* total = nullptr) {
  using carried = detail::carried<T, Op>;
  const detail::place here;
  const auto state =
      detail::scan_block(here, detail::fold<carried>(items, op), op, scratch, total != nullptr);
  if (total != nullptr) *total = static_cast<T>(state.total);
  detail::scan_items(!here.is_first(), detail::before_later_thread(here, state, op), items, op);
}

template <exchangeable T, int count, combines<T> Op, int rows>
__device__ void inclusive_scan_from(T initial, T (&items)[count], Op op, scratch<T, rows>& scratch,
                                    T* total = nullptr) {
  using carried = detail::carried<T, Op>;
  const detail::place here;
  const auto state =
      detail::scan_block(here, detail::fold<carried>(items, op), op, scratch, total != nullptr);
  if (total != nullptr) *total = static_cast<T>(state.total);
  const carried before = detail::before_thread(here, state, static_cast<carried>(initial), op);
  detail::scan_items(true, before, items, op);
}

template <exchangeable T, int count, combines<T> Op, int rows>
requires has_identity<Op, T> __device__ void exclusive_scan(T (&items)[count], Op op,
                                                            scratch<T, rows>& scratch,
                                                            T* total = nullptr) {
  using carried = detail::carried<T, Op>;
  const detail::place here;
  const auto state =
      detail::scan_block(here, detail::fold<carried>(items, op), op, scratch, total != nullptr);
  if (total != nullptr) *total = static_cast<T>(state.total);
  const carried before = detail::before_later_thread(here, state, op);
  detail::scan_items_from(here.is_first() ? identity<Op, carried>() : before, items, op);
}

template <exchangeable T, int count, combines<T> Op, int rows>
__device__ void exclusive_scan_from(T initial, T (&items)[count], Op op, scratch<T, rows>& scratch,
                                    T* total = nullptr) {
  using carried = detail::carried<T, Op>;
  const detail::place here;
  const auto state =
      detail::scan_block(here, detail::fold<carried>(items, op), op, scratch, total != nullptr);
  if (total != nullptr) *total = static_cast<T>(state.total);
  const carried before = detail::before_thread(here, state, static_cast<carried>(initial), op);
  detail::scan_items_from(before, items, op);
}

}  // namespace heddle::block
