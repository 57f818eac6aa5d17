// The allocations of the process, ordered by address.
#include "memory/registry.hpp"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>

#include <heddle_host/observer.hpp>

#include "memory/heap.hpp"
#include "memory/sharing.hpp"

namespace heddle_host::memory {
namespace {

struct table {
  std::shared_mutex mutex;
  std::map<const char*, allocation> by_base;
  std::uint64_t added = 0;
};

// Never destroyed: work may still run while the program exits.
table& all() {
  static table& only = *new table;
  return only;
}

// The allocation that contains `address`, or null. The caller holds the mutex.
const allocation* containing(const table& in, const void* address) {
  const char* const wanted = static_cast<const char*>(address);
  auto next = in.by_base.upper_bound(wanted);
  if (next == in.by_base.begin()) return nullptr;
  const allocation& candidate = std::prev(next)->second;
  const auto offset = static_cast<std::size_t>(wanted - candidate.base);
  return offset < candidate.bytes ? &candidate : nullptr;
}

}  // namespace

void add(const allocation& what) {
  {
    const std::unique_lock lock(all().mutex);
    const auto entry = all().by_base.insert_or_assign(what.base, what).first;
    entry->second.number = ++all().added;
  }
  if (observer* const watching = current_observer()) {
    watching->memory_begins(what.base, what.bytes, static_cast<memory_kind>(what.from));
  }
}

std::optional<allocation> find(const void* address) {
  const std::shared_lock lock(all().mutex);
  const allocation* const found = containing(all(), address);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

bool holds(const void* address, std::size_t bytes) {
  const std::shared_lock lock(all().mutex);
  const allocation* found = containing(all(), address);
  if (found == nullptr) return false;
  const char* const end = static_cast<const char*>(address) + bytes;
  while (end > found->base + found->bytes) {
    if (!found->is_mapped) return false;
    found = containing(all(), found->base + found->bytes);
    if (found == nullptr || !found->is_mapped) return false;
  }
  return true;
}

bool overlaps(const void* address, std::size_t bytes) {
  const std::shared_lock lock(all().mutex);
  if (containing(all(), address) != nullptr) return true;
  const char* const begin = static_cast<const char*>(address);
  const auto next = all().by_base.lower_bound(begin);
  return next != all().by_base.end() && next->first < begin + bytes;
}

std::optional<allocation> take(const void* base, std::initializer_list<origin> origins) {
  const std::unique_lock lock(all().mutex);
  const auto found = all().by_base.find(static_cast<const char*>(base));
  if (found == all().by_base.end()) return std::nullopt;
  const auto is_wanted = std::find(origins.begin(), origins.end(), found->second.from);
  if (is_wanted == origins.end()) return std::nullopt;
  const allocation taken = found->second;
  all().by_base.erase(found);
  return taken;
}

bool mark_will_be_freed(const void* base) {
  const std::unique_lock lock(all().mutex);
  const auto found = all().by_base.find(static_cast<const char*>(base));
  if (found == all().by_base.end() || found->second.will_be_freed) return false;
  if (found->second.from != origin::device && found->second.from != origin::managed) return false;
  if (found->second.is_mapped) return false;
  found->second.will_be_freed = true;
  return true;
}

namespace {

template <typename Predicate>
std::vector<allocation> take_if(Predicate is_wanted) {
  const std::unique_lock lock(all().mutex);
  std::vector<allocation> taken;
  for (const auto& [base, one] : all().by_base) {
    if (is_wanted(one)) taken.push_back(one);
  }
  for (const allocation& each : taken) all().by_base.erase(each.base);
  return taken;
}

}  // namespace

std::vector<allocation> take_all_of(int device) {
  return take_if([&](const allocation& each) { return each.device == device; });
}

std::vector<allocation> take_all_owned_by(std::uint64_t owner) {
  return take_if([&](const allocation& each) { return each.owner == owner; });
}

bool is_static_storage(const void* address, bool must_be_writable) {
  struct search {
    std::uintptr_t address;
    unsigned flags;
    bool is_found;
  } wanted{reinterpret_cast<std::uintptr_t>(address), must_be_writable ? PF_W : 0u, false};
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* opaque) {
        search& what = *static_cast<search*>(opaque);
        for (int index = 0; index < module->dlpi_phnum && !what.is_found; ++index) {
          const auto& segment = module->dlpi_phdr[index];
          const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
          what.is_found = segment.p_type == PT_LOAD &&
                          (segment.p_flags & what.flags) == what.flags &&
                          what.address - begin < std::uintptr_t{segment.p_memsz};
        }
        return what.is_found ? 1 : 0;
      },
      &wanted);
  return wanted.is_found;
}

void release(const allocation& what) {
  if (observer* const watching = current_observer()) {
    watching->memory_ends(what.base, what.bytes, static_cast<memory_kind>(what.from));
  }
  if (what.is_mapped) return;
  if (what.is_imported) return unmap_shared(what.base, what.bytes);
  switch (what.from) {
    case origin::device:
    case origin::managed:
      release(what.base, what.bytes, what.device);
      break;
    case origin::pinned:
      release_host(what.base);
      break;
    case origin::registered:
    case origin::symbol:
      break;
  }
}

}  // namespace heddle_host::memory
