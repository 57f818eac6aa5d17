// Finds the allocation that an address belongs to.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <vector>

#include <driver_types.h>

namespace heddle_host::memory {

enum class origin {
  device,      // cudaMalloc and its kin
  managed,     // cudaMallocManaged
  pinned,      // cudaMallocHost, cudaHostAlloc
  registered,  // cudaHostRegister: the caller's own memory
  symbol,      // a __device__ or __constant__ variable that the host has asked for
};

struct allocation {
  char* base = nullptr;
  std::size_t bytes = 0;
  origin from = origin::device;
  unsigned flags = 0;
  cudaMemPool_t pool = nullptr;
  bool will_be_freed = false;  // cudaFreeAsync has been called, its turn in the stream has not come
};

// All of these may be called from any thread.
void add(const allocation& what);
std::optional<allocation> find(const void* address);
// Whether all of [address, address + bytes) lies in one allocation.
bool holds(const void* address, std::size_t bytes);
// Whether memory registered by the caller overlaps [address, address + bytes).
bool overlaps(const void* address, std::size_t bytes);
// Takes the allocation that starts at `base` out, if it is one of `origins`.
std::optional<allocation> take(const void* base, std::initializer_list<origin> origins);
// False: no allocation starts there, or it is already waiting to be freed.
bool mark_will_be_freed(const void* base);
std::vector<allocation> take_all();

// Whether an address lies in the static storage of the program or of one of its libraries, which is
// where variables with a symbol live.
bool is_static_storage(const void* address, bool must_be_writable);

// Gives the allocation's bytes back to where they came from; the caller's own memory stays.
void release(const allocation& what);

}  // namespace heddle_host::memory
