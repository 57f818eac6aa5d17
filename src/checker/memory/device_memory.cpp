// Finds out what an address belongs to.
#include "checker/memory/device_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <new>

namespace heddle_checker {

namespace {

// Reserved for the whole run.
heddle_host::address_range range_for_local_arrays() {
  constexpr std::size_t bytes = std::size_t{1} << 32;
  void* const base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  return {reinterpret_cast<std::uintptr_t>(base), bytes};
}

}  // namespace

device_memory::device_memory()
    : arena(heddle_host::checked_arena()), state(arena), locals(range_for_local_arrays()) {}

bool device_memory::is_shared_with_host(std::uintptr_t address) {
  if (!arena.contains(address)) return elsewhere.place_of(address) != memory_place::of_variable;
  const allocation* const one = allocated.find(address);
  return one != nullptr && !one->is_shared_memory && !one->is_of_device_heap &&
         one->kind != heddle_host::memory_kind::device;
}

bool device_memory::has_checked_copies(std::uintptr_t address) const {
  if (arena.contains(address)) return true;
  const auto next = symbols.upper_bound(address);
  return next != symbols.begin() && address - std::prev(next)->first < std::prev(next)->second;
}

bool device_memory::is_constant(std::uintptr_t address) const {
  return std::any_of(constants.begin(), constants.end(),
                     [&](const auto& one) { return one.contains(address); });
}

void device_memory::describe(const access& what, heddle_host::finding& in) {
  // Memory between the program's variables does not belong to the device.
  const allocation* const one =
      arena.contains(what.address) ? allocated.nearest(what.address) : allocated.find(what.address);
  if (one != nullptr) in.memory = spot_in(*one, what);
}

heddle_host::memory_spot device_memory::spot_in(const allocation& memory, const access& what) {
  heddle_host::memory_spot spot;
  spot.variable = memory.name;
  spot.is_shared = memory.is_shared_memory;
  spot.offset = static_cast<std::ptrdiff_t>(what.address - memory.begin);
  spot.access_bytes = what.bytes;
  spot.bytes = memory.bytes;
  spot.allocated_at = memory.made;
  spot.declared = memory.declared;
  spot.freed_at = memory.freed;
  return spot;
}

allocation device_memory::allocation_of(const local_array& one) {
  allocation made;
  made.begin = one.begin;
  made.bytes = one.bytes;
  made.name = one.name;
  made.declared = one.declared;
  return made;
}

}  // namespace heddle_checker
