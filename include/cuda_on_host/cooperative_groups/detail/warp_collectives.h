// Reduction and scan within a warp, in the order in which CUDA's own library combines values.
#pragma once
#include <type_traits>

#include <cooperative_groups.h>
#include <cooperative_groups/detail/operators.h>

namespace cooperative_groups {
namespace detail {

template <typename Group>
inline constexpr bool is_warp_group = std::is_same_v<Group, coalesced_group>;
template <unsigned Size, typename Parent>
inline constexpr bool is_warp_group<thread_block_tile<Size, Parent>> = (Size <= 32);

template <typename Group>
inline constexpr bool is_block_tile = false;
template <unsigned Size, typename Parent>
inline constexpr bool is_block_tile<thread_block_tile<Size, Parent>> = (Size > 32);

template <typename Group, typename T, typename Op>
inline constexpr void check_collective() {
  static_assert(is_warp_group<Group> || is_block_tile<Group>,
                "collectives take a thread_block_tile or a coalesced_group");
  static_assert(std::is_same_v<plain<std::invoke_result_t<Op&, T&, T&>>, T>,
                "the operator must return the type of its operands");
}

// For integers of up to 32 bits and CUDA's own operators, one warp operation replaces five
// shuffles, and any order gives the same bits.
template <typename T>
inline constexpr bool is_small_integer = std::is_integral_v<T> && sizeof(T) <= 4;
template <typename T, typename Op>
inline constexpr bool is_plus = std::is_same_v<Op, plus<T>>;
template <typename T, typename Op>
inline constexpr bool is_bitwise = std::is_same_v<Op, bit_and<T>> ||
                                   std::is_same_v<Op, bit_or<T>> || std::is_same_v<Op, bit_xor<T>>;
template <typename T, typename Op>
inline constexpr bool is_one_operation = is_small_integer<T> &&
                                         (is_plus<T, Op> || is_bitwise<T, Op> ||
                                          std::is_same_v<Op, less<T>> ||
                                          std::is_same_v<Op, greater<T>>);

template <typename T, typename Op>
inline T reduce_in_one(unsigned members, T value) {
  using wide = std::conditional_t<std::is_unsigned_v<T> || is_bitwise<T, Op>, unsigned, int>;
  const wide operand = static_cast<wide>(value);
  if constexpr (is_plus<T, Op>) {
    return static_cast<T>(__reduce_add_sync(members, operand));
  } else if constexpr (std::is_same_v<Op, less<T>>) {
    return static_cast<T>(__reduce_min_sync(members, operand));
  } else if constexpr (std::is_same_v<Op, greater<T>>) {
    return static_cast<T>(__reduce_max_sync(members, operand));
  } else if constexpr (std::is_same_v<Op, bit_and<T>>) {
    return static_cast<T>(__reduce_and_sync(members, operand));
  } else if constexpr (std::is_same_v<Op, bit_or<T>>) {
    return static_cast<T>(__reduce_or_sync(members, operand));
  } else {
    return static_cast<T>(__reduce_xor_sync(members, operand));
  }
}

// Each member ends up with op(own, …, earlier), over distances 1, 2, 4 …
template <typename Group, typename T, typename Op>
inline T scan_in_warp(const Group& group, T value, Op&& op) {
  const unsigned rank = group.thread_rank();
  for (unsigned distance = 1; distance < group.size(); distance *= 2) {
    const T earlier = group.shfl_up(value, distance);
    if (rank >= distance) value = op(value, earlier);
  }
  return value;
}

// Halves of the tile exchange, then quarters, …: every lane ends up combining the same operands.
template <unsigned Size, typename T, typename Op>
inline T reduce_by_halves(const warp_tile<Size>& tile, T value, Op&& op) {
  for (unsigned distance = Size / 2; distance != 0; distance /= 2) {
    value = op(value, tile.shfl_xor(value, distance));
  }
  return value;
}

template <typename Group, typename T, typename Op>
inline T reduce_in_warp(const Group& group, T value, Op&& op) {
  if constexpr (is_one_operation<T, plain<Op>>) {
    return reduce_in_one<T, plain<Op>>(group_access::mask_of(group), value);
  } else if constexpr (std::is_same_v<Group, coalesced_group>) {
    if (group.size() == 32) return reduce_by_halves(warp_tile<32>(), value, op);
    return group.shfl(scan_in_warp(group, value, op), static_cast<int>(group.size() - 1));
  } else {
    return reduce_by_halves(group, value, op);
  }
}

// The caller's warp, as part of a tile of several warps.
inline warp_tile<32> this_warp() { return {}; }

}  // namespace detail
}  // namespace cooperative_groups
