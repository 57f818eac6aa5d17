// Warp-aggregated atomics: one atomic update for each distinct address in the warp.
//   strategy    a match groups the lanes by address; each group combines its values by shuffles,
//               and one of its lanes makes the atomic update and shares the result
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/match.cuh>
#include <heddle/warp/reduce.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::warp {

// True if one atomic can update a T in memory with Op: 32- and 64-bit integers with plus, minimum,
// maximum, bit_and, bit_or, bit_xor; float and double with plus, minimum, maximum.
template <typename Op, typename T>
inline constexpr bool has_atomic =
    (std::is_same_v<Op, plus> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>)
        ? (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) ||
              std::is_same_v<T, float> || std::is_same_v<T, double>
        : (std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> ||
           std::is_same_v<Op, bit_xor>)&&std::is_integral_v<T> &&
              (sizeof(T) == 4 || sizeof(T) == 8);

namespace detail {

// CUDA's atomic functions have overloads for these four integer types, but none for `long`.
template <typename T>
using unsigned_twin = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
template <typename T>
using signed_twin = std::conditional_t<sizeof(T) == 4, int, long long>;
template <typename T>
using atomic_twin = std::conditional_t<std::is_signed_v<T>, signed_twin<T>, unsigned_twin<T>>;

template <typename To, typename From>
__device__ inline To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

// Atomic minimum or maximum of floating-point numbers, as minimum and maximum define them: NaN
// loses, -0 is below +0. Numbers above 0 are ordered as their bits are, numbers below 0 in reverse,
// so integer atomics suffice. A NaN in memory that sorts at the wrong end survives them; a
// compare-and-swap loop then replaces it.
template <typename T, typename Op>
__device__ inline T update_extreme(T* address, T value, Op op) {
  using number = unsigned_twin<T>;
  using signed_number = signed_twin<T>;
  constexpr bool smaller_wins = std::is_same_v<Op, minimum>;
  constexpr number sign = number{1} << (8 * sizeof(T) - 1);
  const bool value_is_nan = value != value;
  auto bits = same_bits<number>(value);
  // This NaN loses against every number.
  if (value_is_nan) bits = smaller_wins ? ~sign : ~number{0};
  auto* const word = reinterpret_cast<number*>(address);
  auto* const signed_word = reinterpret_cast<signed_number*>(address);
  number old;
  if ((bits & sign) == 0) {
    const auto operand = static_cast<signed_number>(bits);
    old = static_cast<number>(smaller_wins ? atomicMin(signed_word, operand)
                                           : atomicMax(signed_word, operand));
  } else {
    old = smaller_wins ? atomicMax(word, bits) : atomicMin(word, bits);
  }
  T seen = same_bits<T>(old);
  if (seen != seen && ((old & sign) != 0) == smaller_wins && !value_is_nan) {
    number expected;
    do {
      expected = old;
      old = atomicCAS(word, expected, same_bits<number>(op(same_bits<T>(expected), value)));
    } while (old != expected);
    seen = same_bits<T>(old);
  }
  return seen;
}

// One lane's atomic update; returns the value before it.
template <typename T, typename Op>
__device__ inline T update_alone(T* address, T value, Op op) {
  static_assert(has_atomic<Op, T>);
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (std::is_same_v<Op, plus>) {
      return atomicAdd(address, value);
    } else {
      return update_extreme(address, value, op);
    }
  } else if constexpr (std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>) {
    auto* const word = reinterpret_cast<atomic_twin<T>*>(address);
    const auto operand = static_cast<atomic_twin<T>>(value);
    if constexpr (std::is_same_v<Op, minimum>) {
      return static_cast<T>(atomicMin(word, operand));
    } else {
      return static_cast<T>(atomicMax(word, operand));
    }
  } else {
    auto* const word = reinterpret_cast<unsigned_twin<T>*>(address);
    const auto operand = static_cast<unsigned_twin<T>>(value);
    if constexpr (std::is_same_v<Op, plus>) {
      return static_cast<T>(atomicAdd(word, operand));
    } else if constexpr (std::is_same_v<Op, bit_and>) {
      return static_cast<T>(atomicAnd(word, operand));
    } else if constexpr (std::is_same_v<Op, bit_or>) {
      return static_cast<T>(atomicOr(word, operand));
    } else {
      return static_cast<T>(atomicXor(word, operand));
    }
  }
}

// Combines the values of each set of peers in lane order, as a tree of neighbours. The result is in
// the first peer. `peers` comes from match_any().
template <typename T, typename Op>
__device__ inline T combine_peers(lane_mask peers, T value, Op op, lane_mask members) {
  // If all members are peers of one lane, they are peers of every lane.
  if constexpr (has_instruction<warp_size, T, Op>) {
    if (peers == members) return reduce_by_instruction<T, Op>(members, value);
  } else {
    if (peers == all_lanes) return reduce(value, op);
  }
  const int lane = lane_id();
  int my_rank = rank(peers);
  lane_mask later = peers & ~lanes_below(lane + 1);
  // Before each step the remaining peers hold the result of 1, 2, 4, … ranks each.
  while (__any_sync(members, later != 0)) {
    const int next = first_lane(later);
    const T other = shuffle(members, value, next < 0 ? lane : next);
    if (next >= 0) value = op(value, other);
    // Every second peer has passed on its value and drops out.
    later &= __ballot_sync(members, (my_rank & 1) == 0);
    my_rank >>= 1;
  }
  return value;
}

// Inclusive scan over each set of peers, in lane order.
//   previous    the peer before the caller, -1 for the first
template <typename T, typename Op>
__device__ inline T scan_peers(lane_mask peers, int previous, T value, Op op, lane_mask members) {
  const int lane = lane_id();
  if (peers == all_lanes) {
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
      const T before = shuffle_up(members, value, distance);
      if (lane >= distance) value = op(before, value);
    }
    return value;
  }
  // Before each step a lane holds the result of the last 1, 2, 4, … peers up to and including
  // itself, and `previous` is the peer that many ranks below.
  while (__any_sync(members, previous >= 0)) {
    const int source = previous < 0 ? lane : previous;
    const T before = shuffle(members, value, source);
    if (previous >= 0) value = op(before, value);
    previous = shuffle(members, previous, source);
  }
  return value;
}

template <typename T, typename Op>
__device__ inline T update_with_result(T* address, T value, Op op, lane_mask members) {
  const lane_mask peers = match_any(reinterpret_cast<std::uintptr_t>(address), members);
  const int lane = lane_id();
  const int previous = previous_lane(peers, lane);
  const int last = last_lane(peers);
  const T inclusive = scan_peers(peers, previous, value, op, members);
  T old = value;
  if (lane == last) old = update_alone(address, inclusive, op);
  old = shuffle(members, old, last);
  // The result of the peers before the caller; not used in the first peer.
  T exclusive;
  if constexpr (std::is_integral_v<T> && std::is_same_v<Op, plus>) {
    exclusive = static_cast<T>(inclusive - value);
  } else {
    exclusive = shuffle(members, inclusive, previous < 0 ? lane : previous);
  }
  return previous < 0 ? old : op(old, exclusive);
}

// Shared memory has native atomics for 32-bit integers and merges increments of one address. If the
// lanes have several addresses, that is faster than finding the peers by a match. Everything else
// is a compare-and-swap loop, which runs once more for each conflicting lane.
template <typename T>
inline constexpr bool is_updated_by_shared_memory = std::is_integral_v<T> && sizeof(T) == 4;

// Without __isShared, lanes are always aggregated, which is also correct.
template <typename Pointer>
concept knows_its_memory = requires(Pointer address) {
  __isShared(address);
};

template <typename T>
__device__ inline bool is_in_shared_memory(T* address) {
  if constexpr (knows_its_memory<T*>) {
    return __isShared(address) != 0;
  } else {
    return false;
  }
}

// Updates in shared memory: aggregated if all lanes have the same word, else one atomic per lane.
//   word        identifies the address: equal for equal addresses
template <typename T, typename Op>
__device__ inline void update_in_shared_memory(T* address, std::uint32_t word, T value, Op op,
                                               bool takes_part, lane_mask members) {
  const int first = first_lane(members);
  if (__all_sync(members, shuffle(members, word, first) == word)) {
    value = combine_peers(members, value, op, members);
    takes_part = takes_part && lane_id() == first;
  }
  if (takes_part) static_cast<void>(update_alone(address, value, op));
}

template <typename T, typename Op>
__device__ inline void update_without_result(T* address, T value, Op op, lane_mask members) {
  if constexpr (is_updated_by_shared_memory<T>) {
    if (__all_sync(members, is_in_shared_memory(address))) {
      const auto word = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address));
      return update_in_shared_memory(address, word, value, op, true, members);
    }
  }
  const lane_mask peers = match_any(reinterpret_cast<std::uintptr_t>(address), members);
  const T total = combine_peers(peers, value, op, members);
  const bool is_first_of_address = rank(peers) == 0;
  if (is_first_of_address) static_cast<void>(update_alone(address, total, op));
}

// Integer sums wrap around, as those of atomicAdd do, so they are computed in unsigned types.
template <typename T, typename Op>
using summed_as =
    std::conditional_t<std::is_integral_v<T> && std::is_same_v<Op, plus>, unsigned_twin<T>, T>;

}  // namespace detail

// Updates *address with `value` in every lane, with one atomic for each distinct address.
//   called by   every lane of `members`: any set of lanes; their addresses may differ
//   result in   every caller: the value at its address just before its own update, as if the lanes
//               with the same address had made theirs in lane order with no other thread in between
//   op          plus, minimum, maximum, bit_and, bit_or, bit_xor for 32- and 64-bit integers,
//               exact; plus, minimum, maximum for float and double
//   order       relaxed, like CUDA's atomic functions. Floating-point sums: the values for an
//               address are first added up in lane order, then added to memory once. A lane's
//               result is the old value plus the sum of the lanes before it, rounded accordingly
//   cost        one match, one atomic, two shuffles for every four bytes; then log2(n) steps if up
//               to n lanes have the same address, each with a vote, a shuffle, and another shuffle
//               for every four bytes. No votes if all 32 lanes have the same address
template <typename T, typename Op = plus>
[[nodiscard]] __device__ T aggregated_update(T* address, std::type_identity_t<T> value, Op op = {},
                                             lane_mask members = all_lanes) {
  static_assert(has_atomic<Op, T>, "no atomic updates such a type with such an operator");
  using number = detail::summed_as<T, Op>;
  return static_cast<T>(detail::update_with_result(reinterpret_cast<number*>(address),
                                                   static_cast<number>(value), op, members));
}

// aggregated_update() for callers that do not need the old value.
//   called by   every lane of `members`: any set of lanes; their addresses may differ
//   op          as aggregated_update()
//   order       relaxed. Floating-point sums: a tree of neighbours in lane order, then one addition
//               to memory
//   cost        one match, one atomic; then log2(n) steps if up to n lanes have the same address,
//               each with two votes and one shuffle for every four bytes. If all lanes have the
//               same address, 32-bit integers need one instruction instead of the steps. 32-bit
//               integers in shared memory: two votes and a shuffle, then that instruction and one
//               atomic if all lanes have the same address, else one atomic per lane
template <typename T, typename Op = plus>
__device__ void aggregated_update_without_result(T* address, std::type_identity_t<T> value,
                                                 Op op = {}, lane_mask members = all_lanes) {
  static_assert(has_atomic<Op, T>, "no atomic updates such a type with such an operator");
  using number = detail::summed_as<T, Op>;
  detail::update_without_result(reinterpret_cast<number*>(address), static_cast<number>(value), op,
                                members);
}

// aggregated_update() with plus, with and without result.
template <typename T>
[[nodiscard]] __device__ T aggregated_add(T* address, std::type_identity_t<T> value,
                                          lane_mask members = all_lanes) {
  return aggregated_update(address, value, plus{}, members);
}
template <typename T>
__device__ void aggregated_add_without_result(T* address, std::type_identity_t<T> value,
                                              lane_mask members = all_lanes) {
  aggregated_update_without_result(address, value, plus{}, members);
}

// Stores `value` at *address in every lane, with one store for each distinct address: the last
// lane's value wins. (With plain stores to one address, any lane's value may win.)
//   called by   every lane of `members`: any set of lanes; their addresses may differ
//   order       relaxed
//   cost        one match, one store
template <typename T>
__device__ void aggregated_set(T* address, std::type_identity_t<T> value,
                               lane_mask members = all_lanes) {
  static_assert(std::is_arithmetic_v<T>, "aggregated_set stores numbers");
  const lane_mask peers = match_any(reinterpret_cast<std::uintptr_t>(address), members);
  if (lane_id() == last_lane(peers)) *static_cast<volatile T*>(address) = value;
}

// Draws a ticket for each lane from one counter, with a single atomic.
//   called by   every lane of `members`, all with the same counter. To draw for some lanes only:
//               const lane_mask wanting = ballot(wants);
//               if (wants) ticket = aggregated_increment(counter, wanting);
//   result in   every caller: the tickets of a warp are consecutive, in lane order
//   order       relaxed
//   cost        one atomic addition, one shuffle for every four bytes, two population counts
template <typename T>
[[nodiscard]] __device__ T aggregated_increment(T* counter, lane_mask members = all_lanes) {
  static_assert(std::is_integral_v<T> && has_atomic<plus, T>,
                "a counter is a 32- or 64-bit integer");
  HEDDLE_EXPECTS(contains(members, lane_id()),
                 "aggregated_increment needs its caller among its members");
  HEDDLE_EXPECTS(heddle::detail::all_call(members, members),
                 "aggregated_increment needs all its members to call, but one has exited or has no "
                 "thread");
  const int my_rank = rank(members);
  T first_ticket = 0;
  if (my_rank == 0) {
    first_ticket = detail::update_alone(counter, static_cast<T>(count(members)), plus{});
  }
  return shuffle(members, first_ticket, first_lane(members)) + static_cast<T>(my_rank);
}

}  // namespace heddle::warp
