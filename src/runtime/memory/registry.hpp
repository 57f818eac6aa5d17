// Finds the allocation that an address belongs to.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include <driver_types.h>

namespace heddle_host::memory {

enum class origin {
  device,      // cudaMalloc and similar calls
  managed,     // cudaMallocManaged
  pinned,      // cudaMallocHost, cudaHostAlloc
  registered,  // cudaHostRegister: the caller's own memory
  symbol,      // a __device__ or __constant__ variable that the host has used
};

struct allocation {
  char* base = nullptr;
  std::size_t bytes = 0;
  origin from = origin::device;
  int device = 0;  // on which it was allocated
  unsigned flags = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t owner = 0;   // the driver's context; 0: the device's primary context
  std::uint64_t number = 0;  // unique, even among freed allocations; `add` sets it
  // Mapped by the program or from another process, so it is not from the heap. Adjacent allocations
  // of this kind count as one range.
  bool is_mapped = false;
  bool is_imported = false;    // from a pool of another process; freeing it removes the mapping
  bool will_be_freed = false;  // cudaFreeAsync was called, but the stream has not reached it
};

// All of these are thread-safe.
void add(const allocation& what);
std::optional<allocation> find(const void* address);
// Whether [address, address + bytes) lies in one allocation, or in adjacent mapped ones.
bool holds(const void* address, std::size_t bytes);
// Whether memory registered by the caller overlaps [address, address + bytes).
bool overlaps(const void* address, std::size_t bytes);
// Removes and returns the allocation that starts at `base`, if its origin is one of `origins`.
std::optional<allocation> take(const void* base, std::initializer_list<origin> origins);
// False if no allocation starts there, or if it is already waiting to be freed.
bool mark_will_be_freed(const void* base);
// Removes and returns everything that was allocated for the device.
std::vector<allocation> take_all_of(int device);
// The same for everything that belongs to a driver context, which is not a primary one.
std::vector<allocation> take_all_owned_by(std::uint64_t owner);

// Whether an address lies in the static storage of the program or one of its libraries, which is
// where variables with a symbol live.
bool is_static_storage(const void* address, bool must_be_writable);

// Frees the allocation's memory; memory registered by the caller stays.
void release(const allocation& what);

}  // namespace heddle_host::memory
