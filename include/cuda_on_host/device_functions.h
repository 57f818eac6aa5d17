// Device functions that the CPU runtime implements: warp operations, barriers, fences, time.
#pragma once
#define __DEVICE_FUNCTIONS_H__  // programs test for it
#include <cstdint>
#include <ctime>

#include <vector_types.h>

#include <heddle_host/address_spaces.hpp>
#include <heddle_host/meeting.hpp>

namespace heddle_host {

// Values are exchanged as bits.
template <typename T>
[[gnu::always_inline]] inline ::std::uint64_t to_bits(T value) {
  if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(::std::uint64_t, value);
  } else {
    return __builtin_bit_cast(::std::uint32_t, value);
  }
}

template <typename T>
[[gnu::always_inline]] inline T from_bits(::std::uint64_t bits) {
  if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(T, bits);
  } else {
    return __builtin_bit_cast(T, static_cast<::std::uint32_t>(bits));
  }
}

// Offsets signed integers so that they can be compared as unsigned ones.
inline constexpr unsigned origin = 0x8000'0000u;

// An operation with the same result for all lanes of the mask.
[[gnu::always_inline]] inline unsigned agree(warp_operation operation, unsigned mask,
                                             unsigned value) {
  return static_cast<unsigned>(wait_for(arrive_at_meeting(operation, mask, value)));
}

}  // namespace heddle_host

#define HEDDLE_LANE_FUNCTION [[gnu::always_inline, gnu::artificial]] inline

// ---- shuffles: one value from another lane of the mask
#define HEDDLE_SHUFFLE(T, name, Operand, mode)                                             \
  HEDDLE_LANE_FUNCTION T name(unsigned mask, T value, Operand operand, int width = 32) {   \
    return ::heddle_host::from_bits<T>(                                                    \
        ::heddle_host::wait_for(::heddle_host::arrive_at_shuffle_##mode(                   \
            mask, ::heddle_host::to_bits(value), static_cast<unsigned>(operand), width))); \
  }
#define HEDDLE_MATCH(T)                                                                        \
  HEDDLE_LANE_FUNCTION unsigned __match_any_sync(unsigned mask, T value) {                     \
    return ::heddle_host::match_any(mask, ::heddle_host::to_bits(value));                      \
  }                                                                                            \
  HEDDLE_LANE_FUNCTION unsigned __match_all_sync(unsigned mask, T value, int* all_are_equal) { \
    const auto same =                                                                          \
        static_cast<unsigned>(::heddle_host::wait_for(::heddle_host::arrive_at_meeting(        \
            ::heddle_host::warp_operation::match_all, mask, ::heddle_host::to_bits(value))));  \
    *all_are_equal = same != 0;                                                                \
    return same;                                                                               \
  }
#define HEDDLE_EXCHANGES(T)                           \
  HEDDLE_SHUFFLE(T, __shfl_sync, int, index)          \
  HEDDLE_SHUFFLE(T, __shfl_up_sync, unsigned, up)     \
  HEDDLE_SHUFFLE(T, __shfl_down_sync, unsigned, down) \
  HEDDLE_SHUFFLE(T, __shfl_xor_sync, int, xor)        \
  HEDDLE_MATCH(T)
HEDDLE_EXCHANGES(int)
HEDDLE_EXCHANGES(unsigned)
HEDDLE_EXCHANGES(long)
HEDDLE_EXCHANGES(unsigned long)
HEDDLE_EXCHANGES(long long)
HEDDLE_EXCHANGES(unsigned long long)
HEDDLE_EXCHANGES(float)
HEDDLE_EXCHANGES(double)
#undef HEDDLE_EXCHANGES
#undef HEDDLE_MATCH
#undef HEDDLE_SHUFFLE

// ---- votes
HEDDLE_LANE_FUNCTION int __any_sync(unsigned mask, int predicate) {
  return static_cast<int>(
      ::heddle_host::agree(::heddle_host::warp_operation::vote_any, mask, predicate != 0));
}
HEDDLE_LANE_FUNCTION int __all_sync(unsigned mask, int predicate) {
  return static_cast<int>(
      ::heddle_host::agree(::heddle_host::warp_operation::vote_all, mask, predicate != 0));
}
HEDDLE_LANE_FUNCTION int __uni_sync(unsigned mask, int predicate) {
  return static_cast<int>(
      ::heddle_host::agree(::heddle_host::warp_operation::vote_uniform, mask, predicate != 0));
}
HEDDLE_LANE_FUNCTION unsigned __ballot_sync(unsigned mask, int predicate) {
  return ::heddle_host::agree(::heddle_host::warp_operation::ballot, mask, predicate != 0);
}

// ---- reductions of 32-bit integers
#define HEDDLE_REDUCTION(name)                                                              \
  HEDDLE_LANE_FUNCTION unsigned __reduce_##name##_sync(unsigned mask, unsigned value) {     \
    return ::heddle_host::agree(::heddle_host::warp_operation::reduce_##name, mask, value); \
  }
HEDDLE_REDUCTION(add)
HEDDLE_REDUCTION(min)
HEDDLE_REDUCTION(max)
HEDDLE_REDUCTION(and)
HEDDLE_REDUCTION(or)
HEDDLE_REDUCTION(xor)
#undef HEDDLE_REDUCTION

HEDDLE_LANE_FUNCTION int __reduce_add_sync(unsigned mask, int value) {
  return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned>(value)));
}
HEDDLE_LANE_FUNCTION int __reduce_min_sync(unsigned mask, int value) {
  const unsigned shifted = static_cast<unsigned>(value) ^ ::heddle_host::origin;
  return static_cast<int>(__reduce_min_sync(mask, shifted) ^ ::heddle_host::origin);
}
HEDDLE_LANE_FUNCTION int __reduce_max_sync(unsigned mask, int value) {
  const unsigned shifted = static_cast<unsigned>(value) ^ ::heddle_host::origin;
  return static_cast<int>(__reduce_max_sync(mask, shifted) ^ ::heddle_host::origin);
}

HEDDLE_LANE_FUNCTION unsigned __activemask() { return ::heddle_host::active_lanes(); }
HEDDLE_LANE_FUNCTION void __syncwarp(unsigned mask = 0xffffffffu) {
  ::heddle_host::agree(::heddle_host::warp_operation::sync, mask, 0);
}

// ---- block
// clang already has a __syncthreads for device code, and rejects a host-and-device one beside it
// (heddle_clangd.h).
#if defined(__CUDA__) && defined(__clang__)
#pragma clang force_cuda_host_device end
__attribute__((device)) void __syncthreads();
#pragma clang force_cuda_host_device begin
#else
HEDDLE_LANE_FUNCTION void __syncthreads() {
  ::heddle_host::wait_for(::heddle_host::arrive_at_block_barrier(false));
}
#endif
HEDDLE_LANE_FUNCTION int __syncthreads_count(int predicate) {
  return static_cast<int>(
      ::heddle_host::wait_for(::heddle_host::arrive_at_block_barrier(predicate != 0))
          .true_predicates);
}
HEDDLE_LANE_FUNCTION int __syncthreads_and(int predicate) {
  const auto all = ::heddle_host::wait_for(::heddle_host::arrive_at_block_barrier(predicate != 0));
  return all.true_predicates == all.arrived;
}
HEDDLE_LANE_FUNCTION int __syncthreads_or(int predicate) {
  return __syncthreads_count(predicate) != 0;
}
HEDDLE_LANE_FUNCTION void __barrier_sync_count(unsigned barrier, unsigned threads) {
  ::heddle_host::wait_for(::heddle_host::arrive_at_named_barrier(barrier, threads));
}
HEDDLE_LANE_FUNCTION void __barrier_sync(unsigned barrier) { __barrier_sync_count(barrier, 0); }
#undef HEDDLE_LANE_FUNCTION

// ---- fences
void __threadfence();
void __threadfence_block();
void __threadfence_system();

// ---- time; clock() is the C library's
long long clock64();
void __nanosleep(unsigned nanoseconds);

// ---- traps
[[noreturn]] void __trap();
void __brkpt();

// ---- hardware profiler counters, which a CPU does not have
inline void __prof_trigger(int) {}

inline constexpr int warpSize = 32;
