// Where the bytes of device memory come from.
#pragma once
#include <cstddef>

namespace heddle_host::memory {

// Every block of the heap starts at a multiple of this, and so does the next one after it.
inline constexpr std::size_t heap_granularity = 512;

// What the device says it has: half of the memory that this process may use.
std::size_t device_bytes();
std::size_t device_bytes_in_use();

// `bytes` of fresh, poisoned memory; null if the device has not that much left. Large blocks stand
// between guard pages, so that a wild kernel faults instead of hitting the host's memory.
void* obtain(std::size_t bytes);
// Gives back what `obtain(bytes)` gave.
void release(void* block, std::size_t bytes);

// The same for memory of the host: the C library's own, so it does not count as the device's.
void* obtain_host(std::size_t bytes);
void release_host(void* block);

// Overwrites memory with a pattern that is no plausible value of any type: a NaN as float or
// double, far out of range as an index, not mapped as a pointer.
void poison(void* begin, std::size_t bytes);

}  // namespace heddle_host::memory
