// CUDA's atomic functions on global and shared memory: atomicAdd to atomicXor, relaxed.
#pragma once
#define __DEVICE_ATOMIC_FUNCTIONS_H__  // programs test for it
#include <cuda/detail/atomic_word.h>
#include <detail/nv_atomic_functions.h>
#include <vector_types.h>

#include <type_traits>

#include <heddle_host/atomic_scope.hpp>

// All memory of the CPU is coherent for all its threads, so the three scopes (`_block`, the device,
// `_system`) do the same; only a checker sees the difference. The overloads are exactly CUDA's: a
// type that nvcc rejects is rejected here too.

namespace cuda_on_host::atomics {

inline constexpr int relaxed = __ATOMIC_RELAXED;

template <typename T>
inline T add(T* address, T value) {
  return atomic_word::fetch_add(address, value, relaxed);
}
template <typename T>
inline T sub(T* address, T value) {
  return atomic_word::fetch_subtract(address, value, relaxed);
}
template <typename T>
inline T exch(T* address, T value) {
  return atomic_word::exchange(address, value, relaxed);
}
template <typename T>
inline T min(T* address, T value) {
  return atomic_word::fetch_min(address, value, relaxed);
}
template <typename T>
inline T max(T* address, T value) {
  return atomic_word::fetch_max(address, value, relaxed);
}
template <typename T>
inline T bit_and(T* address, T value) {
  return atomic_word::fetch_and(address, value, relaxed);
}
template <typename T>
inline T bit_or(T* address, T value) {
  return atomic_word::fetch_or(address, value, relaxed);
}
template <typename T>
inline T bit_xor(T* address, T value) {
  return atomic_word::fetch_xor(address, value, relaxed);
}

template <typename T>
inline T cas(T* address, T compare, T value) {
  atomic_word::compare_exchange(address, compare, value, relaxed, relaxed);
  return compare;
}

// Counts up to `limit`, then wraps to 0.
inline unsigned inc(unsigned* address, unsigned limit) {
  return atomic_word::update(
      address, [limit](unsigned held) { return held >= limit ? 0u : held + 1; }, relaxed);
}

// Counts down to 0, then wraps to `limit`; any value above `limit` also becomes `limit`.
inline unsigned dec(unsigned* address, unsigned limit) {
  return atomic_word::update(
      address, [limit](unsigned held) { return held == 0 || held > limit ? limit : held - 1; },
      relaxed);
}

// As in CUDA, each element is added atomically, but not the vector as a whole.
inline float2 add_each(float2* address, float2 value) {
  float2 held;
  held.x = add(&address->x, value.x);
  held.y = add(&address->y, value.y);
  return held;
}

inline float4 add_each(float4* address, float4 value) {
  float4 held;
  held.x = add(&address->x, value.x);
  held.y = add(&address->y, value.y);
  held.z = add(&address->z, value.z);
  held.w = add(&address->w, value.w);
  return held;
}

template <typename T>
inline constexpr bool is_16_bytes = sizeof(T) == 16 &&
                                    alignof(T) >= 16 && std::is_trivially_copyable_v<T>;

}  // namespace cuda_on_host::atomics

#define HEDDLE_ATOMIC_FUNCTION(type, name, operation)                       \
  inline type name(type* address, type value) {                             \
    return cuda_on_host::atomics::operation(address, value);                \
  }                                                                         \
  inline type name##_block(type* address, type value) {                     \
    const heddle_host::atomic_scope only(heddle_host::memory_scope::block); \
    return name(address, value);                                            \
  }                                                                         \
  inline type name##_system(type* address, type value) {                    \
    const heddle_host::atomic_scope all(heddle_host::memory_scope::system); \
    return name(address, value);                                            \
  }

HEDDLE_ATOMIC_FUNCTION(int, atomicAdd, add)
HEDDLE_ATOMIC_FUNCTION(unsigned, atomicAdd, add)
HEDDLE_ATOMIC_FUNCTION(unsigned long long, atomicAdd, add)
HEDDLE_ATOMIC_FUNCTION(float, atomicAdd, add)
HEDDLE_ATOMIC_FUNCTION(double, atomicAdd, add)
HEDDLE_ATOMIC_FUNCTION(float2, atomicAdd, add_each)
HEDDLE_ATOMIC_FUNCTION(float4, atomicAdd, add_each)

HEDDLE_ATOMIC_FUNCTION(int, atomicSub, sub)
HEDDLE_ATOMIC_FUNCTION(unsigned, atomicSub, sub)

HEDDLE_ATOMIC_FUNCTION(int, atomicExch, exch)
HEDDLE_ATOMIC_FUNCTION(unsigned, atomicExch, exch)
HEDDLE_ATOMIC_FUNCTION(unsigned long long, atomicExch, exch)
HEDDLE_ATOMIC_FUNCTION(float, atomicExch, exch)

HEDDLE_ATOMIC_FUNCTION(int, atomicMin, min)
HEDDLE_ATOMIC_FUNCTION(unsigned, atomicMin, min)
HEDDLE_ATOMIC_FUNCTION(long long, atomicMin, min)
HEDDLE_ATOMIC_FUNCTION(unsigned long long, atomicMin, min)

HEDDLE_ATOMIC_FUNCTION(int, atomicMax, max)
HEDDLE_ATOMIC_FUNCTION(unsigned, atomicMax, max)
HEDDLE_ATOMIC_FUNCTION(long long, atomicMax, max)
HEDDLE_ATOMIC_FUNCTION(unsigned long long, atomicMax, max)

HEDDLE_ATOMIC_FUNCTION(unsigned, atomicInc, inc)
HEDDLE_ATOMIC_FUNCTION(unsigned, atomicDec, dec)

HEDDLE_ATOMIC_FUNCTION(int, atomicAnd, bit_and)
HEDDLE_ATOMIC_FUNCTION(unsigned, atomicAnd, bit_and)
HEDDLE_ATOMIC_FUNCTION(long long, atomicAnd, bit_and)
HEDDLE_ATOMIC_FUNCTION(unsigned long long, atomicAnd, bit_and)

HEDDLE_ATOMIC_FUNCTION(int, atomicOr, bit_or)
HEDDLE_ATOMIC_FUNCTION(unsigned, atomicOr, bit_or)
HEDDLE_ATOMIC_FUNCTION(long long, atomicOr, bit_or)
HEDDLE_ATOMIC_FUNCTION(unsigned long long, atomicOr, bit_or)

HEDDLE_ATOMIC_FUNCTION(int, atomicXor, bit_xor)
HEDDLE_ATOMIC_FUNCTION(unsigned, atomicXor, bit_xor)
HEDDLE_ATOMIC_FUNCTION(long long, atomicXor, bit_xor)
HEDDLE_ATOMIC_FUNCTION(unsigned long long, atomicXor, bit_xor)

#undef HEDDLE_ATOMIC_FUNCTION

#define HEDDLE_ATOMIC_CAS(type, name, scope)                                \
  inline type name(type* address, type compare, type value) {               \
    const heddle_host::atomic_scope whom(heddle_host::memory_scope::scope); \
    return cuda_on_host::atomics::cas(address, compare, value);             \
  }

HEDDLE_ATOMIC_CAS(unsigned short, atomicCAS, device)
HEDDLE_ATOMIC_CAS(int, atomicCAS, device)
HEDDLE_ATOMIC_CAS(int, atomicCAS_block, block)
HEDDLE_ATOMIC_CAS(int, atomicCAS_system, system)
HEDDLE_ATOMIC_CAS(unsigned, atomicCAS, device)
HEDDLE_ATOMIC_CAS(unsigned, atomicCAS_block, block)
HEDDLE_ATOMIC_CAS(unsigned, atomicCAS_system, system)
HEDDLE_ATOMIC_CAS(unsigned long long, atomicCAS, device)
HEDDLE_ATOMIC_CAS(unsigned long long, atomicCAS_block, block)
HEDDLE_ATOMIC_CAS(unsigned long long, atomicCAS_system, system)

#undef HEDDLE_ATOMIC_CAS

// Any trivially copyable 16-byte type with 16-byte alignment, compared and stored as a whole.
#define HEDDLE_ATOMIC_16_BYTES(suffix, scope)                                             \
  template <typename T, std::enable_if_t<cuda_on_host::atomics::is_16_bytes<T>, int> = 0> \
  inline T atomicCAS##suffix(T* address, T compare, T value) {                            \
    const heddle_host::atomic_scope whom(heddle_host::memory_scope::scope);               \
    return cuda_on_host::atomics::cas(address, compare, value);                           \
  }                                                                                       \
  template <typename T, std::enable_if_t<cuda_on_host::atomics::is_16_bytes<T>, int> = 0> \
  inline T atomicExch##suffix(T* address, T value) {                                      \
    const heddle_host::atomic_scope whom(heddle_host::memory_scope::scope);               \
    return cuda_on_host::atomics::exch(address, value);                                   \
  }

HEDDLE_ATOMIC_16_BYTES(, device)
HEDDLE_ATOMIC_16_BYTES(_block, block)
HEDDLE_ATOMIC_16_BYTES(_system, system)

#undef HEDDLE_ATOMIC_16_BYTES

// The 16-bit floating-point types are defined in cuda_fp16.h and cuda_bf16.h; their names are
// enough until one is added.
struct __half;
struct __half2;
struct __nv_bfloat16;
struct __nv_bfloat162;

namespace cuda_on_host::atomics {

template <typename T>
inline constexpr bool is_half_scalar =
    std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
template <typename T>
inline constexpr bool is_half_pair =
    std::is_same_v<T, __half2> || std::is_same_v<T, __nv_bfloat162>;
template <typename T>
struct same {
  using type = T;
};

}  // namespace cuda_on_host::atomics

template <typename T, std::enable_if_t<cuda_on_host::atomics::is_half_scalar<T>, int> = 0>
inline T atomicAdd(T* address, typename cuda_on_host::atomics::same<T>::type value) {
  return cuda_on_host::atomic_word::update(
      address, [&value](T held) -> T { return __hadd(held, value); },
      cuda_on_host::atomics::relaxed);
}

template <typename T, std::enable_if_t<cuda_on_host::atomics::is_half_pair<T>, int> = 0>
inline T atomicAdd(T* address, typename cuda_on_host::atomics::same<T>::type value) {
  return cuda_on_host::atomic_word::update(
      address, [&value](T held) -> T { return __hadd2(held, value); },
      cuda_on_host::atomics::relaxed);
}
