// The functions that code compiled with -fsanitize=thread calls for its atomic operations.
#include <cstdint>

#include "profiler.hpp"

namespace {

using heddle_profiler::is_lane_code;
using heddle_profiler::operation;
using heddle_profiler::profiler_in_force;

__extension__ typedef unsigned __int128 word128;

template <typename Word>
void report(const volatile Word* address, operation what, const void* code) {
  if (!is_lane_code()) return;
  const heddle_profiler::profiler_section guard;
  profiler_in_force->lane_does_atomic(reinterpret_cast<std::uintptr_t>(address), sizeof(Word), what,
                                      code);
}

template <typename Word>
Word load_now(const volatile Word* address) {
  if constexpr (sizeof(Word) == 16) {
    return *address;
  } else {
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  }
}

// All lanes run on one thread, so 16 bytes need no special instruction.
template <typename Word>
bool exchange_if_equal(volatile Word* address, Word* expected, Word desired) {
  if constexpr (sizeof(Word) == 16) {
    const Word held = *address;
    if (held == *expected) {
      *address = desired;
      return true;
    }
    *expected = held;
    return false;
  } else {
    return __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  }
}

template <typename Word, typename Next>
Word update(volatile Word* address, const void* code, Next next,
            operation what = operation::atomic) {
  report(address, what, code);
  Word held = load_now(address);
  while (!exchange_if_equal(address, &held, next(held))) {
  }
  return held;
}

template <typename Word>
bool compare_exchange(volatile Word* address, Word* expected, Word desired, const void* code) {
  report(address, operation::exchange, code);
  return exchange_if_equal(address, expected, desired);
}

}  // namespace

#define CALLER __builtin_return_address(0)

#define HOOKS(bits, Word)                                                                    \
  Word __tsan_atomic##bits##_load(const volatile Word* address, int) {                       \
    report(address, operation::load, CALLER);                                                \
    return load_now(address);                                                                \
  }                                                                                          \
  void __tsan_atomic##bits##_store(volatile Word* address, Word value, int) {                \
    report(address, operation::store, CALLER);                                               \
    Word held = load_now(address);                                                           \
    while (!exchange_if_equal(address, &held, value)) {                                      \
    }                                                                                        \
  }                                                                                          \
  Word __tsan_atomic##bits##_exchange(volatile Word* address, Word value, int) {             \
    return update(                                                                           \
        address, CALLER, [=](Word) { return value; }, operation::exchange);                  \
  }                                                                                          \
  Word __tsan_atomic##bits##_fetch_add(volatile Word* address, Word value, int) {            \
    return update(address, CALLER, [=](Word held) { return Word(held + value); });           \
  }                                                                                          \
  Word __tsan_atomic##bits##_fetch_sub(volatile Word* address, Word value, int) {            \
    return update(address, CALLER, [=](Word held) { return Word(held - value); });           \
  }                                                                                          \
  Word __tsan_atomic##bits##_fetch_and(volatile Word* address, Word value, int) {            \
    return update(address, CALLER, [=](Word held) { return Word(held & value); });           \
  }                                                                                          \
  Word __tsan_atomic##bits##_fetch_or(volatile Word* address, Word value, int) {             \
    return update(address, CALLER, [=](Word held) { return Word(held | value); });           \
  }                                                                                          \
  Word __tsan_atomic##bits##_fetch_xor(volatile Word* address, Word value, int) {            \
    return update(address, CALLER, [=](Word held) { return Word(held ^ value); });           \
  }                                                                                          \
  Word __tsan_atomic##bits##_fetch_nand(volatile Word* address, Word value, int) {           \
    return update(address, CALLER, [=](Word held) { return Word(~(held & value)); });        \
  }                                                                                          \
  bool __tsan_atomic##bits##_compare_exchange_strong(volatile Word* address, Word* expected, \
                                                     Word desired, int, int) {               \
    return compare_exchange(address, expected, desired, CALLER);                             \
  }                                                                                          \
  bool __tsan_atomic##bits##_compare_exchange_weak(volatile Word* address, Word* expected,   \
                                                   Word desired, int, int) {                 \
    return compare_exchange(address, expected, desired, CALLER);                             \
  }                                                                                          \
  Word __tsan_atomic##bits##_compare_exchange_val(volatile Word* address, Word expected,     \
                                                  Word desired, int, int) {                  \
    compare_exchange(address, &expected, desired, CALLER);                                   \
    return expected;                                                                         \
  }

extern "C" {

HOOKS(8, std::uint8_t)
HOOKS(16, std::uint16_t)
HOOKS(32, std::uint32_t)
HOOKS(64, std::uint64_t)
HOOKS(128, word128)

void __tsan_atomic_thread_fence(int order) {
  if (!is_lane_code() || order == __ATOMIC_RELAXED) return;
  const heddle_profiler::profiler_section guard;
  profiler_in_force->lane_fences(heddle_host::lane_now.atomic_scope, CALLER);
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
