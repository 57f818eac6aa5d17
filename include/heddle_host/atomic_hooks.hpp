// The functions that code compiled with -fsanitize=thread calls instead of its atomic operations.
#pragma once
#include <cstdint>

namespace heddle_host {

__extension__ typedef unsigned __int128 word128;

// The value of a location. Reading 16 bytes is not atomic: see exchange_in_steps.
template <typename Word>
[[nodiscard]] inline Word load_now(const volatile Word* address) {
  if constexpr (sizeof(Word) == 16) {
    return *address;
  } else {
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  }
}

// A compare-and-swap without an atomic instruction, for a location that no other thread is using.
// That is enough for 16-byte words, because lanes that share memory run on one thread.
template <typename Word>
inline bool exchange_in_steps(volatile Word* address, Word* expected, Word desired) {
  const Word held = *address;
  const bool is_expected = held == *expected;
  if (is_expected) {
    *address = desired;
  } else {
    *expected = held;
  }
  return is_expected;
}

}  // namespace heddle_host

// Defines the functions for words of one size. `operations` is a class with static functions load,
// store, exchange, update and compare_exchange, whose last argument is the address of the calling
// code. A macro, because the compiler fixes the names.
#define HEDDLE_ATOMIC_HOOKS_OF_SIZE(bits, Word, operations)                                    \
  Word __tsan_atomic##bits##_load(const volatile Word* address, int order) {                   \
    return operations::load(address, order, __builtin_return_address(0));                      \
  }                                                                                            \
  void __tsan_atomic##bits##_store(volatile Word* address, Word value, int order) {            \
    operations::store(address, value, order, __builtin_return_address(0));                     \
  }                                                                                            \
  Word __tsan_atomic##bits##_exchange(volatile Word* address, Word value, int order) {         \
    return operations::exchange(address, value, order, __builtin_return_address(0));           \
  }                                                                                            \
  HEDDLE_ATOMIC_UPDATE(bits, Word, operations, add, (held + value))                            \
  HEDDLE_ATOMIC_UPDATE(bits, Word, operations, sub, (held - value))                            \
  HEDDLE_ATOMIC_UPDATE(bits, Word, operations, and, (held & value))                            \
  HEDDLE_ATOMIC_UPDATE(bits, Word, operations, or, (held | value))                             \
  HEDDLE_ATOMIC_UPDATE(bits, Word, operations, xor, (held ^ value))                            \
  HEDDLE_ATOMIC_UPDATE(bits, Word, operations, nand, ~(held & value))                          \
  bool __tsan_atomic##bits##_compare_exchange_strong(volatile Word* address, Word* expected,   \
                                                     Word desired, int success, int failure) { \
    return operations::compare_exchange(address, expected, desired, success, failure,          \
                                        __builtin_return_address(0));                          \
  }                                                                                            \
  bool __tsan_atomic##bits##_compare_exchange_weak(volatile Word* address, Word* expected,     \
                                                   Word desired, int success, int failure) {   \
    return operations::compare_exchange(address, expected, desired, success, failure,          \
                                        __builtin_return_address(0));                          \
  }                                                                                            \
  Word __tsan_atomic##bits##_compare_exchange_val(volatile Word* address, Word expected,       \
                                                  Word desired, int success, int failure) {    \
    operations::compare_exchange(address, &expected, desired, success, failure,                \
                                 __builtin_return_address(0));                                 \
    return expected;                                                                           \
  }

#define HEDDLE_ATOMIC_UPDATE(bits, Word, operations, name, next)                           \
  Word __tsan_atomic##bits##_fetch_##name(volatile Word* address, Word value, int order) { \
    return operations::update(address, order, __builtin_return_address(0),                 \
                              [=](Word held) { return static_cast<Word>(next); });         \
  }

// Defines the functions for all sizes.
#define HEDDLE_ATOMIC_HOOKS(operations)                                \
  extern "C" {                                                         \
  HEDDLE_ATOMIC_HOOKS_OF_SIZE(8, std::uint8_t, operations)             \
  HEDDLE_ATOMIC_HOOKS_OF_SIZE(16, std::uint16_t, operations)           \
  HEDDLE_ATOMIC_HOOKS_OF_SIZE(32, std::uint32_t, operations)           \
  HEDDLE_ATOMIC_HOOKS_OF_SIZE(64, std::uint64_t, operations)           \
  HEDDLE_ATOMIC_HOOKS_OF_SIZE(128, ::heddle_host::word128, operations) \
  }
