// Loads and stores with a cache hint in the name. The CPU ignores the hint: these are plain
// accesses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <heddle_host/read_only_load.hpp>

namespace cuda_on_host {

template <typename T>
constexpr bool may_be_hinted = std::is_trivially_copyable<T>::value && sizeof(T) <= 32 &&
                               (sizeof(T) & (sizeof(T) - 1)) == 0;

template <typename T>
struct exactly {
  using type = T;
};

// Keeps the compiler from moving an access out of a loop that waits for another thread.
inline void keep_access_here() { __asm__ __volatile__("" ::: "memory"); }

template <typename T>
inline T load(const T* address) {
  static_assert(may_be_hinted<T>,
                "cached loads are for plain values of 1, 2, 4, 8, 16 or 32 bytes");
  return *address;
}

template <typename T>
inline void store(T* address, T value) {
  static_assert(may_be_hinted<T>,
                "cached stores are for plain values of 1, 2, 4, 8, 16 or 32 bytes");
  *address = value;
  keep_access_here();
}

// Reads memory again each time, in the largest pieces that have volatile loads.
template <typename T>
inline T load_volatile(const T* address) {
  static_assert(may_be_hinted<T>,
                "cached loads are for plain values of 1, 2, 4, 8, 16 or 32 bytes");
  using piece = std::conditional_t<
      sizeof(T) % 8 == 0, std::uint64_t,
      std::conditional_t<sizeof(T) % 4 == 0, std::uint32_t,
                         std::conditional_t<sizeof(T) % 2 == 0, std::uint16_t, std::uint8_t>>>;
  typedef piece __attribute__((may_alias)) aliasing_piece;
  aliasing_piece pieces[sizeof(T) / sizeof(piece)];
  const auto* source = reinterpret_cast<const volatile aliasing_piece*>(address);
  for (std::size_t i = 0; i < sizeof(T) / sizeof(piece); ++i) pieces[i] = source[i];
  T value;
  std::memcpy(static_cast<void*>(&value), pieces, sizeof(T));
  return value;
}

}  // namespace cuda_on_host

template <typename T>
inline T __ldg(const T* address) {
  ::heddle_host::lane_loads_read_only(address, sizeof(T));
  return ::cuda_on_host::load(address);
}
template <typename T>
inline T __ldca(const T* address) {
  return ::cuda_on_host::load(address);
}
template <typename T>
inline T __ldcs(const T* address) {
  return ::cuda_on_host::load(address);
}
template <typename T>
inline T __ldlu(const T* address) {
  return ::cuda_on_host::load(address);
}
template <typename T>
inline T __ldcg(const T* address) {
  ::cuda_on_host::keep_access_here();
  return ::cuda_on_host::load(address);
}
template <typename T>
inline T __ldcv(const T* address) {
  return ::cuda_on_host::load_volatile(address);
}

template <typename T>
inline void __stcg(T* address, typename ::cuda_on_host::exactly<T>::type value) {
  ::cuda_on_host::store(address, value);
}
template <typename T>
inline void __stcs(T* address, typename ::cuda_on_host::exactly<T>::type value) {
  ::cuda_on_host::store(address, value);
}
template <typename T>
inline void __stwb(T* address, typename ::cuda_on_host::exactly<T>::type value) {
  ::cuda_on_host::store(address, value);
}
template <typename T>
inline void __stwt(T* address, typename ::cuda_on_host::exactly<T>::type value) {
  ::cuda_on_host::store(address, value);
}
