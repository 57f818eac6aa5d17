// PTX's barriers, fences and operations of a warp.
#pragma once
#include <heddle_host/atomic_scope.hpp>
#include <heddle_host/barrier.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/lane_return.hpp>
#include <heddle_host/meeting.hpp>
#include <heddle_host/progress.hpp>
#include <heddle_host/ptx_registers.hpp>
#include <heddle_host/ptx_values.hpp>

// CUDA's own functions, implemented by the runtime.
void __threadfence();
void __threadfence_block();
void __threadfence_system();
[[noreturn]] void __trap();
void __brkpt();

namespace heddle_host::ptx {

inline void bar_sync(unsigned barrier, unsigned threads) {
  wait_for(arrive_at_named_barrier(barrier, threads));
}
inline void bar_sync(unsigned barrier) { bar_sync(barrier, 0); }
inline void bar_arrive(unsigned barrier, unsigned threads) { pass_named_barrier(barrier, threads); }
inline unsigned bar_red_popc(bool predicate) {
  return wait_for(arrive_at_block_barrier(predicate)).true_predicates;
}
inline bool bar_red_and(bool predicate) {
  const barrier_result all = wait_for(arrive_at_block_barrier(predicate));
  return all.true_predicates == all.arrived;
}
inline bool bar_red_or(bool predicate) { return bar_red_popc(predicate) != 0; }
inline void bar_warp_sync(unsigned mask) {
  wait_for(arrive_at_meeting(warp_operation::sync, mask, 0));
}

inline void cluster_arrive() { ::heddle_host::cluster_arrive(); }
inline void cluster_wait() { ::heddle_host::cluster_wait(); }

// A result of the form `d|p`.
struct value_and_flag {
  unsigned value;
  bool is_true;
};

// ---- shuffles. Bits 8 to 12 of `limits` mask the bits of the lane number that must stay the same.
// Bits 0 to 4 clamp the source: to the last lane that may be read, or for `up` the first. A lane
// whose source is out of range gets its own value, and its predicate is false.
inline value_and_flag shuffle_from(unsigned mask, unsigned value, unsigned source, bool is_within) {
  return {static_cast<unsigned>(wait_for(
              arrive_at_shuffle_index(mask, value, is_within ? source & 31u : laneid(), 32))),
          is_within};
}
inline unsigned shuffle_end(unsigned limits) {
  const unsigned kept = limits >> 8 & 31u;
  return (laneid() & kept) | (limits & 31u & ~kept);
}
inline value_and_flag shfl_up(unsigned value, unsigned distance, unsigned limits, unsigned mask) {
  const unsigned source = laneid() - (distance & 31u);
  const bool is_within = static_cast<int>(source) >= static_cast<int>(shuffle_end(limits));
  return shuffle_from(mask, value, source, is_within);
}
inline value_and_flag shfl_down(unsigned value, unsigned distance, unsigned limits, unsigned mask) {
  const unsigned source = laneid() + (distance & 31u);
  return shuffle_from(mask, value, source, source <= shuffle_end(limits));
}
inline value_and_flag shfl_bfly(unsigned value, unsigned distance, unsigned limits, unsigned mask) {
  const unsigned source = laneid() ^ (distance & 31u);
  return shuffle_from(mask, value, source, source <= shuffle_end(limits));
}
inline value_and_flag shfl_idx(unsigned value, unsigned index, unsigned limits, unsigned mask) {
  const unsigned kept = limits >> 8 & 31u;
  const unsigned source = (laneid() & kept) | (index & 31u & ~kept);
  return shuffle_from(mask, value, source, source <= shuffle_end(limits));
}

// ---- votes, matches and reductions, as CUDA's functions do them
inline unsigned meet(warp_operation operation, unsigned mask, std::uint64_t value) {
  return static_cast<unsigned>(wait_for(arrive_at_meeting(operation, mask, value)));
}
inline unsigned activemask() { return active_lanes(); }
inline bool vote_all(bool predicate, unsigned mask) {
  return meet(warp_operation::vote_all, mask, predicate) != 0;
}
inline bool vote_any(bool predicate, unsigned mask) {
  return meet(warp_operation::vote_any, mask, predicate) != 0;
}
inline bool vote_uni(bool predicate, unsigned mask) {
  return meet(warp_operation::vote_uniform, mask, predicate) != 0;
}
inline unsigned vote_ballot(bool predicate, unsigned mask) {
  return meet(warp_operation::ballot, mask, predicate);
}
template <typename T>
inline unsigned match_any_sync(T value, unsigned mask) {
  return match_any(mask, value);
}
template <typename T>
inline value_and_flag match_all_sync(T value, unsigned mask) {
  const unsigned same = meet(warp_operation::match_all, mask, value);
  return {same, same != 0};
}

// The lowest lane of those that take part.
inline value_and_flag elect(unsigned mask) {
  const unsigned lanes = meet(warp_operation::ballot, mask, 1);
  const auto leader = static_cast<unsigned>(__builtin_ctz(lanes));
  return {leader, leader == laneid()};
}

// Maps numbers to unsigned integers of the same order, and back.
template <typename T>
inline unsigned order_key(T value) {
  const auto bits = take<unsigned>(value);
  if constexpr (std::is_same_v<T, float>) return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  if constexpr (std::is_same_v<T, int>) return bits ^ 0x80000000u;
  return bits;
}
template <typename T>
inline T from_order_key(unsigned key) {
  if constexpr (std::is_same_v<T, float>)
    return take<float>(key & 0x80000000u ? key & 0x7fffffffu : ~key);
  if constexpr (std::is_same_v<T, int>) return static_cast<int>(key ^ 0x80000000u);
  return take<T>(key);
}
// NaN loses against every number, or wins with .NaN, so it becomes the last or the first key.
template <typename T, how::set modifiers>
inline T redux_extreme(T value, unsigned mask, warp_operation operation) {
  if constexpr (std::is_same_v<T, float>) {
    const bool is_minimum = operation == warp_operation::reduce_min;
    if (how::has(modifiers, how::abs)) value = take<float>(take<unsigned>(value) & 0x7fffffffu);
    const bool nan_is_low = is_minimum == how::has(modifiers, how::NaN);
    const unsigned key = value == value ? order_key(value) : nan_is_low ? 0u : ~0u;
    const unsigned found = meet(operation, mask, key);
    if (found == 0u || found == ~0u) return take<float>(0x7fffffffu);
    return from_order_key<float>(found);
  } else {
    return from_order_key<T>(meet(operation, mask, order_key(value)));
  }
}
template <typename T, how::set modifiers>
inline T redux_min(T value, unsigned mask) {
  return redux_extreme<T, modifiers>(value, mask, warp_operation::reduce_min);
}
template <typename T, how::set modifiers>
inline T redux_max(T value, unsigned mask) {
  return redux_extreme<T, modifiers>(value, mask, warp_operation::reduce_max);
}
inline unsigned redux_add(unsigned value, unsigned mask) {
  return meet(warp_operation::reduce_add, mask, value);
}
inline unsigned redux_and(unsigned value, unsigned mask) {
  return meet(warp_operation::reduce_and, mask, value);
}
inline unsigned redux_or(unsigned value, unsigned mask) {
  return meet(warp_operation::reduce_or, mask, value);
}
inline unsigned redux_xor(unsigned value, unsigned mask) {
  return meet(warp_operation::reduce_xor, mask, value);
}

// ---- fences
inline void fence_block() { __threadfence_block(); }
inline void fence_device() { __threadfence(); }
inline void fence_system() { __threadfence_system(); }

// Weaker than CUDA's fences, which are sequentially consistent.
inline void fence_acq_rel(memory_scope scope) {
  {
    const atomic_scope whom(scope);
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
  }
  spin_hint();
}

inline void nanosleep(unsigned nanoseconds) { ::heddle_host::nanosleep(nanoseconds); }
inline void trap() { ::__trap(); }
inline void brkpt() { ::__brkpt(); }
[[noreturn, gnu::always_inline]] inline void exit() {  // inlined, so reports name the lane's line
  lane_returns();
  exit_lane();
}

}  // namespace heddle_host::ptx
