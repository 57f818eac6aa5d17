// A separate heap for device memory: small blocks are cut from chunks, large ones are mapped alone.
#include "memory/heap.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include <heddle_host/arena.hpp>
#include <heddle_host/devices.hpp>
#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>

#include "memory/sharing.hpp"

namespace heddle_host::memory {
namespace {

std::uint64_t poison_pattern = 0xfff8deadfff8dead;

constexpr std::size_t chunk_bytes = std::size_t{8} << 20;
constexpr std::size_t largest_small_block = std::size_t{1} << 20;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
// Poisoning touches every page; above this size only the ends are poisoned.
constexpr std::size_t largest_wholly_poisoned = std::size_t{256} << 20;
constexpr std::size_t poisoned_end = std::size_t{16} << 20;

std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

std::size_t page_bytes() {
  static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t bytes_allowed_by_container() {
  std::ifstream file("/sys/fs/cgroup/memory.max");
  std::size_t bytes = 0;
  return file >> bytes ? bytes : std::numeric_limits<std::size_t>::max();
}

class heap {
 public:
  void* obtain(std::size_t bytes, int device) {
    const std::lock_guard lock(mutex_);
    const std::size_t rounded = round_up(std::max<std::size_t>(bytes, 1), heap_granularity);
    std::size_t& in_use = in_use_[device];
    if (rounded < bytes || rounded > device_bytes() - std::min(device_bytes(), in_use)) {
      return nullptr;
    }
    void* const block = policy().uses_arena              ? take_from_arena(bytes)
                        : rounded <= largest_small_block ? cut(rounded)
                                                         : map_alone(rounded);
    if (block != nullptr) in_use += rounded;
    return block;
  }

  void release(void* block, std::size_t bytes, int device) {
    const std::lock_guard lock(mutex_);
    const std::size_t rounded = round_up(std::max<std::size_t>(bytes, 1), heap_granularity);
    in_use_[device] -= rounded;
    if (policy().uses_arena) return leave_to_arena(block, bytes);
    if (rounded <= largest_small_block) {
      put_back(static_cast<char*>(block), rounded);
    } else {
      const std::size_t whole = round_up(rounded, page_bytes()) + 2 * page_bytes();
      munmap(static_cast<char*>(block) - page_bytes(), whole);
      stop_sharing(block, rounded);
    }
  }

  bool claim(std::size_t bytes, int device) {
    const std::lock_guard lock(mutex_);
    std::size_t& in_use = in_use_[device];
    if (bytes > device_bytes() - std::min(device_bytes(), in_use)) return false;
    in_use += bytes;
    return true;
  }

  void give_back(std::size_t bytes, int device) {
    const std::lock_guard lock(mutex_);
    in_use_[device] -= bytes;
  }

  std::size_t in_use(int device) {
    const std::lock_guard lock(mutex_);
    return in_use_[device];
  }

 private:
  static void* map_alone(std::size_t bytes) {
    const std::size_t usable = round_up(bytes, page_bytes());
    void* const whole = mmap(nullptr, usable + 2 * page_bytes(), PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED) return nullptr;
    char* const block = static_cast<char*>(whole) + page_bytes();
    if (mprotect(block, usable, PROT_READ | PROT_WRITE) != 0) {
      munmap(whole, usable + 2 * page_bytes());
      return nullptr;
    }
    if (usable >= 2 * huge_page_bytes) madvise(block, usable, MADV_HUGEPAGE);
    return block;
  }

  void* cut(std::size_t bytes) {
    auto found = by_size_.lower_bound({bytes, nullptr});
    if (found == by_size_.end()) {
      void* const chunk = map_alone(chunk_bytes);
      if (chunk == nullptr) return nullptr;
      add_free(static_cast<char*>(chunk), chunk_bytes);
      found = by_size_.lower_bound({bytes, nullptr});
    }
    const auto [size, block] = *found;
    by_size_.erase(found);
    by_address_.erase(block);
    if (size > bytes) add_free(block + bytes, size - bytes);
    return block;
  }

  void put_back(char* block, std::size_t bytes) {
    const auto after = by_address_.find(block + bytes);
    if (after != by_address_.end()) {
      bytes += after->second;
      by_size_.erase({after->second, after->first});
      by_address_.erase(after);
    }
    auto before = by_address_.lower_bound(block);
    if (before != by_address_.begin() && (--before)->first + before->second == block) {
      block = before->first;
      bytes += before->second;
      by_size_.erase({before->second, before->first});
      by_address_.erase(before);
    }
    add_free(block, bytes);
  }

  void add_free(char* block, std::size_t bytes) {
    by_address_.emplace(block, bytes);
    by_size_.emplace(bytes, block);
  }

  std::mutex mutex_;
  std::map<int, std::size_t> in_use_;  // by device
  std::map<char*, std::size_t> by_address_;
  std::set<std::pair<std::size_t, char*>> by_size_;
};

// Never destroyed: work may still run while the program exits.
heap& the_heap() {
  static heap& only = *new heap;
  return only;
}

}  // namespace

std::size_t device_bytes() {
  static const std::size_t bytes = [] {
    const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
    const std::size_t usable = std::min(pages * page_bytes(), bytes_allowed_by_container());
    const std::size_t share = usable / 2 / static_cast<std::size_t>(device_count());
    return share / huge_page_bytes * huge_page_bytes;
  }();
  return bytes;
}

std::size_t device_bytes_in_use(int device) { return the_heap().in_use(device); }

namespace {

// Poisons a whole block, or only its ends if touching all its pages would cost too much.
void poison_fresh(void* block, std::size_t bytes) {
  if (bytes <= largest_wholly_poisoned) {
    poison(block, round_up(bytes, heap_granularity));
  } else {
    poison(block, poisoned_end);
    const std::size_t tail_begin = (bytes - poisoned_end) / sizeof(std::uint64_t) * 8;
    poison(static_cast<char*>(block) + tail_begin, bytes - tail_begin);
  }
}

}  // namespace

void* obtain(std::size_t bytes, int device) {
  void* const block = the_heap().obtain(bytes, device);
  if (block != nullptr) poison_fresh(block, bytes);
  return block;
}

bool claim(std::size_t bytes, int device) { return the_heap().claim(bytes, device); }
void give_back(std::size_t bytes, int device) { the_heap().give_back(bytes, device); }

void* obtain_host(std::size_t bytes) {
  if (bytes / 2 > device_bytes() * static_cast<std::size_t>(device_count())) return nullptr;
  void* const block = policy().uses_arena
                          ? take_from_arena(bytes)
                          : std::aligned_alloc(heap_granularity, round_up(bytes, heap_granularity));
  if (block != nullptr) poison_fresh(block, bytes);
  return block;
}

void release_host(void* block) {
  if (!policy().uses_arena) std::free(block);  // addresses of the arena are never reused
}

void release(void* block, std::size_t bytes, int device) {
  the_heap().release(block, bytes, device);
}

void poison(void* begin, std::size_t bytes) {
  const std::uint64_t pattern = poison_pattern;
  machine_copies = true;
  char* const first = static_cast<char*>(begin);
  const std::size_t words = bytes / sizeof pattern;
  std::fill_n(reinterpret_cast<std::uint64_t*>(first), words, pattern);
  std::memcpy(first + words * sizeof pattern, &pattern, bytes % sizeof pattern);
  machine_copies = false;
}

}  // namespace heddle_host::memory

void heddle_host::set_poison(std::uint64_t pattern) { memory::poison_pattern = pattern; }
