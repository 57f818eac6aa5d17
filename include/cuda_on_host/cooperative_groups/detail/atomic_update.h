// Applies an operator to a cuda::atomic or cuda::atomic_ref, relaxed.
#pragma once
#include <cooperative_groups/detail/operators.h>
#include <cooperative_groups/detail/shuffle.h>
#include <cuda/atomic>

namespace cooperative_groups {
namespace detail {

// Returns the atomic's old value.
template <typename Atomic, typename T, typename Op>
inline T update_atomic(Atomic& target, const T& value, Op&& op) {
  constexpr ::cuda::memory_order relaxed = ::cuda::memory_order_relaxed;
  using function = plain<Op>;
  if constexpr (std::is_integral_v<T> && std::is_same_v<function, plus<T>>) {
    return target.fetch_add(value, relaxed);
  } else if constexpr (std::is_integral_v<T> && std::is_same_v<function, bit_and<T>>) {
    return target.fetch_and(value, relaxed);
  } else if constexpr (std::is_integral_v<T> && std::is_same_v<function, bit_or<T>>) {
    return target.fetch_or(value, relaxed);
  } else if constexpr (std::is_integral_v<T> && std::is_same_v<function, bit_xor<T>>) {
    return target.fetch_xor(value, relaxed);
  } else {
    T held = target.load(relaxed);
    while (!target.compare_exchange_weak(held, op(held, value), relaxed, relaxed)) {
    }
    return held;
  }
}

}  // namespace detail
}  // namespace cooperative_groups
