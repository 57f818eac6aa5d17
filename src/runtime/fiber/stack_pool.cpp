// Maps stacks with guard pages.
#include "fiber/stack_pool.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <new>

#include "fiber/address_sanitizer.hpp"

namespace heddle_host {
namespace {

constexpr std::size_t stacks_per_batch = 32;

// Each guard page splits the mapping around it, and Linux allows a process 65,530 mappings. The
// blocks of a few clusters have more lanes than that.
constexpr std::size_t most_guarded = 24 * 1024;

// Every stack of every pool, keyed by its end.
struct all_stacks {
  std::mutex mutex;
  std::map<const std::byte*, stack> by_end;
};
all_stacks& registry() {
  static auto* const only = new all_stacks;  // pools of other threads may outlive static objects
  return *only;
}

}  // namespace

stack stack_around(const void* address) {
  const auto* byte = static_cast<const std::byte*>(address);
  {
    std::lock_guard lock(registry().mutex);
    const auto found = registry().by_end.lower_bound(byte);
    if (found != registry().by_end.end() && byte >= found->second.lowest) return found->second;
  }
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
  }
  return {static_cast<std::byte*>(lowest), bytes};
}

stack_pool::stack_pool(std::size_t stack_bytes)
    : guard_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
  stack_bytes_ = (stack_bytes + guard_bytes_ - 1) / guard_bytes_ * guard_bytes_;
}

stack_pool::~stack_pool() {
  std::lock_guard lock(registry().mutex);
  for (const batch& mapped : batches_) {
    auto& ends = registry().by_end;
    ends.erase(ends.upper_bound(mapped.memory), ends.upper_bound(mapped.memory + mapped.bytes));
    // Otherwise frames that never returned would poison whatever is mapped here next.
    if (has_address_sanitizer()) __asan_unpoison_memory_region(mapped.memory, mapped.bytes);
    munmap(mapped.memory, mapped.bytes);
  }
}

stack stack_pool::take() {
  if (free_.empty()) map_batch();
  const stack taken = free_.back();
  free_.pop_back();
  return taken;
}

void stack_pool::map_batch() {
  const std::size_t stride = guard_bytes_ + stack_bytes_;
  const std::size_t bytes = stride * stacks_per_batch;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* first = static_cast<std::byte*>(memory);
  batches_.push_back({first, bytes});
  std::lock_guard lock(registry().mutex);
  for (std::size_t i = stacks_per_batch; i-- > 0;) {
    std::byte* guard = first + i * stride;
    if (registry().by_end.size() < most_guarded) mprotect(guard, guard_bytes_, PROT_NONE);
    const stack made{guard + guard_bytes_, stack_bytes_};
    registry().by_end[made.lowest + made.bytes] = made;
    free_.push_back(made);
  }
}

bool stack_pool::guards(const void* address) const {
  const auto* byte = static_cast<const std::byte*>(address);
  for (const batch& mapped : batches_) {
    if (byte < mapped.memory || byte >= mapped.memory + mapped.bytes) continue;
    const auto offset = static_cast<std::size_t>(byte - mapped.memory);
    return offset % (guard_bytes_ + stack_bytes_) < guard_bytes_;
  }
  return false;
}

}  // namespace heddle_host
