// PTX's addresses, loads and stores.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <heddle_host/address_spaces.hpp>
#include <heddle_host/atomic_scope.hpp>
#include <heddle_host/barrier.hpp>
#include <heddle_host/progress.hpp>
#include <heddle_host/ptx_values.hpp>

namespace heddle_host::ptx {

// An address operand: a pointer, or an integer that holds a pointer or a shared-memory address.
template <typename Base>
inline unsigned char* address(Base base, std::ptrdiff_t offset) {
  if constexpr (std::is_pointer_v<Base>) {
    return const_cast<unsigned char*>(static_cast<const volatile unsigned char*>(
               static_cast<const volatile void*>(base))) +
           offset;
  } else {
    // A 32-bit address may be held in an int.
    const std::uintptr_t number =
        sizeof(Base) == 4 ? std::uint32_t(base) : static_cast<std::uintptr_t>(base);
    const bool is_in_shared_memory = number <= 0xffffffffu;
    return (is_in_shared_memory ? static_cast<unsigned char*>(__cvta_shared_to_generic(number))
                                : reinterpret_cast<unsigned char*>(number)) +
           offset;
  }
}

// Between generic addresses and those in shared memory.
template <typename T>
inline T cvta_to_shared(T generic) {
  return static_cast<T>(__cvta_generic_to_shared(address(generic, 0)));
}
template <typename T>
inline T cvta_shared(T in_shared) {
  return static_cast<T>(reinterpret_cast<std::uintptr_t>(
      __cvta_shared_to_generic(static_cast<std::size_t>(in_shared))));
}

// The same place in another block of the cluster, in the form of the given address.
template <typename T>
inline T mapa(T place, unsigned rank) {
  void* const there = map_shared_rank(address(place, 0), rank);
  if (static_cast<std::uintptr_t>(place) <= 0xffffffffu)
    return static_cast<T>(__cvta_generic_to_shared(there));
  return static_cast<T>(reinterpret_cast<std::uintptr_t>(there));
}
template <typename T>
inline unsigned getctarank(T place) {
  return shared_rank_of(address(place, 0));
}

template <typename T>
inline T load_weak(const unsigned char* from, std::size_t index) {
  T value;
  std::memcpy(&value, from + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
inline T load_ordered(const unsigned char* from, std::size_t index, int order, memory_scope whom) {
  T value;
  const T* const place = reinterpret_cast<const T*>(from) + index;
  {
    const atomic_scope meant_for(whom);
    if (order == __ATOMIC_ACQUIRE)
      __atomic_load(place, &value, __ATOMIC_ACQUIRE);
    else
      __atomic_load(place, &value, __ATOMIC_RELAXED);
  }
  // Lanes poll with such loads.
  spin_hint();
  return value;
}
template <typename T, memory_scope whom>
inline T load_relaxed(const unsigned char* from, std::size_t index) {
  return load_ordered<T>(from, index, __ATOMIC_RELAXED, whom);
}
template <typename T, memory_scope whom>
inline T load_acquire(const unsigned char* from, std::size_t index) {
  return load_ordered<T>(from, index, __ATOMIC_ACQUIRE, whom);
}

template <typename T>
inline void store_weak(unsigned char* to, std::size_t index, T value) {
  std::memcpy(to + index * sizeof(T), &value, sizeof(T));
}
template <typename T, memory_scope whom>
inline void store_relaxed(unsigned char* to, std::size_t index, T value) {
  const atomic_scope meant_for(whom);
  __atomic_store(reinterpret_cast<T*>(to) + index, &value, __ATOMIC_RELAXED);
}
template <typename T, memory_scope whom>
inline void store_release(unsigned char* to, std::size_t index, T value) {
  const atomic_scope meant_for(whom);
  __atomic_store(reinterpret_cast<T*>(to) + index, &value, __ATOMIC_RELEASE);
}

}  // namespace heddle_host::ptx
