// Physical memory and reserved addresses, for CUDA's virtual memory management. The memory is an
// unnamed file, so that it can be mapped several times.
#pragma once
#include <cstddef>
#include <memory>

namespace heddle_host::memory {

// Addresses, sizes and offsets are multiples of this, as on a GPU.
inline constexpr std::size_t mapping_granularity = std::size_t{2} << 20;

class physical_memory {
 public:
  // Null if the device has less left.
  static std::shared_ptr<physical_memory> create(std::size_t bytes, int device);
  // Memory that a handle of this or another process has exported as a file; null if the file is
  // something else.
  static std::shared_ptr<physical_memory> open(int file, int device);

  physical_memory(int file, std::size_t bytes, int device, bool is_imported)
      : bytes(bytes), device(device), file_(file), is_imported_(is_imported) {}
  ~physical_memory();
  physical_memory(const physical_memory&) = delete;
  physical_memory& operator=(const physical_memory&) = delete;

  // A new descriptor, which the caller closes; -1 on failure.
  int export_file() const;
  // Maps the memory at reserved addresses, without access.
  bool map_at(void* address) const;

  const std::size_t bytes;
  const int device;

 private:
  const int file_;
  const bool is_imported_;  // another process has counted its bytes
};

// An unnamed file of this size; -1 on failure.
int create_memory_file(std::size_t bytes);

// Reserves addresses, without access; null on failure. The alignment must be a power of two.
void* reserve_addresses(std::size_t bytes, std::size_t alignment);
void release_addresses(void* base, std::size_t bytes);

// Removes the mapping; the addresses stay reserved.
void unmap(void* base, std::size_t bytes);
// False if the system has no room for the change.
bool set_access(void* base, std::size_t bytes, bool may_read, bool may_write);

}  // namespace heddle_host::memory
