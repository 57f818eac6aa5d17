// The heap that device memory comes from.
#pragma once
#include <cstddef>

namespace heddle_host::memory {

// The alignment of every block of the heap.
inline constexpr std::size_t heap_granularity = 512;

// The memory size of each device. Together the devices have half of what this process may use.
std::size_t device_bytes();
std::size_t device_bytes_in_use(int device);

// `bytes` of fresh, poisoned memory; null if the device has less left. Large blocks lie between
// guard pages, so that a stray access faults instead of reaching the host's memory.
void* obtain(std::size_t bytes, int device);
// Frees the result of `obtain(bytes, device)`.
void release(void* block, std::size_t bytes, int device);

// Counts memory that is not from the heap as the device's; false if the device has less left.
bool claim(std::size_t bytes, int device);
void give_back(std::size_t bytes, int device);

// The same for host memory, from the C library; it does not count as device memory.
void* obtain_host(std::size_t bytes);
void release_host(void* block);

// Overwrites memory with a pattern that is an implausible value of any type: NaN as a float or
// double, far out of range as an index, unmapped as a pointer.
void poison(void* begin, std::size_t bytes);

}  // namespace heddle_host::memory
