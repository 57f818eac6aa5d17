// Updates and tests the state of byte ranges, eight bytes at a time.
#include "checker/memory/memory_state.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace heddle_checker {
namespace {

constexpr std::size_t page_bytes = std::size_t{1} << 16;
// Most of an allocation this large may never be touched.
constexpr std::size_t large = std::size_t{1} << 20;

// Returns zeros, which take no memory until they are touched.
template <typename T>
T* reserve(std::size_t count) {
  void* const table = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (table == MAP_FAILED) throw std::bad_alloc();
  return static_cast<T*>(table);
}

// Calls visit(address, mask) for each group of eight bytes in the range, until it returns false.
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

memory_state::memory_state(heddle_host::address_range arena)
    : arena_(arena),
      cells_(reserve<std::uint16_t>(arena.bytes / 8)),
      is_fresh_(reserve<bool>(arena.bytes / page_bytes + 1)) {}

memory_state::~memory_state() {
  munmap(cells_, arena_.bytes / 8 * sizeof *cells_);
  munmap(is_fresh_, arena_.bytes / page_bytes + 1);
}

template <typename Visit>
void memory_state::for_each_page(std::uintptr_t address, std::size_t bytes, Visit visit) const {
  const std::uintptr_t end = std::min(address + bytes, arena_.begin + arena_.bytes);
  while (address < end) {
    const std::size_t page = (address - arena_.begin) / page_bytes;
    const std::uintptr_t next = std::min(arena_.begin + (page + 1) * page_bytes, end);
    visit(page, address, next - address);
    address = next;
  }
}

void memory_state::settle(std::uintptr_t address, std::size_t bytes) const {
  for_each_page(address, bytes, [this](std::size_t page, std::uintptr_t, std::size_t) {
    if (!is_fresh_[page]) return;
    is_fresh_[page] = false;
    std::fill_n(&cells_[page * page_bytes / 8], page_bytes / 8, std::uint16_t{0xff});
  });
}

template <typename Change>
void memory_state::change(std::uintptr_t address, std::size_t bytes, Change how) {
  const auto change_one = [&](std::uintptr_t group, unsigned mask) {
    std::uint16_t& state = cell(group);
    state = static_cast<std::uint16_t>(how(state, mask));
    return true;
  };
  const std::size_t before = std::min<std::size_t>(bytes, -address & 7);
  for_each_group(address, before, change_one);
  // Most groups are whole, and the compiler can vectorise this loop.
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
  settle(address, bytes);
  bool all_hold = true;
  for_each_group(address, bytes, [&](std::uintptr_t group, unsigned mask) {
    return all_hold = arena_.contains(group) && holds(unsigned{cell(group)}, mask);
  });
  return all_hold;
}

void memory_state::begin(std::uintptr_t address, std::size_t bytes) {
  const auto begin_now = [this](std::uintptr_t first, std::size_t count) {
    change(first, count,
           [](unsigned state, unsigned mask) { return (state & ~(mask << 8)) | mask; });
  };
  if (bytes < large) return begin_now(address, bytes);
  // An allocation this large always gets addresses that were never used before.
  for_each_page(address, bytes, [&](std::size_t page, std::uintptr_t first, std::size_t count) {
    if (count == page_bytes) {
      is_fresh_[page] = true;
    } else {
      begin_now(first, count);
    }
  });
}

void memory_state::end(std::uintptr_t address, std::size_t bytes) {
  for_each_page(address, bytes, [&](std::size_t page, std::uintptr_t first, std::size_t count) {
    if (is_fresh_[page] && count == page_bytes) {
      is_fresh_[page] = false;
      return;
    }
    settle(first, count);
    change(first, count, [](unsigned state, unsigned mask) { return state & ~(mask | mask << 8); });
  });
}

void memory_state::write(std::uintptr_t address, std::size_t bytes) {
  settle(address, bytes);
  change(address, bytes, [](unsigned state, unsigned mask) { return state | (state & mask) << 8; });
}

void memory_state::forget_write(std::uintptr_t address, std::size_t bytes) {
  settle(address, bytes);
  change(address, bytes, [](unsigned state, unsigned mask) { return state & ~(mask << 8); });
}

void memory_state::copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  write(to, bytes);
  if (is_written(from, bytes)) return;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (!is_written(from + i, 1)) forget_write(to + i, 1);
  }
}

bool memory_state::try_write_slowly(std::uintptr_t address, std::size_t bytes) {
  if (!exists(address, bytes)) return false;
  write(address, bytes);
  return true;
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
