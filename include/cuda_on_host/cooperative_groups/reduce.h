// Stand-in for <cooperative_groups/reduce.h>: one value per thread in, one value per group out.
#pragma once
#define _COOPERATIVE_GROUPS_REDUCE_H  // programs test for it
#include <cooperative_groups/detail/atomic_update.h>
#include <cooperative_groups/detail/warp_collectives.h>

namespace cooperative_groups {

namespace detail {

// Each warp reduces; then every thread combines the warps' results as a tile with one lane per warp
// would, so that the order is CUDA's.
template <unsigned Size, typename Parent, typename T, typename Op>
inline T reduce_in_block(const thread_block_tile<Size, Parent>& tile, T value, Op&& op) {
  T of_warp = value;
  if constexpr (is_one_operation<T, plain<Op>>) {
    of_warp = reduce_in_one<T, plain<Op>>(0xffffffffu, value);
  } else {
    of_warp = reduce_by_halves(this_warp(), value, op);
  }
  const std::uint64_t* of_thread = tile.gather(of_warp);
  constexpr unsigned most_warps = Size / 32;
  const unsigned warps = tile.warps();
  if (warps < most_warps) {  // the block's last tile may be incomplete
    T total = tile.template from_slot<T>(of_thread[0]);
    for (unsigned warp = 1; warp < warps; ++warp) {
      total = op(total, tile.template from_slot<T>(of_thread[warp * 32]));
    }
    return total;
  }
  // Halves exchange, then quarters, as in a tile with one lane per warp. Recursing from the
  // caller's own warp evaluates only what it needs.
  struct combine {
    const std::uint64_t* of_thread;
    plain<Op>& op;
    T at(unsigned warp, unsigned distance) const {
      if (distance == most_warps) {
        return thread_block_tile<Size, Parent>::template from_slot<T>(of_thread[warp * 32]);
      }
      return op(at(warp, distance * 2), at(warp ^ distance, distance * 2));
    }
  };
  return combine{of_thread, op}.at(tile.thread_rank() / 32, 1);
}

template <typename Group, typename T, typename Op>
inline T reduce_in_group(const Group& group, const T& value, Op&& op) {
  check_collective<Group, T, Op>();
  if constexpr (is_block_tile<Group>) {
    return reduce_in_block(group, value, op);
  } else {
    return reduce_in_warp(group, value, op);
  }
}

}  // namespace detail

// Combines the values of all threads of the group.
//   called by   every thread of the group
//   result in   every thread of the group
//   op          associative and commutative; returns its operands' type
template <typename Group, typename T, typename Op>
inline auto reduce(const Group& group, T&& value, Op&& op) -> decltype(op(value, value)) {
  std::decay_t<Op> function(op);
  return detail::reduce_in_group<Group, detail::plain<T>>(group, value, function);
}

// The same; one thread then applies the result to an atomic, or stores it.
template <typename Group, typename T, ::cuda::thread_scope scope, typename Value, typename Op>
inline void reduce_update_async(const Group& group, ::cuda::atomic<T, scope>& target, Value&& value,
                                Op&& op) {
  const T result = reduce(group, value, op);
  if (group.thread_rank() == 0) (void)detail::update_atomic(target, result, op);
}

template <typename Group, typename T, ::cuda::thread_scope scope, typename Value, typename Op>
inline void reduce_update_async(const Group& group, const ::cuda::atomic_ref<T, scope>& target,
                                Value&& value, Op&& op) {
  const T result = reduce(group, value, op);
  if (group.thread_rank() == 0) (void)detail::update_atomic(target, result, op);
}

template <typename Group, typename T, ::cuda::thread_scope scope, typename Value, typename Op>
inline void reduce_store_async(const Group& group, ::cuda::atomic<T, scope>& target, Value&& value,
                               Op&& op) {
  const T result = reduce(group, value, op);
  if (group.thread_rank() == 0) target.store(result, ::cuda::memory_order_relaxed);
}

template <typename Group, typename T, ::cuda::thread_scope scope, typename Value, typename Op>
inline void reduce_store_async(const Group& group, const ::cuda::atomic_ref<T, scope>& target,
                               Value&& value, Op&& op) {
  const T result = reduce(group, value, op);
  if (group.thread_rank() == 0) target.store(result, ::cuda::memory_order_relaxed);
}

template <typename Group, typename T, typename Value, typename Op>
inline void reduce_store_async(const Group& group, T* target, Value&& value, Op&& op) {
  const T result = reduce(group, value, op);
  if (group.thread_rank() == 0) *target = result;
}

}  // namespace cooperative_groups
