// Defines the functions that -fsanitize=thread calls in place of atomic operations.
#include <cstdint>

#include <heddle_host/atomic_hooks.hpp>
#include <heddle_host/observer.hpp>

#include "checker/hooks/hooks.hpp"

namespace {

using heddle_checker::direction;
using heddle_checker::late_value;
using heddle_checker::strength;
using heddle_host::load_now;

heddle_checker::order order_of(int compilers) {
  switch (compilers) {
    case __ATOMIC_RELAXED:
      return heddle_checker::order::relaxed;
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE:
      return heddle_checker::order::acquire;
    case __ATOMIC_RELEASE:
      return heddle_checker::order::release;
    case __ATOMIC_ACQ_REL:
      return heddle_checker::order::acq_rel;
    default:
      return heddle_checker::order::seq_cst;
  }
}

// Called when an operation begins. If a lane runs it, host threads that wait for the checker go
// first. If the host runs it, no lane runs between the report and the operation.
[[gnu::always_inline]] inline heddle_checker::ticket_lock_guard take_turn(
    const volatile void* address) {
  heddle_checker::checker* const who = heddle_checker::checker_in_force;
  if (who == nullptr) return heddle_checker::ticket_lock_guard(nullptr);
  if (heddle_host::in_lane()) {
    if (__builtin_expect(who->checks().host.host_may_come(), 0) && heddle_checker::is_lane_code()) {
      const heddle_checker::checker_section guard;
      who->checks().host.let_host_come();
    }
    return heddle_checker::ticket_lock_guard(nullptr);
  }
  if (heddle_checker::host_may_wait_for_others()) who->checks().host.host_polls();
  const bool is_watched = who->watches_host_at(reinterpret_cast<std::uintptr_t>(address));
  return heddle_checker::ticket_lock_guard(is_watched ? who->run().mutex_for_host() : nullptr);
}

// `looks` returns whether the operation would change nothing now.
template <typename Word, typename Looks>
[[gnu::always_inline]] inline void let_others_run(const volatile Word* address, const void* code,
                                                  Looks looks) {
  if (!heddle_checker::is_lane_code()) return;
  if (reinterpret_cast<std::uintptr_t>(address) % sizeof(Word) != 0) {
    const heddle_checker::checker_section guard;
    heddle_checker::checker_in_force->checks().alignment.end_at_misaligned_atomic(
        heddle_checker::access_to(address, sizeof(Word), direction::update, strength::atomic,
                                  code));
  }
  heddle_checker::checker& who = *heddle_checker::checker_in_force;
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (who.run().memory.is_seen_by_others(place)) {
    who.turns().pass(place, sizeof(Word), who.run().explores() && looks(), true, code);
  }
}

// One copy for the sizes that few programs use: the code of `touch` takes the compiler long.
[[gnu::noinline]] void touch_rare_size(const heddle_checker::access& what) {
  heddle_checker::touch(what, true);
}

// Reports the operation just before it happens.
template <typename Word>
[[gnu::always_inline]] inline void report(const volatile Word* address, direction way, int order,
                                          late_value& late, const void* code) {
  auto what = heddle_checker::access_to(
      address, sizeof(Word), way, strength::atomic, code,
      heddle_checker::reach_of(heddle_host::lane_now.atomic_scope), order_of(order));
  what.late = &late;
  if constexpr (sizeof(Word) == 4 || sizeof(Word) == 8) {
    heddle_checker::touch(what, true);
  } else {
    touch_rare_size(what);
  }
}

// Reports the old and new value of the location. Builds the access again so that it stays in
// registers both times.
template <typename Word>
[[gnu::always_inline]] inline void report_change(const volatile Word* address, direction way,
                                                 Word held, Word next, bool compares,
                                                 const void* code) {
  if (!heddle_checker::is_lane_code()) return;
  const heddle_checker::checker_section guard;
  const auto what = heddle_checker::access_to(address, sizeof(Word), way, strength::atomic, code);
  heddle_checker::checker_in_force->checks().aba.lane_changes(
      what, static_cast<std::uint64_t>(held), static_cast<std::uint64_t>(next), compares);
  heddle_checker::checker_in_force->lane_polls_or_changes(what, held != next);
  if (held != next) heddle_checker::checker_in_force->step_changes(what);
}

// Lanes run one at a time, but host threads may run between them, unless the memory is the running
// block's shared memory.
bool is_touched_by_lanes_alone(const volatile void* address) {
  if (!heddle_checker::is_lane_code()) return false;
  const auto& block = *static_cast<heddle_checker::block_record*>(heddle_host::lane_now.observed);
  return block.has_shared(reinterpret_cast<std::uintptr_t>(address));
}

template <typename Word>
bool exchange_now(volatile Word* address, Word* expected, Word desired, int order) {
  if constexpr (sizeof(Word) < 16) {
    if (!is_touched_by_lanes_alone(address)) {
      return order == __ATOMIC_RELAXED
                 ? __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED)
                 : __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST,
                                               __ATOMIC_SEQ_CST);
    }
  }
  return heddle_host::exchange_in_steps(address, expected, desired);
}

// What the hooks do. Each function is inlined into its hook, so the hook's caller is the program.
struct checked_operations {
  template <typename Word>
  [[gnu::always_inline]] static Word load(const volatile Word* address, int order,
                                          const void* code) {
    const auto turn = take_turn(address);
    let_others_run(address, code, [] { return true; });
    late_value late;
    report(address, direction::read, order, late, code);
    const Word held = late.seen ? static_cast<Word>(*late.seen) : load_now(address);
    report_change(address, direction::read, held, held, false, code);
    return held;
  }

  template <typename Word>
  [[gnu::always_inline]] static void store(volatile Word* address, Word value, int order,
                                           const void* code) {
    const auto turn = take_turn(address);
    let_others_run(address, code, [] { return false; });
    late_value late;
    late.stored = static_cast<std::uint64_t>(value);
    report(address, direction::write, order, late, code);
    if (late.is_overtaken) return;
    Word held = load_now(address);
    report_change(address, direction::write, held, value, false, code);
    while (!exchange_now(address, &held, value, order)) {
    }
  }

  template <typename Word>
  [[gnu::always_inline]] static Word exchange(volatile Word* address, Word value, int order,
                                              const void* code) {
    return update(address, order, code, [=](Word) { return value; });
  }

  template <typename Word, typename Next>
  static Word update(volatile Word* address, int order, const void* code, Next next) {
    const auto turn = take_turn(address);
    let_others_run(address, code, [&] {
      const Word held = load_now(address);
      return next(held) == held;
    });
    late_value late;
    report(address, direction::update, order, late, code);
    Word held = load_now(address);
    report_change(address, direction::update, held, next(held), false, code);
    while (!exchange_now(address, &held, next(held), order)) {
    }
    return held;
  }

  template <typename Word>
  static bool compare_exchange(volatile Word* address, Word* expected, Word desired, int success,
                               int failure, const void* code) {
    const auto turn = take_turn(address);
    // Let others run first, then look, so that nobody runs between the look and the exchange.
    let_others_run(address, code, [&] { return load_now(address) != *expected; });
    const Word held = load_now(address);
    const bool succeeds = held == *expected;
    const direction way = succeeds ? direction::update : direction::read;
    late_value late;
    late.takes_newest = true;
    report(address, way, succeeds ? success : failure, late, code);
    report_change(address, way, held, succeeds ? desired : held, true, code);
    return exchange_now(address, expected, desired, success);
  }
};

}  // namespace

HEDDLE_ATOMIC_HOOKS(checked_operations)

extern "C" {

void __tsan_atomic_thread_fence(int order) {
  if (heddle_checker::is_lane_code() && order != __ATOMIC_RELAXED) {
    const heddle_checker::checker_section guard;
    heddle_checker::checker_in_force->checks().races.fence(heddle_host::lane_now.atomic_scope,
                                                           order_of(order));
  }
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
