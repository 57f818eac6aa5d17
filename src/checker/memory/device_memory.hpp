// The memory of the checked program: what exists, what has been written, and what it is called.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <heddle_host/arena.hpp>
#include <heddle_host/finding.hpp>

#include "checker/access.hpp"
#include "checker/memory/allocations.hpp"
#include "checker/memory/local_arrays.hpp"
#include "checker/memory/managed_variables.hpp"
#include "checker/memory/memory_state.hpp"
#include "checker/memory/other_memory.hpp"

namespace heddle_checker {

struct device_memory {
  device_memory();

  heddle_host::address_range arena;  // all memory that CUDA allocates, and shared memory
  memory_state state;                // of the arena's bytes
  allocations allocated;
  local_arrays locals;
  other_memory elsewhere;
  managed_variables managed;
  heddle_host::address_range parameters{0, 0};       // of the running kernel
  std::map<std::uintptr_t, std::size_t> registered;  // host memory that lanes may access
  std::map<std::uintptr_t, std::size_t> symbols;     // variables that the host copies to or from
  std::vector<heddle_host::address_range> constants;

  [[nodiscard]] bool is_variable(std::uintptr_t address) const {
    return !locals.contains(address) && elsewhere.place_of(address) == memory_place::of_variable;
  }
  [[nodiscard]] bool is_seen_by_others(std::uintptr_t address) const {
    return arena.contains(address) || is_variable(address);
  }
  // Outside the arena: a lane's own memory, the runtime's, or the kernel's parameters.
  [[nodiscard]] bool is_private(std::uintptr_t address) const {
    // Local arrays may lie next to a stack.
    return !locals.contains(address) &&
           (elsewhere.is_of_thread(address) || other_memory::is_of_stack(address) ||
            parameters.contains(address));
  }
  // The host may change it while a kernel runs.
  [[nodiscard]] bool is_shared_with_host(std::uintptr_t address);
  // Device memory or a variable, where copies by the host are checked.
  [[nodiscard]] bool has_checked_copies(std::uintptr_t address) const;
  [[nodiscard]] bool is_constant(std::uintptr_t address) const;

  // Names the memory around an access in a finding.
  void describe(const access& what, heddle_host::finding& in);
  static heddle_host::memory_spot spot_in(const allocation& memory, const access& what);
  static allocation allocation_of(const local_array& one);
};

}  // namespace heddle_checker
