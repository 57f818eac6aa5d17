// Hands out ascending addresses. A checked run never reuses an address, so freed memory stays
// recognisable as freed.
#include <heddle_host/arena.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "memory/heap.hpp"

namespace heddle_host {
namespace {

constexpr std::size_t arena_bytes = std::size_t{1} << 38;
constexpr std::size_t room_between = 512;

// Memory below the range belongs to the host: an index below the first allocation must not reach
// it.
constexpr std::size_t room_before_first = std::size_t{1} << 20;

std::atomic<std::size_t> taken{room_before_first};

}  // namespace

thread_local bool machine_copies = false;

address_range checked_arena() {
  static const std::uintptr_t begin = [] {
    void* const base = mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) throw std::bad_alloc();
    return reinterpret_cast<std::uintptr_t>(base);
  }();
  return {begin, arena_bytes};
}

void* take_from_arena(std::size_t bytes) {
  const address_range all = checked_arena();
  constexpr std::size_t granularity = 1024;  // enough for any bulk copy
  const std::size_t whole = (bytes + room_between + granularity - 1) / granularity * granularity;
  const std::size_t offset = taken.fetch_add(whole + granularity);
  if (whole > all.bytes || offset > all.bytes - whole - granularity) return nullptr;
  const std::size_t begin = (offset + granularity - 1) / granularity * granularity;
  return reinterpret_cast<void*>(all.begin + begin);
}

std::uintptr_t next_in_arena() { return checked_arena().begin + taken; }

void leave_to_arena(void* base, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  const std::uintptr_t first = (address + page - 1) / page * page;
  const std::uintptr_t last = (address + bytes) / page * page;
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace heddle_host
