// nvcc's built-in atomic functions, which take an order and a scope: __nv_atomic_load and the
// others.
#pragma once
#include <cuda/detail/atomic_word.h>

#include <type_traits>

#include <heddle_host/atomic_scope.hpp>

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};

enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace cuda_on_host::nv_atomic {

// The orders have the same values as the compiler's __ATOMIC_ constants.
static_assert(__NV_ATOMIC_RELAXED == __ATOMIC_RELAXED && __NV_ATOMIC_SEQ_CST == __ATOMIC_SEQ_CST);

constexpr heddle_host::memory_scope whom(int scope) {
  using heddle_host::memory_scope;
  return scope == __NV_THREAD_SCOPE_SYSTEM    ? memory_scope::system
         : scope == __NV_THREAD_SCOPE_DEVICE  ? memory_scope::device
         : scope == __NV_THREAD_SCOPE_CLUSTER ? memory_scope::cluster
                                              : memory_scope::block;
}

// For parameters that convert to the object's type and do not determine it.
template <typename T>
struct same {
  using type = T;
};
template <typename T>
using value = typename same<T>::type;

// What nvcc accepts: the functions with `_n` take integers, the others objects of any type.
template <typename T>
inline void expect_object() {
  static_assert(atomic_word::has_word<T>,
                "the object must be trivially copyable and have 1, 2, 4, 8 or 16 bytes");
}
template <typename T>
inline void expect_integer() {
  static_assert(std::is_integral_v<T> || sizeof(T) == 16, "the object must be an integer");
}
template <typename T>
inline void expect_word() {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "the object must have 4 or 8 bytes");
}

// For min, max and bitwise operations; expect_addable is for add and sub.
template <typename T>
inline void expect_integer_word() {
  expect_word<T>();
  static_assert(std::is_integral_v<T>, "the object must be an integer");
}
template <typename T>
inline void expect_addable() {
  expect_word<T>();
  static_assert(
      std::is_arithmetic_v<T> && !(std::is_same_v<T, long long> || std::is_same_v<T, long>),
      "the object must be an int, unsigned, unsigned long long, float or double");
}

}  // namespace cuda_on_host::nv_atomic

template <typename T>
inline void __nv_atomic_load(T* address, T* result, int order,
                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuda_on_host::nv_atomic::expect_object<T>();
  const heddle_host::atomic_scope whom(cuda_on_host::nv_atomic::whom(scope));
  *result = cuda_on_host::atomic_word::load(address, order);
}

template <typename T>
inline T __nv_atomic_load_n(T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuda_on_host::nv_atomic::expect_integer<T>();
  T result;
  __nv_atomic_load(address, &result, order, scope);
  return result;
}

template <typename T>
inline void __nv_atomic_store(T* address, T* wanted, int order,
                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuda_on_host::nv_atomic::expect_object<T>();
  const heddle_host::atomic_scope whom(cuda_on_host::nv_atomic::whom(scope));
  cuda_on_host::atomic_word::store(address, *wanted, order);
}

template <typename T>
inline void __nv_atomic_store_n(T* address, cuda_on_host::nv_atomic::value<T> wanted, int order,
                                int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuda_on_host::nv_atomic::expect_integer<T>();
  __nv_atomic_store(address, &wanted, order, scope);
}

template <typename T>
inline void __nv_atomic_exchange(T* address, T* wanted, T* old, int order,
                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuda_on_host::nv_atomic::expect_object<T>();
  static_assert(sizeof(T) >= 4, "the object must have 4, 8 or 16 bytes");
  const heddle_host::atomic_scope whom(cuda_on_host::nv_atomic::whom(scope));
  *old = cuda_on_host::atomic_word::exchange(address, *wanted, order);
}

template <typename T>
inline T __nv_atomic_exchange_n(T* address, cuda_on_host::nv_atomic::value<T> wanted, int order,
                                int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuda_on_host::nv_atomic::expect_integer<T>();
  T old;
  __nv_atomic_exchange(address, &wanted, &old, order, scope);
  return old;
}

// Returns true if the object held `*expected` and now holds `*desired`. Otherwise stores the
// object's value in `*expected`. `weak` allows spurious failures, which never happen here.
template <typename T>
inline bool __nv_atomic_compare_exchange(T* address, T* expected, T* desired, bool weak,
                                         int success, int failure,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  (void)weak;
  cuda_on_host::nv_atomic::expect_object<T>();
  const heddle_host::atomic_scope whom(cuda_on_host::nv_atomic::whom(scope));
  return cuda_on_host::atomic_word::compare_exchange(address, *expected, *desired, success,
                                                     failure);
}

template <typename T>
inline bool __nv_atomic_compare_exchange_n(T* address, T* expected,
                                           cuda_on_host::nv_atomic::value<T> desired, bool weak,
                                           int success, int failure,
                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuda_on_host::nv_atomic::expect_integer<T>();
  return __nv_atomic_compare_exchange(address, expected, &desired, weak, success, failure, scope);
}

#define HEDDLE_NV_ATOMIC(name, expectation, operation)                                             \
  template <typename T>                                                                            \
  inline T __nv_atomic_fetch_##name(T* address, cuda_on_host::nv_atomic::value<T> operand,         \
                                    int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {             \
    cuda_on_host::nv_atomic::expectation<T>();                                                     \
    const heddle_host::atomic_scope whom(cuda_on_host::nv_atomic::whom(scope));                    \
    return cuda_on_host::atomic_word::operation(address, operand, order);                          \
  }                                                                                                \
  template <typename T>                                                                            \
  inline void __nv_atomic_##name(T* address, cuda_on_host::nv_atomic::value<T> operand, int order, \
                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {                           \
    (void)__nv_atomic_fetch_##name(address, operand, order, scope);                                \
  }

HEDDLE_NV_ATOMIC(add, expect_addable, fetch_add)
HEDDLE_NV_ATOMIC(sub, expect_addable, fetch_subtract)
HEDDLE_NV_ATOMIC(and, expect_integer_word, fetch_and)
HEDDLE_NV_ATOMIC(or, expect_integer_word, fetch_or)
HEDDLE_NV_ATOMIC(xor, expect_integer_word, fetch_xor)
HEDDLE_NV_ATOMIC(min, expect_integer_word, fetch_min)
HEDDLE_NV_ATOMIC(max, expect_integer_word, fetch_max)

#undef HEDDLE_NV_ATOMIC

inline void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const heddle_host::atomic_scope whom(cuda_on_host::nv_atomic::whom(scope));
  if (scope != __NV_THREAD_SCOPE_THREAD) __atomic_thread_fence(order);
}
