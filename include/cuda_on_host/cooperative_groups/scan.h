// Stand-in for <cooperative_groups/scan.h>: each thread gets the combined values of the threads
// before it.
#pragma once
#define _COOPERATIVE_GROUPS_SCAN_H  // programs test for it
#include <cooperative_groups/detail/atomic_update.h>
#include <cooperative_groups/detail/warp_collectives.h>

namespace cooperative_groups {

namespace detail {

enum class scan_kind { inclusive, exclusive };

// A thread's results: the values up to and including its own, and those before it (a
// value-initialised T in the first thread).
template <typename T>
struct scanned {
  T inclusive;
  T exclusive;
  T total;  // of the whole group
};

template <typename Group, typename T, typename Op>
inline scanned<T> scan_warp_group(const Group& group, const T& value, Op& op) {
  const T inclusive = scan_in_warp(group, value, op);
  const T before = group.shfl_up(inclusive, 1);
  return {inclusive, group.thread_rank() == 0 ? T{} : before,
          group.shfl(inclusive, static_cast<int>(group.size() - 1))};
}

template <unsigned Size, typename Parent, typename T, typename Op>
inline scanned<T> scan_block_tile(const thread_block_tile<Size, Parent>& tile, const T& value,
                                  Op& op) {
  const warp_tile<32> warp = this_warp();
  const T inclusive = scan_in_warp(warp, value, op);
  const T before = warp.shfl_up(inclusive, 1);
  const std::uint64_t* of_thread = tile.gather(inclusive);
  const unsigned own_warp = tile.thread_rank() / 32, warps = tile.warps();
  const unsigned left = thread_block::size() - (thread_block::thread_rank() - tile.thread_rank());
  const unsigned threads = left < Size ? left : Size;

  // The last thread of each warp holds that warp's total.
  T total{}, before_warp{};
  for (unsigned warp_rank = 0; warp_rank < warps; ++warp_rank) {
    const unsigned last = warp_rank * 32 + 31 < threads ? warp_rank * 32 + 31 : threads - 1;
    const T of_warp = tile.template from_slot<T>(of_thread[last]);
    if (warp_rank == own_warp) before_warp = total;
    total = warp_rank == 0 ? of_warp : op(of_warp, total);
  }
  const bool is_first_lane = warp.thread_rank() == 0;
  if (own_warp == 0) return {inclusive, is_first_lane ? T{} : before, total};
  return {op(inclusive, before_warp), is_first_lane ? before_warp : op(before, before_warp), total};
}

template <typename Group, typename T, typename Op>
inline scanned<T> scan_group(const Group& group, const T& value, Op& op) {
  check_collective<Group, T, Op>();
  if constexpr (is_block_tile<Group>) {
    return scan_block_tile(group, value, op);
  } else {
    return scan_warp_group(group, value, op);
  }
}

template <scan_kind kind, typename Group, typename Value, typename Op>
inline plain<Value> scan(const Group& group, const Value& value, Op&& op) {
  std::decay_t<Op> function(op);
  const scanned<Value> result = scan_group(group, value, function);
  return kind == scan_kind::inclusive ? result.inclusive : result.exclusive;
}

// The last thread combines the group's total into the atomic, and the scan continues from the
// atomic's old value.
template <scan_kind kind, typename Group, typename Atomic, typename T, typename Op>
inline T scan_update(const Group& group, Atomic& target, const T& value, Op&& op) {
  std::decay_t<Op> function(op);
  const scanned<T> result = scan_group(group, value, function);
  const unsigned last = group.size() - 1;
  T held{};
  if (group.thread_rank() == last) held = update_atomic(target, result.total, function);
  held = group.shfl(held, last);
  if constexpr (kind == scan_kind::inclusive) {
    return function(held, result.inclusive);
  } else {
    return group.thread_rank() == 0 ? held : function(held, result.exclusive);
  }
}

}  // namespace detail

// Called by every thread of the group; as CUDA requires, `op` is associative and commutative.
template <typename Group, typename Value, typename Op>
inline auto inclusive_scan(const Group& group, Value&& value, Op&& op)
    -> decltype(op(value, value)) {
  return detail::scan<detail::scan_kind::inclusive, Group, detail::plain<Value>>(group, value, op);
}
template <typename Group, typename Value>
inline detail::plain<Value> inclusive_scan(const Group& group, Value&& value) {
  return inclusive_scan(group, value, plus<detail::plain<Value>>());
}

// The first thread gets a value-initialised value.
template <typename Group, typename Value, typename Op>
inline auto exclusive_scan(const Group& group, Value&& value, Op&& op)
    -> decltype(op(value, value)) {
  return detail::scan<detail::scan_kind::exclusive, Group, detail::plain<Value>>(group, value, op);
}
template <typename Group, typename Value>
inline detail::plain<Value> exclusive_scan(const Group& group, Value&& value) {
  return exclusive_scan(group, value, plus<detail::plain<Value>>());
}

// The scan continues from an atomic's value, and the group's total is combined into the atomic.
template <typename Group, typename T, ::cuda::thread_scope scope, typename Value, typename Op>
inline T inclusive_scan_update(const Group& group, ::cuda::atomic<T, scope>& target, Value&& value,
                               Op&& op) {
  return detail::scan_update<detail::scan_kind::inclusive, Group, ::cuda::atomic<T, scope>, T>(
      group, target, value, op);
}
template <typename Group, typename T, ::cuda::thread_scope scope, typename Value>
inline T inclusive_scan_update(const Group& group, ::cuda::atomic<T, scope>& target,
                               Value&& value) {
  return inclusive_scan_update(group, target, value, plus<T>());
}
template <typename Group, typename T, ::cuda::thread_scope scope, typename Value, typename Op>
inline T inclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, scope>& target,
                               Value&& value, Op&& op) {
  return detail::scan_update<detail::scan_kind::inclusive, Group,
                             const ::cuda::atomic_ref<T, scope>, T>(group, target, value, op);
}
template <typename Group, typename T, ::cuda::thread_scope scope, typename Value>
inline T inclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, scope>& target,
                               Value&& value) {
  return inclusive_scan_update(group, target, value, plus<T>());
}

template <typename Group, typename T, ::cuda::thread_scope scope, typename Value, typename Op>
inline T exclusive_scan_update(const Group& group, ::cuda::atomic<T, scope>& target, Value&& value,
                               Op&& op) {
  return detail::scan_update<detail::scan_kind::exclusive, Group, ::cuda::atomic<T, scope>, T>(
      group, target, value, op);
}
template <typename Group, typename T, ::cuda::thread_scope scope, typename Value>
inline T exclusive_scan_update(const Group& group, ::cuda::atomic<T, scope>& target,
                               Value&& value) {
  return exclusive_scan_update(group, target, value, plus<T>());
}
template <typename Group, typename T, ::cuda::thread_scope scope, typename Value, typename Op>
inline T exclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, scope>& target,
                               Value&& value, Op&& op) {
  return detail::scan_update<detail::scan_kind::exclusive, Group,
                             const ::cuda::atomic_ref<T, scope>, T>(group, target, value, op);
}
template <typename Group, typename T, ::cuda::thread_scope scope, typename Value>
inline T exclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, scope>& target,
                               Value&& value) {
  return exclusive_scan_update(group, target, value, plus<T>());
}

}  // namespace cooperative_groups
