#include "memory/physical.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include <heddle_host/arena.hpp>
#include <heddle_host/run_policy.hpp>

#include "memory/heap.hpp"

namespace heddle_host::memory {
namespace {

// Touching every page of a large allocation would cost too much.
constexpr std::size_t largest_poisoned = std::size_t{256} << 20;

void poison_file(int file, std::size_t bytes) {
  const std::size_t begin_bytes = std::min(bytes, largest_poisoned);
  void* const begin = mmap(nullptr, begin_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (begin == MAP_FAILED) return;
  poison(begin, begin_bytes);
  munmap(begin, begin_bytes);
}

}  // namespace

int create_memory_file(std::size_t bytes) {
  const int file = memfd_create("heddle", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  close(file);
  return -1;
}

std::shared_ptr<physical_memory> physical_memory::create(std::size_t bytes, int device) {
  if (!claim(bytes, device)) return nullptr;
  const int file = create_memory_file(bytes);
  if (file < 0) {
    give_back(bytes, device);
    return nullptr;
  }
  poison_file(file, bytes);
  return std::make_shared<physical_memory>(file, bytes, device, false);
}

std::shared_ptr<physical_memory> physical_memory::open(int file, int device) {
  struct stat facts;
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) return nullptr;
  const auto bytes = static_cast<std::size_t>(facts.st_size);
  if (bytes == 0 || bytes % mapping_granularity != 0) return nullptr;
  const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
  return own < 0 ? nullptr : std::make_shared<physical_memory>(own, bytes, device, true);
}

physical_memory::~physical_memory() {
  close(file_);
  if (!is_imported_) give_back(bytes, device);
}

int physical_memory::export_file() const { return fcntl(file_, F_DUPFD_CLOEXEC, 0); }

bool physical_memory::map_at(void* address) const {
  return mmap(address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, file_, 0) != MAP_FAILED;
}

void* reserve_addresses(std::size_t bytes, std::size_t alignment) {
  alignment = std::max(alignment, mapping_granularity);
  const std::size_t whole = bytes + alignment;
  if (whole < bytes) return nullptr;
  void* const found =
      policy().uses_arena
          ? take_from_arena(whole)
          : mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == nullptr || found == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(found);
  const std::uintptr_t aligned = (begin + alignment - 1) / alignment * alignment;
  void* const base = reinterpret_cast<void*>(aligned);
  if (policy().uses_arena) {
    unmap(base, bytes);
    return base;
  }
  if (aligned > begin) munmap(found, aligned - begin);
  if (begin + whole > aligned + bytes) {
    munmap(static_cast<char*>(base) + bytes, begin + whole - aligned - bytes);
  }
  return base;
}

// Addresses of the arena are never reused.
void release_addresses(void* base, std::size_t bytes) {
  if (!policy().uses_arena) munmap(base, bytes);
}

void unmap(void* base, std::size_t bytes) {
  const void* const empty =
      mmap(base, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  // If the process has too many mappings, the memory stays mapped, but without access.
  if (empty == MAP_FAILED) mprotect(base, bytes, PROT_NONE);
}

bool set_access(void* base, std::size_t bytes, bool may_read, bool may_write) {
  return mprotect(base, bytes, (may_read ? PROT_READ : 0) | (may_write ? PROT_WRITE : 0)) == 0;
}

}  // namespace heddle_host::memory
