// Atomic operations on trivially copyable objects of 1, 2, 4, 8 and 16 bytes, without libatomic.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <heddle_host/profiled.hpp>
#include <heddle_host/progress.hpp>

namespace cuda_on_host::atomic_word {

// The unsigned integer of an object's size, and the same as a memory cell that may alias it.
template <std::size_t bytes>
struct word_of_size;
template <>
struct word_of_size<1> {
  using type = std::uint8_t;
  typedef std::uint8_t __attribute__((may_alias)) cell;
};
template <>
struct word_of_size<2> {
  using type = std::uint16_t;
  typedef std::uint16_t __attribute__((may_alias)) cell;
};
template <>
struct word_of_size<4> {
  using type = std::uint32_t;
  typedef std::uint32_t __attribute__((may_alias)) cell;
};
template <>
struct word_of_size<8> {
  using type = std::uint64_t;
  typedef std::uint64_t __attribute__((may_alias)) cell;
};
template <>
struct word_of_size<16> {
  __extension__ typedef unsigned __int128 type;
  __extension__ typedef unsigned __int128 __attribute__((may_alias)) cell;
};

template <typename T>
inline constexpr bool has_word = std::is_trivially_copyable_v<T> &&
                                 (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 ||
                                  sizeof(T) == 8 || sizeof(T) == 16);

template <typename T>
using word = typename word_of_size<sizeof(T)>::type;
template <typename T>
using cell = typename word_of_size<sizeof(T)>::cell;

template <typename T>
inline word<T> to_word(const T& value) {
  return __builtin_bit_cast(word<T>, value);
}

template <typename T>
inline T from_word(word<T> bits) {
  return __builtin_bit_cast(T, bits);
}

template <typename T>
inline cell<T>* cell_at(const volatile T* address) {
  return reinterpret_cast<cell<T>*>(const_cast<T*>(address));
}

// Both compilers turn the __sync form into an instruction (or a call into libgcc) instead of a call
// into libatomic; on x86-64 the instruction must be enabled.
#if defined(__x86_64__)
__attribute__((target("cx16"), noinline))
#endif
inline word_of_size<16>::type
compare_and_swap_16(word_of_size<16>::cell* address, word_of_size<16>::type expected,
                    word_of_size<16>::type desired) {
  return __sync_val_compare_and_swap(address, expected, desired);
}

// Stores `desired` if the object holds `expected`; returns what it held in either case.
template <typename T>
inline word<T> compare_and_swap(T* address, word<T> expected, word<T> desired, int success,
                                int failure) {
  if constexpr (sizeof(T) == 16) {
    (void)success, (void)failure;  // this form is always sequentially consistent
    return compare_and_swap_16(cell_at(address), expected, desired);
  } else {
    word<T> held = expected;
    __atomic_compare_exchange_n(cell_at(address), &held, desired, false, success, failure);
    return held;
  }
}

// The memory order of a failed compare-and-swap.
constexpr int order_of_failure(int success) {
  return success == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
         : success == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
                                       : success;
}

// Called after every operation with whether it changed the object: a lane that changes nothing may
// be waiting for another lane, which must get its turn.
inline void let_others_run_unless(bool changed) { heddle_host::spin_hint_unless(changed); }

template <typename T>
inline T load(const volatile T* address, int order) {
  word<T> bits;
  if constexpr (sizeof(T) == 16) {
    (void)order;
    bits = compare_and_swap_16(cell_at(address), 0, 0);
  } else {
    bits = __atomic_load_n(cell_at(address), order);
  }
  heddle_host::spin_hint();
  return from_word<T>(bits);
}

// Replaces the object's value with next(value), where `next` maps words; returns the old value.
template <typename T, typename Next>
inline T update_word(T* address, Next next, int order) {
  heddle_host::begin_update(address, sizeof(T));
  word<T> seen;
  if constexpr (sizeof(T) == 16) {
    seen = compare_and_swap_16(cell_at(address), 0, 0);
  } else {
    seen = __atomic_load_n(cell_at(address), __ATOMIC_RELAXED);
  }
  for (;;) {
    const word<T> wanted = next(seen);
    const word<T> held = compare_and_swap(address, seen, wanted, order, order_of_failure(order));
    if (held == seen) {
      heddle_host::end_update();
      let_others_run_unless(wanted != seen);
      return from_word<T>(seen);
    }
    seen = held;
  }
}

// The same for a function of values.
template <typename T, typename Next>
inline T update(T* address, Next next, int order) {
  return update_word(
      address, [&next](word<T> bits) { return to_word<T>(next(from_word<T>(bits))); }, order);
}

template <typename T>
inline void store(T* address, T value, int order) {
  if constexpr (sizeof(T) == 16) {
    update_word(
        address, [&value](word<T>) { return to_word(value); }, order);
  } else {
    __atomic_store_n(cell_at(address), to_word(value), order);
  }
}

template <typename T>
inline T exchange(T* address, T value, int order) {
  if constexpr (sizeof(T) == 16) {
    return update_word(
        address, [&value](word<T>) { return to_word(value); }, order);
  } else {
    const word<T> wanted = to_word(value);
    const word<T> held = __atomic_exchange_n(cell_at(address), wanted, order);
    let_others_run_unless(held != wanted);
    return from_word<T>(held);
  }
}

// True if the object held `expected` and now holds `desired`; otherwise stores its value in
// `expected`.
template <typename T>
inline bool compare_exchange(T* address, T& expected, T desired, int success, int failure) {
  const word<T> wanted = to_word(expected);
  const word<T> stored = to_word(desired);
  const word<T> held = compare_and_swap(address, wanted, stored, success, failure);
  let_others_run_unless(held == wanted && stored != held);
  if (held == wanted) return true;
  expected = from_word<T>(held);
  return false;
}

// Integers add modulo 2^n, like the word; all other types use their own operator.
template <typename T>
inline constexpr bool adds_as_word = std::is_integral_v<T> && sizeof(T) <= 8;

template <typename T, typename Difference>
inline T fetch_add(T* address, Difference value, int order) {
  if constexpr (adds_as_word<T>) {
    const word<T> addend = to_word(static_cast<T>(value));
    const word<T> held = __atomic_fetch_add(cell_at(address), addend, order);
    let_others_run_unless(addend != 0);
    return from_word<T>(held);
  } else {
    return update(
        address, [&value](T held) -> T { return held + value; }, order);
  }
}

template <typename T, typename Difference>
inline T fetch_subtract(T* address, Difference value, int order) {
  if constexpr (adds_as_word<T>) {
    const word<T> subtrahend = to_word(static_cast<T>(value));
    const word<T> held = __atomic_fetch_sub(cell_at(address), subtrahend, order);
    let_others_run_unless(subtrahend != 0);
    return from_word<T>(held);
  } else {
    return update(
        address, [&value](T held) -> T { return held - value; }, order);
  }
}

template <typename T>
inline T fetch_and(T* address, T value, int order) {
  const word<T> held = __atomic_fetch_and(cell_at(address), to_word(value), order);
  let_others_run_unless((held & to_word(value)) != held);
  return from_word<T>(held);
}

template <typename T>
inline T fetch_or(T* address, T value, int order) {
  const word<T> held = __atomic_fetch_or(cell_at(address), to_word(value), order);
  let_others_run_unless((held | to_word(value)) != held);
  return from_word<T>(held);
}

template <typename T>
inline T fetch_xor(T* address, T value, int order) {
  const word<T> held = __atomic_fetch_xor(cell_at(address), to_word(value), order);
  let_others_run_unless(to_word(value) != 0);
  return from_word<T>(held);
}

template <typename T>
inline T fetch_min(T* address, T value, int order) {
  return update(
      address, [&value](T held) { return value < held ? value : held; }, order);
}

template <typename T>
inline T fetch_max(T* address, T value, int order) {
  return update(
      address, [&value](T held) { return held < value ? value : held; }, order);
}

}  // namespace cuda_on_host::atomic_word
