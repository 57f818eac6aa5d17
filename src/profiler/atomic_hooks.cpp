// The functions that code compiled with -fsanitize=thread calls for its atomic operations.
#include <cstdint>

#include <heddle_host/atomic_hooks.hpp>

#include "profiler.hpp"

namespace {

using heddle_host::load_now;
using heddle_profiler::is_lane_code;
using heddle_profiler::operation;
using heddle_profiler::profiler_in_force;

template <typename Word>
void report(const volatile Word* address, operation what, const void* code) {
  if (!is_lane_code()) return;
  const heddle_profiler::profiler_section guard;
  profiler_in_force->lane_does_atomic(reinterpret_cast<std::uintptr_t>(address), sizeof(Word), what,
                                      code);
}

template <typename Word>
bool exchange_if_equal(volatile Word* address, Word* expected, Word desired) {
  if constexpr (sizeof(Word) == 16) {
    return heddle_host::exchange_in_steps(address, expected, desired);
  } else {
    return __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  }
}

template <typename Word, typename Next>
Word replace(volatile Word* address, Next next) {
  Word held = load_now(address);
  while (!exchange_if_equal(address, &held, next(held))) {
  }
  return held;
}

// What the hooks do: count the operation, then do it. Lanes run one at a time, so all operations
// are sequentially consistent, whatever their memory order.
struct counted_operations {
  template <typename Word>
  static Word load(const volatile Word* address, int, const void* code) {
    report(address, operation::load, code);
    return load_now(address);
  }

  template <typename Word>
  static void store(volatile Word* address, Word value, int, const void* code) {
    report(address, operation::store, code);
    replace(address, [=](Word) { return value; });
  }

  template <typename Word>
  static Word exchange(volatile Word* address, Word value, int, const void* code) {
    report(address, operation::exchange, code);
    return replace(address, [=](Word) { return value; });
  }

  template <typename Word, typename Next>
  static Word update(volatile Word* address, int, const void* code, Next next) {
    report(address, operation::atomic, code);
    return replace(address, next);
  }

  template <typename Word>
  static bool compare_exchange(volatile Word* address, Word* expected, Word desired, int, int,
                               const void* code) {
    report(address, operation::exchange, code);
    return exchange_if_equal(address, expected, desired);
  }
};

}  // namespace

HEDDLE_ATOMIC_HOOKS(counted_operations)

extern "C" {

void __tsan_atomic_thread_fence(int order) {
  if (!is_lane_code() || order == __ATOMIC_RELAXED) return;
  const heddle_profiler::profiler_section guard;
  profiler_in_force->lane_fences(heddle_host::lane_now.atomic_scope, __builtin_return_address(0));
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
