#include "memory/sharing.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

#include <heddle_host/arena.hpp>
#include <heddle_host/run_policy.hpp>

#include "memory/copy.hpp"
#include "memory/physical.hpp"

namespace heddle_host::memory {
namespace {

std::uintptr_t page_bytes() {
  static const auto bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

struct page_range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

page_range pages_around(const void* begin, std::size_t bytes) {
  const std::uintptr_t page = page_bytes();
  return {number(begin) / page * page, (number(begin) + bytes + page - 1) / page * page};
}

// A sparse file in which the offset of each page is its address. So pages that are shared at
// different times never overlap.
class image_of_memory {
 public:
  bool add(page_range pages) {
    if (file() < 0) return false;
    const std::lock_guard lock(mutex_);
    for (std::uintptr_t at = pages.begin; at < pages.end;) {
      const auto next = shared_.upper_bound(at);
      if (next != shared_.begin() && std::prev(next)->second > at) {
        at = std::prev(next)->second;
        continue;
      }
      const std::uintptr_t end =
          next == shared_.end() ? pages.end : std::min(pages.end, next->first);
      if (!move({at, end})) return false;
      shared_[at] = end;
      at = end;
    }
    return true;
  }

  void remove(page_range pages) {
    const std::lock_guard lock(mutex_);
    for (auto each = shared_.begin(); each != shared_.end();) {
      const bool is_inside = each->first >= pages.begin && each->second <= pages.end;
      if (is_inside) {
        fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(each->first), static_cast<off_t>(each->second - each->first));
      }
      each = is_inside ? shared_.erase(each) : std::next(each);
    }
  }

  int file() {
    const std::lock_guard lock(mutex_);
    if (file_ < 0) file_ = create_memory_file(std::size_t{1} << 47);
    return file_;
  }

 private:
  // Copies the pages to the file, and maps the file at their addresses.
  bool move(page_range pages) {
    const std::size_t bytes = pages.end - pages.begin;
    const auto offset = static_cast<off_t>(pages.begin);
    void* const old = reinterpret_cast<void*>(pages.begin);
    void* const copy = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, offset);
    if (copy == MAP_FAILED) return false;
    {
      const copying guard;
      std::memcpy(copy, old, bytes);
    }
    munmap(copy, bytes);
    return mmap(old, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, offset) !=
           MAP_FAILED;
  }

  std::mutex mutex_;
  int file_ = -1;
  std::map<std::uintptr_t, std::uintptr_t> shared_;  // disjoint, from begin to end
};

// Never destroyed: work may still run while the program exits.
image_of_memory& image() {
  static image_of_memory& only = *new image_of_memory;
  return only;
}

}  // namespace

int file_for_sharing() { return image().file(); }

std::optional<place_in_file> share(void* begin, std::size_t bytes) {
  if (!image().add(pages_around(begin, bytes))) return std::nullopt;
  return place_in_file{image().file(), number(begin)};
}

void stop_sharing(void* begin, std::size_t bytes) { image().remove(pages_around(begin, bytes)); }

void* map_shared(int file, std::uint64_t offset, std::size_t bytes) {
  const std::uint64_t before = offset % page_bytes();
  const std::size_t whole = before + bytes;
  void* const place = policy().uses_arena ? take_from_arena(whole + page_bytes()) : nullptr;
  if (policy().uses_arena && place == nullptr) return nullptr;
  const std::uintptr_t aligned = (number(place) + page_bytes() - 1) / page_bytes() * page_bytes();
  void* const mapped = mmap(reinterpret_cast<void*>(aligned), whole, PROT_READ | PROT_WRITE,
                            MAP_SHARED | (place != nullptr ? MAP_FIXED : 0), file,
                            static_cast<off_t>(offset - before));
  return mapped == MAP_FAILED ? nullptr : static_cast<char*>(mapped) + before;
}

void unmap_shared(void* begin, std::size_t bytes) {
  const page_range pages = pages_around(begin, bytes);
  void* const first = reinterpret_cast<void*>(pages.begin);
  if (policy().uses_arena) {
    unmap(first, pages.end - pages.begin);
  } else {
    munmap(first, pages.end - pages.begin);
  }
}

}  // namespace heddle_host::memory
