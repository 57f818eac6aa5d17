// CUDA's conversions between generic addresses and addresses in one memory space.
#pragma once
#include <cstddef>
#include <cstdint>

#include <heddle_host/lane.hpp>

// Shared memory has its own 32-bit addresses: here, offsets from the block's shared memory.
inline std::size_t __cvta_generic_to_shared(const void* address) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) -
                                    reinterpret_cast<std::uintptr_t>(heddle_host::lane_now.shared));
}
inline void* __cvta_shared_to_generic(std::size_t address) {
  return heddle_host::lane_now.shared + static_cast<std::int32_t>(address);
}
inline std::size_t __cvta_generic_to_global(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
inline void* __cvta_global_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
