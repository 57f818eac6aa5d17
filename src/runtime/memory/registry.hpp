// Finds the allocation that an address belongs to.
#pragma once
#include <cstddef>
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
  unsigned flags = 0;
  cudaMemPool_t pool = nullptr;
  bool will_be_freed = false;  // cudaFreeAsync was called, but the stream has not reached it
};

// All of these are thread-safe.
void add(const allocation& what);
std::optional<allocation> find(const void* address);
// Whether all of [address, address + bytes) lies in one allocation.
bool holds(const void* address, std::size_t bytes);
// Whether memory registered by the caller overlaps [address, address + bytes).
bool overlaps(const void* address, std::size_t bytes);
// Removes and returns the allocation that starts at `base`, if its origin is one of `origins`.
std::optional<allocation> take(const void* base, std::initializer_list<origin> origins);
// False if no allocation starts there, or if it is already waiting to be freed.
bool mark_will_be_freed(const void* base);
std::vector<allocation> take_all();

// Whether an address lies in the static storage of the program or one of its libraries, which is
// where variables with a symbol live.
bool is_static_storage(const void* address, bool must_be_writable);

// Frees the allocation's memory; memory registered by the caller stays.
void release(const allocation& what);

}  // namespace heddle_host::memory
