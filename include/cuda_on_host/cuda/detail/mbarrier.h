// CUDA's 64-bit barrier object in shared memory: counts of pending arrivals and bytes.
#pragma once
#include <cstdint>
#include <type_traits>

#include <cuda/detail/wait.h>
#include <heddle_host/async_copy.hpp>
#include <heddle_host/trap.hpp>

namespace cuda_on_host::mbarrier {

// 2^20 - 1: the PTX ISA's limit for arrivals and for bytes.
inline constexpr std::uint32_t most_arrivals = (1u << 20) - 1;

// A phase ends when no arrival and no byte is pending; the next phase then expects `expected`
// arrivals. Packed from the lowest bit: pending 20, expected 20, bytes 21 (signed), phase 3.
struct state {
  std::uint32_t pending;
  std::uint32_t expected;
  std::int32_t bytes;
  std::uint32_t phase;
};

inline std::uint64_t pack(const state& from) {
  constexpr std::uint64_t low_20 = (1u << 20) - 1, low_21 = (1u << 21) - 1;
  return (from.pending & low_20) | (from.expected & low_20) << 20 |
         (static_cast<std::uint64_t>(from.bytes) & low_21) << 40 |
         static_cast<std::uint64_t>(from.phase & 7) << 61;
}

inline state unpack(std::uint64_t word) {
  constexpr std::uint32_t low_20 = (1u << 20) - 1;
  state to;
  to.pending = static_cast<std::uint32_t>(word) & low_20;
  to.expected = static_cast<std::uint32_t>(word >> 20) & low_20;
  // Shift left, then right, to sign-extend the 21 bits.
  to.bytes = static_cast<std::int32_t>(static_cast<std::int64_t>(word << 3) >> 43);
  to.phase = static_cast<std::uint32_t>(word >> 61);
  return to;
}

inline void init(std::uint64_t* word, std::uint32_t expected) {
  if (expected > most_arrivals) heddle_host::trap(heddle_host::finding_cause::too_many_expected);
  *word = pack({expected, expected, 0, 0});  // a plain store, as on a GPU: the caller must publish
                                             // it
}

struct nothing {
  void operator()() const {}
};

// Subtracts `arrivals` from the pending arrivals and `drops` from those that later phases expect;
// adds `bytes` to the pending bytes. The thread that ends the phase calls `completion` before any
// other proceeds. Returns the old state, which is the token to wait with.
template <typename Completion = nothing>
inline std::uint64_t advance(std::uint64_t* word, std::uint32_t arrivals, std::uint32_t drops,
                             std::int32_t bytes, Completion&& completion = {}) {
  std::uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    state next = unpack(seen);
    if (arrivals > next.pending) heddle_host::trap(heddle_host::finding_cause::too_many_arrivals);
    next.pending -= arrivals;
    next.expected -= drops;
    next.bytes += bytes;
    const bool phase_ends = next.pending == 0 && next.bytes == 0;
    state after = next;
    if (phase_ends) {
      after.pending = after.expected;
      after.phase += 1;
    }
    constexpr bool has_completion = !std::is_same_v<std::decay_t<Completion>, nothing>;
    // A checker must hear of the end before another thread can see it.
    constexpr bool ends_at_once = !has_completion && !heddle_host::needs_of_copies_are_checked;
    const std::uint64_t wanted = pack(ends_at_once ? after : next);
    if (__atomic_compare_exchange_n(word, &seen, wanted, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      if (phase_ends) heddle_host::end_phase(word);
      if (!ends_at_once && phase_ends) {
        if (has_completion) heddle_host::await_phase(word);
        completion();
        __atomic_store_n(word, pack(after), __ATOMIC_RELEASE);
      }
      return seen;
    }
  }
}

inline std::uint64_t arrive(std::uint64_t* word, std::uint32_t count = 1) {
  return advance(word, count, 0, 0);
}
inline std::uint64_t expect_bytes(std::uint64_t* word, std::uint32_t bytes) {
  return advance(word, 0, 0, static_cast<std::int32_t>(bytes));
}
inline void complete_bytes(std::uint64_t* word, std::uint32_t bytes) {
  advance(word, 0, 0, -static_cast<std::int32_t>(bytes));
}

// A thread that has seen a phase end also sees what the phase's copies wrote.
inline bool see_end(const std::uint64_t* word, bool has_ended) {
  if (has_ended) heddle_host::await_phase(word);
  return has_ended;
}

// Whether the phase in which the token was taken has ended.
inline bool has_passed(const std::uint64_t* word, std::uint64_t token) {
  return see_end(word,
                 unpack(__atomic_load_n(word, __ATOMIC_ACQUIRE)).phase != unpack(token).phase);
}

// Whether the phase of this parity has ended, that is, a phase of the other parity is running.
inline bool has_passed_parity(const std::uint64_t* word, bool parity) {
  return see_end(word,
                 ((unpack(__atomic_load_n(word, __ATOMIC_ACQUIRE)).phase & 1) != 0) != parity);
}

}  // namespace cuda_on_host::mbarrier
