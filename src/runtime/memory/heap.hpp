// The heap that device memory comes from.
#pragma once
#include <cstddef>

namespace heddle_host::memory {

// The alignment of every block of the heap.
inline constexpr std::size_t heap_granularity = 512;

// The device's memory size: half of the memory that this process may use.
std::size_t device_bytes();
std::size_t device_bytes_in_use();

// `bytes` of fresh, poisoned memory; null if the device has less left. Large blocks lie between
// guard pages, so that a stray access faults instead of reaching the host's memory.
void* obtain(std::size_t bytes);
// Frees the result of `obtain(bytes)`.
void release(void* block, std::size_t bytes);

// The same for host memory, from the C library; it does not count as device memory.
void* obtain_host(std::size_t bytes);
void release_host(void* block);

// Overwrites memory with a pattern that is an implausible value of any type: NaN as a float or
// double, far out of range as an index, unmapped as a pointer.
void poison(void* begin, std::size_t bytes);

}  // namespace heddle_host::memory
