// The functions that -fsanitize=thread makes a program call in place of its atomic operations.
#include <cstdint>

#include <heddle_host/observer.hpp>

#include "hooks.hpp"

namespace {

using heddle_checker::direction;
using heddle_checker::late_value;
using heddle_checker::strength;

__extension__ typedef unsigned __int128 word128;

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

// At the beginning of an operation. Of a lane's: threads of the host come first that wait for the
// checker. Of the host's: no lane comes between what is told of it and the operation.
heddle_checker::visit take_turn(const volatile void* address) {
  heddle_checker::checker* const who = heddle_checker::checker_in_force;
  if (who == nullptr) return heddle_checker::visit(nullptr);
  if (heddle_host::in_lane()) {
    if (__builtin_expect(who->door().is_wanted(), 0) && heddle_checker::is_lane_code()) {
      const heddle_checker::checker_section guard;
      who->door().let_others_in();
    }
    return heddle_checker::visit(nullptr);
  }
  const bool is_watched = who->watches_host_at(reinterpret_cast<std::uintptr_t>(address));
  return heddle_checker::visit(is_watched ? who->door_for_host() : nullptr);
}

// Tells of the operation before it happens.
template <typename Word>
void tell(const volatile Word* address, direction way, int order, const void* code,
          late_value& late) {
  auto what = heddle_checker::access_to(
      address, sizeof(Word), way, strength::atomic, code,
      heddle_checker::reach_of(heddle_host::lane_now.atomic_scope), order_of(order));
  what.late = &late;
  heddle_checker::touch_now(what);
}

// `looks`: whether the operation would change nothing now.
template <typename Word, typename Looks>
void let_others_run(const volatile Word* address, const void* code, Looks looks) {
  if (!heddle_checker::is_lane_code()) return;
  if (reinterpret_cast<std::uintptr_t>(address) % sizeof(Word) != 0) {
    const heddle_checker::checker_section guard;
    heddle_checker::checker_in_force->end_at_misaligned_atomic(heddle_checker::access_to(
        address, sizeof(Word), direction::update, strength::atomic, code));
  }
  heddle_checker::checker* const who = heddle_checker::checker_in_force;
  who->let_others_run(reinterpret_cast<std::uintptr_t>(address), sizeof(Word),
                      who->explores() && looks(), true, code);
}

// Tells what a location will hold, just before it does.
template <typename Word>
void tell_change(const volatile Word* address, direction way, Word held, Word next, bool compares,
                 const void* code) {
  if (!heddle_checker::is_lane_code()) return;
  const heddle_checker::checker_section guard;
  const auto what = heddle_checker::access_to(address, sizeof(Word), way, strength::atomic, code);
  heddle_checker::checker_in_force->lane_changes(what, static_cast<std::uint64_t>(held),
                                                 static_cast<std::uint64_t>(next), compares);
  heddle_checker::checker_in_force->lane_looks(what, held != next);
  if (held != next) heddle_checker::checker_in_force->step_changes(what);
}

template <typename Word>
Word load_now(const volatile Word* address) {
  if constexpr (sizeof(Word) == 16) {
    return *address;
  } else {
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  }
}

template <typename Word>
bool exchange_now(volatile Word* address, Word* expected, Word desired) {
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
Word update(volatile Word* address, int order, const void* code, Next next) {
  const auto turn = take_turn(address);
  let_others_run(address, code, [&] {
    const Word held = load_now(address);
    return next(held) == held;
  });
  late_value late;
  tell(address, direction::update, order, code, late);
  Word held = load_now(address);
  tell_change(address, direction::update, held, next(held), false, code);
  while (!exchange_now(address, &held, next(held))) {
  }
  return held;
}

template <typename Word>
bool compare_exchange(volatile Word* address, Word* expected, Word desired, int success,
                      int failure, const void* code) {
  const auto turn = take_turn(address);
  // First it lets others run, then it looks: nobody comes between the look and the exchange.
  let_others_run(address, code, [&] { return load_now(address) != *expected; });
  const Word held = load_now(address);
  const bool succeeds = held == *expected;
  const direction way = succeeds ? direction::update : direction::read;
  late_value late;
  late.takes_newest = true;
  tell(address, way, succeeds ? success : failure, code, late);
  tell_change(address, way, held, succeeds ? desired : held, true, code);
  return exchange_now(address, expected, desired);
}

}  // namespace

#define CALLER __builtin_return_address(0)

#define HOOKS(bits, Word)                                                                      \
  Word __tsan_atomic##bits##_load(const volatile Word* address, int order) {                   \
    const auto turn = take_turn(address);                                                      \
    let_others_run(address, CALLER, [] { return true; });                                      \
    late_value late;                                                                           \
    tell(address, direction::read, order, CALLER, late);                                       \
    const Word held = late.seen ? static_cast<Word>(*late.seen) : load_now(address);           \
    tell_change(address, direction::read, held, held, false, CALLER);                          \
    return held;                                                                               \
  }                                                                                            \
  void __tsan_atomic##bits##_store(volatile Word* address, Word value, int order) {            \
    const auto turn = take_turn(address);                                                      \
    let_others_run(address, CALLER, [] { return false; });                                     \
    late_value late;                                                                           \
    late.stored = static_cast<std::uint64_t>(value);                                           \
    tell(address, direction::write, order, CALLER, late);                                      \
    if (late.is_overtaken) return;                                                             \
    Word held = load_now(address);                                                             \
    tell_change(address, direction::write, held, value, false, CALLER);                        \
    while (!exchange_now(address, &held, value)) {                                             \
    }                                                                                          \
  }                                                                                            \
  Word __tsan_atomic##bits##_exchange(volatile Word* address, Word value, int order) {         \
    return update(address, order, CALLER, [=](Word) { return value; });                        \
  }                                                                                            \
  Word __tsan_atomic##bits##_fetch_add(volatile Word* address, Word value, int order) {        \
    return update(address, order, CALLER, [=](Word held) { return Word(held + value); });      \
  }                                                                                            \
  Word __tsan_atomic##bits##_fetch_sub(volatile Word* address, Word value, int order) {        \
    return update(address, order, CALLER, [=](Word held) { return Word(held - value); });      \
  }                                                                                            \
  Word __tsan_atomic##bits##_fetch_and(volatile Word* address, Word value, int order) {        \
    return update(address, order, CALLER, [=](Word held) { return Word(held & value); });      \
  }                                                                                            \
  Word __tsan_atomic##bits##_fetch_or(volatile Word* address, Word value, int order) {         \
    return update(address, order, CALLER, [=](Word held) { return Word(held | value); });      \
  }                                                                                            \
  Word __tsan_atomic##bits##_fetch_xor(volatile Word* address, Word value, int order) {        \
    return update(address, order, CALLER, [=](Word held) { return Word(held ^ value); });      \
  }                                                                                            \
  Word __tsan_atomic##bits##_fetch_nand(volatile Word* address, Word value, int order) {       \
    return update(address, order, CALLER, [=](Word held) { return Word(~(held & value)); });   \
  }                                                                                            \
  bool __tsan_atomic##bits##_compare_exchange_strong(volatile Word* address, Word* expected,   \
                                                     Word desired, int success, int failure) { \
    return compare_exchange(address, expected, desired, success, failure, CALLER);             \
  }                                                                                            \
  bool __tsan_atomic##bits##_compare_exchange_weak(volatile Word* address, Word* expected,     \
                                                   Word desired, int success, int failure) {   \
    return compare_exchange(address, expected, desired, success, failure, CALLER);             \
  }                                                                                            \
  Word __tsan_atomic##bits##_compare_exchange_val(volatile Word* address, Word expected,       \
                                                  Word desired, int success, int failure) {    \
    compare_exchange(address, &expected, desired, success, failure, CALLER);                   \
    return expected;                                                                           \
  }

extern "C" {

HOOKS(8, std::uint8_t)
HOOKS(16, std::uint16_t)
HOOKS(32, std::uint32_t)
HOOKS(64, std::uint64_t)
HOOKS(128, word128)

void __tsan_atomic_thread_fence(int order) {
  if (heddle_checker::is_lane_code() && order != __ATOMIC_RELAXED) {
    heddle_checker::checker_in_force->lane_fences(heddle_host::lane_now.atomic_scope,
                                                  order_of(order));
  }
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
