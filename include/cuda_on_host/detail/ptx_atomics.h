// PTX's atomic operations, and the accesses of 128 bits that are not weak.
#pragma once
#include <cstddef>

#include <cuda/detail/atomic_word.h>
#include <heddle_host/atomic_scope.hpp>

#include "ptx_integer.h"

namespace heddle_host::ptx {

namespace atomic_word = ::cuda_on_host::atomic_word;

// Memory orders by PTX's names.
namespace order {
inline constexpr int relaxed = __ATOMIC_RELAXED, acquire = __ATOMIC_ACQUIRE,
                     release = __ATOMIC_RELEASE, acq_rel = __ATOMIC_ACQ_REL;
}  // namespace order

template <typename T>
inline T* element_at(unsigned char* to, std::size_t index) {
  return reinterpret_cast<T*>(to) + index;
}

template <typename T, int ordered, memory_scope whom>
inline T atom_exch(unsigned char* to, std::size_t index, T value) {
  const atomic_scope meant_for(whom);
  return atomic_word::exchange(element_at<T>(to, index), value, ordered);
}
template <typename T, int ordered, memory_scope whom>
inline T atom_cas(unsigned char* to, std::size_t index, T expected, T value) {
  const atomic_scope meant_for(whom);
  atomic_word::compare_exchange(element_at<T>(to, index), expected, value, ordered,
                                atomic_word::order_of_failure(ordered));
  return expected;
}
template <typename T, int ordered, memory_scope whom>
inline T atom_and(unsigned char* to, std::size_t index, T value) {
  const atomic_scope meant_for(whom);
  return atomic_word::fetch_and(element_at<T>(to, index), value, ordered);
}
template <typename T, int ordered, memory_scope whom>
inline T atom_or(unsigned char* to, std::size_t index, T value) {
  const atomic_scope meant_for(whom);
  return atomic_word::fetch_or(element_at<T>(to, index), value, ordered);
}
template <typename T, int ordered, memory_scope whom>
inline T atom_xor(unsigned char* to, std::size_t index, T value) {
  const atomic_scope meant_for(whom);
  return atomic_word::fetch_xor(element_at<T>(to, index), value, ordered);
}
// Replaces what is there by next(what is there).
template <typename T, int ordered, memory_scope whom, typename Next>
inline T atom_update(unsigned char* to, std::size_t index, Next next) {
  const atomic_scope meant_for(whom);
  return atomic_word::update(element_at<T>(to, index), next, ordered);
}
template <typename T, int ordered, memory_scope whom>
inline T atom_add(unsigned char* to, std::size_t index, T value) {
  if constexpr (std::is_integral_v<T>) {
    const atomic_scope meant_for(whom);
    return atomic_word::fetch_add(element_at<T>(to, index), value, ordered);
  } else {
    return atom_update<T, ordered, whom>(
        to, index, [value](T held) { return add_numbers<T, how::rn>(held, value); });
  }
}
template <typename T, int ordered, memory_scope whom>
inline T atom_min(unsigned char* to, std::size_t index, T value) {
  return atom_update<T, ordered, whom>(to, index,
                                       [value](T held) { return min<T, how::none>(held, value); });
}
template <typename T, int ordered, memory_scope whom>
inline T atom_max(unsigned char* to, std::size_t index, T value) {
  return atom_update<T, ordered, whom>(to, index,
                                       [value](T held) { return max<T, how::none>(held, value); });
}
// Counts up to `limit`, then wraps to 0.
template <typename T, int ordered, memory_scope whom>
inline T atom_inc(unsigned char* to, std::size_t index, T limit) {
  return atom_update<T, ordered, whom>(to, index,
                                       [limit](T held) { return held >= limit ? T(0) : held + 1; });
}
// Counts down to 0, then wraps to `limit`; any value above `limit` also becomes `limit`.
template <typename T, int ordered, memory_scope whom>
inline T atom_dec(unsigned char* to, std::size_t index, T limit) {
  return atom_update<T, ordered, whom>(
      to, index, [limit](T held) { return held == 0 || held > limit ? limit : held - 1; });
}

// Compilers would call a library for these.
template <typename T, int ordered, memory_scope whom>
inline T wide_load(unsigned char* from, std::size_t index) {
  const atomic_scope meant_for(whom);
  return atomic_word::load(element_at<T>(from, index), ordered);
}
template <typename T, int ordered, memory_scope whom>
inline void wide_store(unsigned char* to, std::size_t index, T value) {
  const atomic_scope meant_for(whom);
  atomic_word::store(element_at<T>(to, index), value, ordered);
}

}  // namespace heddle_host::ptx
