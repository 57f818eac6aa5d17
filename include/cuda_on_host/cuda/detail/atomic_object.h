// cuda::atomic: an object whose value is only changed atomically.
#pragma once
#include <cuda/detail/atomic_reference.h>

namespace cuda {

// Each operation forwards to an atomic_ref to the object.
template <typename T, thread_scope scope = thread_scope_system>
struct atomic {
  static_assert(detail::words::has_word<T>,
                "cuda::atomic supports only trivially copyable types of 1, 2, 4, 8 or 16 bytes");

  using value_type = T;
  using difference_type = typename detail::difference<T>::type;
  static constexpr bool is_always_lock_free = true;

  atomic() noexcept = default;
  constexpr atomic(T initial) noexcept : held(initial) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  atomic& operator=(const atomic&) volatile = delete;

  bool is_lock_free() const volatile noexcept { return true; }

  T load(memory_order order = memory_order_seq_cst) const volatile noexcept {
    return object().load(order);
  }
  operator T() const volatile noexcept { return load(); }

  void store(T value, memory_order order = memory_order_seq_cst) volatile noexcept {
    object().store(value, order);
  }
  T operator=(T value) volatile noexcept { return object() = value; }
  T operator=(T value) noexcept { return object() = value; }

  T exchange(T value, memory_order order = memory_order_seq_cst) volatile noexcept {
    return object().exchange(value, order);
  }

  bool compare_exchange_strong(T& expected, T desired, memory_order success,
                               memory_order failure) volatile noexcept {
    return object().compare_exchange_strong(expected, desired, success, failure);
  }
  bool compare_exchange_strong(T& expected, T desired,
                               memory_order order = memory_order_seq_cst) volatile noexcept {
    return object().compare_exchange_strong(expected, desired, order);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order success,
                             memory_order failure) volatile noexcept {
    return object().compare_exchange_weak(expected, desired, success, failure);
  }
  bool compare_exchange_weak(T& expected, T desired,
                             memory_order order = memory_order_seq_cst) volatile noexcept {
    return object().compare_exchange_weak(expected, desired, order);
  }

  T fetch_add(difference_type value, memory_order order = memory_order_seq_cst) volatile noexcept {
    return object().fetch_add(value, order);
  }
  T fetch_sub(difference_type value, memory_order order = memory_order_seq_cst) volatile noexcept {
    return object().fetch_sub(value, order);
  }
  T fetch_and(T value, memory_order order = memory_order_seq_cst) volatile noexcept {
    return object().fetch_and(value, order);
  }
  T fetch_or(T value, memory_order order = memory_order_seq_cst) volatile noexcept {
    return object().fetch_or(value, order);
  }
  T fetch_xor(T value, memory_order order = memory_order_seq_cst) volatile noexcept {
    return object().fetch_xor(value, order);
  }
  T fetch_min(const T& value, memory_order order = memory_order_seq_cst) volatile noexcept {
    return object().fetch_min(value, order);
  }
  T fetch_max(const T& value, memory_order order = memory_order_seq_cst) volatile noexcept {
    return object().fetch_max(value, order);
  }

  T operator++(int) volatile noexcept { return object()++; }
  T operator--(int) volatile noexcept { return object()--; }
  T operator++() volatile noexcept { return ++object(); }
  T operator--() volatile noexcept { return --object(); }
  T operator+=(difference_type value) volatile noexcept { return object() += value; }
  T operator-=(difference_type value) volatile noexcept { return object() -= value; }
  T operator&=(T value) volatile noexcept { return object() &= value; }
  T operator|=(T value) volatile noexcept { return object() |= value; }
  T operator^=(T value) volatile noexcept { return object() ^= value; }

  void wait(T old, memory_order order = memory_order_seq_cst) const volatile noexcept {
    object().wait(old, order);
  }
  void notify_one() volatile noexcept {}  // waiters poll
  void notify_all() volatile noexcept {}

 private:
  atomic_ref<T, scope> object() const volatile noexcept {
    return atomic_ref<T, scope>(const_cast<T&>(held));
  }

  alignas(sizeof(T) > alignof(T) ? sizeof(T) : alignof(T)) T held;
};

template <typename T>
atomic(T) -> atomic<T>;

}  // namespace cuda
