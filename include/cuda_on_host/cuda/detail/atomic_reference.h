// cuda::atomic_ref: atomic access to an object that lives elsewhere.
#pragma once
#include <cstddef>

#include <cuda/detail/atomic_word.h>
#include <cuda/detail/thread_scope.h>
#include <cuda/detail/wait.h>

namespace cuda {

namespace detail {

namespace words = ::cuda_on_host::atomic_word;

constexpr int order_of(memory_order order) { return static_cast<int>(order); }

// What can be added to a T: another T, or a distance if T is a pointer.
template <typename T>
struct difference {
  using type = T;
};
template <typename T>
struct difference<T*> {
  using type = ::std::ptrdiff_t;
};

// Returns once the object's value differs from `old`, compared byte by byte.
template <typename T>
inline void wait_for_change(const volatile T* address, const T& old, memory_order order) {
  ::cuda_on_host::wait_until(
      [&] { return words::to_word(words::load(address, order_of(order))) != words::to_word(old); });
}

}  // namespace detail

template <typename T, thread_scope scope = thread_scope_system>
struct atomic_ref {
  static_assert(
      detail::words::has_word<T>,
      "cuda::atomic_ref supports only trivially copyable types of 1, 2, 4, 8 or 16 bytes");

  using value_type = T;
  using difference_type = typename detail::difference<T>::type;
  static constexpr bool is_always_lock_free = true;
  static constexpr ::std::size_t required_alignment = sizeof(T);

  explicit constexpr atomic_ref(T& object) noexcept : held(&object) {}
  constexpr atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  atomic_ref& operator=(const atomic_ref&) const = delete;

  bool is_lock_free() const noexcept { return true; }

  T load(memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    return detail::words::load(held, detail::order_of(order));
  }
  operator T() const noexcept { return load(); }

  void store(T value, memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    detail::words::store(held, value, detail::order_of(order));
  }
  T operator=(T value) const noexcept {
    store(value);
    return value;
  }

  T exchange(T value, memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    return detail::words::exchange(held, value, detail::order_of(order));
  }

  bool compare_exchange_strong(T& expected, T desired, memory_order success,
                               memory_order failure) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    return detail::words::compare_exchange(held, expected, desired, detail::order_of(success),
                                           detail::order_of(failure));
  }
  bool compare_exchange_strong(T& expected, T desired,
                               memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    const int success = detail::order_of(order);
    return detail::words::compare_exchange(held, expected, desired, success,
                                           detail::words::order_of_failure(success));
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order success,
                             memory_order failure) const noexcept {
    return compare_exchange_strong(expected, desired, success, failure);
  }
  bool compare_exchange_weak(T& expected, T desired,
                             memory_order order = memory_order_seq_cst) const noexcept {
    return compare_exchange_strong(expected, desired, order);
  }

  T fetch_add(difference_type value, memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    return detail::words::fetch_add(held, value, detail::order_of(order));
  }
  T fetch_sub(difference_type value, memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    return detail::words::fetch_subtract(held, value, detail::order_of(order));
  }
  T fetch_and(T value, memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    return detail::words::fetch_and(held, value, detail::order_of(order));
  }
  T fetch_or(T value, memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    return detail::words::fetch_or(held, value, detail::order_of(order));
  }
  T fetch_xor(T value, memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    return detail::words::fetch_xor(held, value, detail::order_of(order));
  }
  T fetch_min(const T& value, memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    return detail::words::fetch_min(held, value, detail::order_of(order));
  }
  T fetch_max(const T& value, memory_order order = memory_order_seq_cst) const noexcept {
    const ::heddle_host::atomic_scope whom(detail::whom(scope));
    return detail::words::fetch_max(held, value, detail::order_of(order));
  }

  T operator++(int) const noexcept { return fetch_add(difference_type(1)); }
  T operator--(int) const noexcept { return fetch_sub(difference_type(1)); }
  T operator++() const noexcept {
    return static_cast<T>(fetch_add(difference_type(1)) + difference_type(1));
  }
  T operator--() const noexcept {
    return static_cast<T>(fetch_sub(difference_type(1)) - difference_type(1));
  }
  T operator+=(difference_type value) const noexcept {
    return static_cast<T>(fetch_add(value) + value);
  }
  T operator-=(difference_type value) const noexcept {
    return static_cast<T>(fetch_sub(value) - value);
  }
  T operator&=(T value) const noexcept { return static_cast<T>(fetch_and(value) & value); }
  T operator|=(T value) const noexcept { return static_cast<T>(fetch_or(value) | value); }
  T operator^=(T value) const noexcept { return static_cast<T>(fetch_xor(value) ^ value); }

  void wait(T old, memory_order order = memory_order_seq_cst) const noexcept {
    detail::wait_for_change(held, old, order);
  }
  void notify_one() const noexcept {}  // waiters poll
  void notify_all() const noexcept {}

 private:
  T* held;
};

template <typename T>
atomic_ref(T&) -> atomic_ref<T>;

}  // namespace cuda
