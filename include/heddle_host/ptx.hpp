// What the frontend writes in place of inline PTX: one function for each supported instruction.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <vector_types.h>

#include <heddle_host/address_spaces.hpp>
#include <heddle_host/atomic_scope.hpp>
#include <heddle_host/meeting.hpp>
#include <heddle_host/options.hpp>
#include <heddle_host/progress.hpp>
#include <heddle_host/stop.hpp>

// CUDA's own functions, implemented by the runtime.
void __threadfence();
void __threadfence_block();
void __threadfence_system();
long long clock64();

namespace heddle_host::ptx {

// ---- special registers
inline unsigned laneid() { return linear_thread() % 32; }
inline unsigned warpid() { return linear_thread() / 32; }
inline unsigned nwarpid() { return (lane_now.threads + 31) / 32; }
// The device reports its workers as multiprocessors. A block must not depend on which worker runs
// it, so the numbers are assigned to blocks round-robin.
inline unsigned nsmid() { return worker_count(); }
inline unsigned smid() {
  return (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) % worker_count();
}
inline unsigned lanemask_eq() { return 1u << laneid(); }
inline unsigned lanemask_lt() { return lanemask_eq() - 1; }
inline unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline unsigned lanemask_gt() { return ~lanemask_le(); }
inline unsigned lanemask_ge() { return ~lanemask_lt(); }
inline unsigned long long clock64() { return static_cast<unsigned long long>(::clock64()); }
inline unsigned clock() { return static_cast<unsigned>(clock64()); }
inline unsigned clock_hi() { return static_cast<unsigned>(clock64() >> 32); }
inline unsigned long long globaltimer() { return global_nanoseconds(); }
inline unsigned tid_x() { return threadIdx.x; }
inline unsigned tid_y() { return threadIdx.y; }
inline unsigned tid_z() { return threadIdx.z; }
inline unsigned ntid_x() { return blockDim.x; }
inline unsigned ntid_y() { return blockDim.y; }
inline unsigned ntid_z() { return blockDim.z; }
inline unsigned ctaid_x() { return blockIdx.x; }
inline unsigned ctaid_y() { return blockIdx.y; }
inline unsigned ctaid_z() { return blockIdx.z; }
inline unsigned nctaid_x() { return gridDim.x; }
inline unsigned nctaid_y() { return gridDim.y; }
inline unsigned nctaid_z() { return gridDim.z; }

// ---- barriers and fences
inline void bar_sync(unsigned barrier, unsigned threads) {
  wait_for(arrive_at_named_barrier(barrier, threads));
}
inline void bar_sync(unsigned barrier) { bar_sync(barrier, 0); }
inline void bar_arrive(unsigned barrier, unsigned threads) { pass_named_barrier(barrier, threads); }
inline void bar_warp_sync(unsigned mask) {
  wait_for(arrive_at_meeting(warp_operation::sync, mask, 0));
}

// ---- shuffles. Bits 8 to 12 of `limits` mask the bits of the lane number that must stay the same.
// Bits 0 to 4 clamp the source: to the last lane that may be read, or for `up` the first. A lane
// whose source is out of range gets its own value.
inline unsigned shuffle_from(unsigned mask, unsigned value, unsigned source, bool is_within) {
  return static_cast<unsigned>(
      wait_for(arrive_at_shuffle_index(mask, value, is_within ? source & 31u : laneid(), 32)));
}
inline unsigned shuffle_end(unsigned limits) {
  const unsigned kept = limits >> 8 & 31u;
  return (laneid() & kept) | (limits & 31u & ~kept);
}
inline unsigned shfl_up(unsigned value, unsigned distance, unsigned limits, unsigned mask) {
  const unsigned source = laneid() - (distance & 31u);
  const bool is_within = static_cast<int>(source) >= static_cast<int>(shuffle_end(limits));
  return shuffle_from(mask, value, source, is_within);
}
inline unsigned shfl_down(unsigned value, unsigned distance, unsigned limits, unsigned mask) {
  const unsigned source = laneid() + (distance & 31u);
  return shuffle_from(mask, value, source, source <= shuffle_end(limits));
}
inline unsigned shfl_bfly(unsigned value, unsigned distance, unsigned limits, unsigned mask) {
  const unsigned source = laneid() ^ (distance & 31u);
  return shuffle_from(mask, value, source, source <= shuffle_end(limits));
}
inline unsigned shfl_idx(unsigned value, unsigned index, unsigned limits, unsigned mask) {
  const unsigned kept = limits >> 8 & 31u;
  const unsigned source = (laneid() & kept) | (index & 31u & ~kept);
  return shuffle_from(mask, value, source, source <= shuffle_end(limits));
}

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
inline void fence_acq_rel_block() { fence_acq_rel(memory_scope::block); }
inline void fence_acq_rel_device() { fence_acq_rel(memory_scope::device); }
inline void fence_acq_rel_system() { fence_acq_rel(memory_scope::system); }

// ---- registers hold bits: a float may be stored as .b32 and read as .u32
template <typename To, typename From>
inline To take(From from) {
  if constexpr (std::is_pointer_v<From>) {
    return static_cast<To>(reinterpret_cast<std::uintptr_t>(from));
  } else if constexpr (std::is_arithmetic_v<From> &&
                       std::is_floating_point_v<From> == std::is_floating_point_v<To>) {
    return static_cast<To>(from);
  } else {
    static_assert(sizeof(To) == sizeof(From), "a PTX operand must have the instruction's size");
    To to;
    std::memcpy(&to, &from, sizeof(to));
    return to;
  }
}

template <typename To, typename From>
inline void put(To& to, From from) {
  if constexpr (std::is_pointer_v<To>)
    to = reinterpret_cast<To>(static_cast<std::uintptr_t>(from));
  else
    to = take<To>(from);
}

// ---- loads and stores
// An address operand: a pointer, or an integer that holds a pointer or a shared-memory address.
template <typename Base>
inline unsigned char* address(Base base, std::ptrdiff_t offset) {
  if constexpr (std::is_pointer_v<Base>) {
    return const_cast<unsigned char*>(static_cast<const volatile unsigned char*>(
               static_cast<const volatile void*>(base))) +
           offset;
  } else {
    const auto number = static_cast<std::uintptr_t>(base);
    const bool is_in_shared_memory = number <= 0xffffffffu;
    return (is_in_shared_memory ? static_cast<unsigned char*>(__cvta_shared_to_generic(number))
                                : reinterpret_cast<unsigned char*>(number)) +
           offset;
  }
}

template <typename T>
inline T load_weak(const unsigned char* from, std::size_t index) {
  T value;
  std::memcpy(&value, from + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
inline T load_ordered(const unsigned char* from, std::size_t index, int order, memory_scope whom) {
  T value;
  const T* const place = reinterpret_cast<const T*>(from) + index;
  {
    const atomic_scope meant_for(whom);
    if (order == __ATOMIC_ACQUIRE)
      __atomic_load(place, &value, __ATOMIC_ACQUIRE);
    else
      __atomic_load(place, &value, __ATOMIC_RELAXED);
  }
  // Lanes poll with such loads.
  spin_hint();
  return value;
}
template <typename T, memory_scope whom>
inline T load_relaxed(const unsigned char* from, std::size_t index) {
  return load_ordered<T>(from, index, __ATOMIC_RELAXED, whom);
}
template <typename T, memory_scope whom>
inline T load_acquire(const unsigned char* from, std::size_t index) {
  return load_ordered<T>(from, index, __ATOMIC_ACQUIRE, whom);
}

template <typename T>
inline void store_weak(unsigned char* to, std::size_t index, T value) {
  std::memcpy(to + index * sizeof(T), &value, sizeof(T));
}
template <typename T, memory_scope whom>
inline void store_relaxed(unsigned char* to, std::size_t index, T value) {
  const atomic_scope meant_for(whom);
  __atomic_store(reinterpret_cast<T*>(to) + index, &value, __ATOMIC_RELAXED);
}
template <typename T, memory_scope whom>
inline void store_release(unsigned char* to, std::size_t index, T value) {
  const atomic_scope meant_for(whom);
  __atomic_store(reinterpret_cast<T*>(to) + index, &value, __ATOMIC_RELEASE);
}

}  // namespace heddle_host::ptx
