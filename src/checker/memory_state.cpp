// Goes over the states of runs of bytes, eight bytes at a time.
#include "memory_state.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace heddle_checker {
namespace {

std::size_t table_bytes(heddle_host::address_range arena) {
  return arena.bytes / 8 * sizeof(std::uint16_t);
}

// Calls visit(address, mask) for each group of eight bytes that the run touches.
template <typename Visit>
void for_each_group(std::uintptr_t address, std::size_t bytes, Visit visit) {
  const std::uintptr_t end = address + bytes;
  while (address < end) {
    const unsigned first = address & 7;
    const auto count = static_cast<unsigned>(std::min<std::uintptr_t>(8 - first, end - address));
    if (!visit(address, ((1u << count) - 1) << first)) return;
    address += count;
  }
}

}  // namespace

memory_state::memory_state(heddle_host::address_range arena) : arena_(arena) {
  void* const table = mmap(nullptr, table_bytes(arena), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (table == MAP_FAILED) throw std::bad_alloc();
  cells_ = static_cast<std::uint16_t*>(table);
}

memory_state::~memory_state() { munmap(cells_, table_bytes(arena_)); }

template <typename Change>
void memory_state::change(std::uintptr_t address, std::size_t bytes, Change how) {
  const auto change_one = [&](std::uintptr_t group, unsigned mask) {
    std::uint16_t& state = cell(group);
    state = static_cast<std::uint16_t>(how(state, mask));
    return true;
  };
  const std::size_t before = std::min<std::size_t>(bytes, -address & 7);
  for_each_group(address, before, change_one);
  // Whole groups are the many, and a loop that the compiler can do several of at a time.
  std::uint16_t* const first = &cell(address + before);
  const std::size_t groups = (bytes - before) / 8;
  for (std::size_t i = 0; i < groups; ++i) {
    first[i] = static_cast<std::uint16_t>(how(first[i], 0xffu));
  }
  const std::size_t done = before + groups * 8;
  for_each_group(address + done, bytes - done, change_one);
}

template <typename Test>
bool memory_state::all(std::uintptr_t address, std::size_t bytes, Test holds) const {
  bool all_hold = true;
  for_each_group(address, bytes, [&](std::uintptr_t group, unsigned mask) {
    return all_hold = arena_.contains(group) && holds(unsigned{cell(group)}, mask);
  });
  return all_hold;
}

void memory_state::begin(std::uintptr_t address, std::size_t bytes) {
  change(address, bytes,
         [](unsigned state, unsigned mask) { return (state & ~(mask << 8)) | mask; });
}

void memory_state::end(std::uintptr_t address, std::size_t bytes) {
  change(address, bytes, [](unsigned state, unsigned mask) { return state & ~(mask | mask << 8); });
}

void memory_state::write(std::uintptr_t address, std::size_t bytes) {
  change(address, bytes, [](unsigned state, unsigned mask) { return state | (state & mask) << 8; });
}

bool memory_state::exists(std::uintptr_t address, std::size_t bytes) const {
  return all(address, bytes, [](unsigned state, unsigned mask) { return (state & mask) == mask; });
}

bool memory_state::is_written(std::uintptr_t address, std::size_t bytes) const {
  return all(address, bytes,
             [](unsigned state, unsigned mask) { return (state >> 8 & mask) == mask; });
}

bool memory_state::is_readable_in_parts(std::uintptr_t address, std::size_t bytes) const {
  return exists(address, bytes) && is_written(address, bytes);
}

}  // namespace heddle_checker
