// CUDA's conversions between generic addresses and addresses in one memory space, and its tests for
// the space of an address.
#pragma once
#include <cstddef>
#include <cstdint>

#include <heddle_host/lane.hpp>

namespace heddle_host {

enum class address_space : unsigned char { global, shared, local };
// Constant memory counts as global, because the CPU has no separate memory for it. All host memory
// counts as global too.
address_space space_of(const void* address);

// False if the address is certainly in other memory than `__constant__` variables, or than a
// kernel's `__grid_constant__` parameters. Otherwise these end the program, because the CPU cannot
// tell such memory from other variables.
bool is_constant(const void* address);
bool is_grid_constant(const void* address);

}  // namespace heddle_host

inline unsigned __isGlobal(const void* address) {
  return heddle_host::space_of(address) == heddle_host::address_space::global;
}
inline unsigned __isShared(const void* address) {
  return heddle_host::space_of(address) == heddle_host::address_space::shared;
}
inline unsigned __isLocal(const void* address) {
  return heddle_host::space_of(address) == heddle_host::address_space::local;
}
inline unsigned __isConstant(const void* address) { return heddle_host::is_constant(address); }
inline unsigned __isGridConstant(const void* address) {
  return heddle_host::is_grid_constant(address);
}

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
