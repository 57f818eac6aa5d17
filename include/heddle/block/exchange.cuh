// Items of a block's threads, dealt out anew: from blocked to striped and back.
#pragma once
#include <heddle/core/lane.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::block {

namespace detail {

// The most bytes, up to 16, that one instruction moves of so many.
constexpr int access_size(int bytes) {
  return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
}

inline constexpr int bytes_of_all_banks = 128;

}  // namespace detail

// What an exchange works in: declared in shared memory, needs no preparation, may be passed again
// at once, and is free for anything else on return.
//   max_threads   of the block; it may have fewer
//   count         items of each thread
template <typename T, int max_threads, int count>
struct exchange_scratch {
  static_assert(std::is_trivially_copyable_v<T>, "items are moved by their bits");
  static_assert(1 <= max_threads && max_threads <= 1024, "a block has 1 to 1024 threads");
  static_assert(count >= 1, "a thread has at least one item");

  // A thread's items lie together, in units as large as one access can be. Threads that are
  // accessed together would meet in the same banks if the units of a thread are even in number:
  // then a unit is left out before each next group of threads that fills the banks in its own way.
  // A group is a power of two, and striped accesses of whole warps never cross from one group to
  // the next.
  static constexpr int thread_bytes = count * static_cast<int>(sizeof(T));
  static constexpr int unit_bytes = detail::access_size(thread_bytes);
  static constexpr int units = thread_bytes / unit_bytes;
  static constexpr int units_of_all_banks = detail::bytes_of_all_banks / unit_bytes;
  static constexpr int even_part =
      (units & -units) < units_of_all_banks ? units & -units : units_of_all_banks;
  static constexpr bool is_padded = unit_bytes >= 4 && even_part > 1;
  static constexpr int threads_of_group = units_of_all_banks / even_part;

  static constexpr int padding = is_padded ? (max_threads - 1) / threads_of_group * unit_bytes : 0;
  alignas(16) unsigned char bytes[max_threads * thread_bytes + padding];

  // Where the items of a thread begin, and where one item is, counted in blocked order.
  [[nodiscard]] __device__ unsigned char* of_thread(unsigned thread) {
    unsigned place = thread * thread_bytes;
    if constexpr (is_padded) place += thread / threads_of_group * unit_bytes;
    return bytes + place;
  }
  [[nodiscard]] __device__ unsigned char* of_item(unsigned item) {
    unsigned place = item * static_cast<unsigned>(sizeof(T));
    if constexpr (is_padded) place += item / (threads_of_group * count) * unit_bytes;
    return bytes + place;
  }
};

namespace detail {

// Copies `size` bytes by accesses of `unit` bytes, to which `shared` is aligned.
template <int size, int unit>
__device__ inline void copy_to_shared(unsigned char* shared, const void* from) {
#pragma unroll
  for (int i = 0; i < size; i += unit) {
    std::memcpy(__builtin_assume_aligned(shared + i, unit),
                static_cast<const unsigned char*>(from) + i, unit);
  }
}
template <int size, int unit>
__device__ inline void copy_from_shared(void* to, const unsigned char* shared) {
#pragma unroll
  for (int i = 0; i < size; i += unit) {
    std::memcpy(static_cast<unsigned char*>(to) + i, __builtin_assume_aligned(shared + i, unit),
                unit);
  }
}

template <typename T>
inline constexpr int item_bytes = static_cast<int>(sizeof(T));
template <typename T>
inline constexpr int item_access = access_size(static_cast<int>(sizeof(T)));

}  // namespace detail

// The contract of both functions here. In the blocked arrangement of a block of n threads, thread t
// has the items count * t … count * t + count - 1; in the striped one it has t, t + n, t + 2n, …,
// which is how a block reads and writes an array without gaps between its threads.
//   called by   every thread of the block, which may have any shape and up to max_threads threads
//   result in   `items` of every thread
//   scratch     may be passed again at once: a barrier stands between writing and reading it, and
//               one after reading
//   cost        two barriers; each item is written and read once, the blocked ones by accesses of
//               up to 16 bytes; no bank conflicts if warps are whole and T has 4, 8 or 16 bytes

template <typename T, int count, int max_threads>
__device__ void blocked_to_striped(T (&items)[count],
                                   exchange_scratch<T, max_threads, count>& scratch) {
  using shape = exchange_scratch<T, max_threads, count>;
  const auto thread = static_cast<unsigned>(thread_rank());
  const auto threads = static_cast<unsigned>(block_size());
  HEDDLE_EXPECTS(threads <= max_threads, "the scratch of blocked_to_striped is for fewer threads");
  detail::copy_to_shared<shape::thread_bytes, shape::unit_bytes>(scratch.of_thread(thread), items);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < count; ++i) {
    detail::copy_from_shared<detail::item_bytes<T>, detail::item_access<T>>(
        &items[i], scratch.of_item(thread + i * threads));
  }
  __syncthreads();
}

template <typename T, int count, int max_threads>
__device__ void striped_to_blocked(T (&items)[count],
                                   exchange_scratch<T, max_threads, count>& scratch) {
  using shape = exchange_scratch<T, max_threads, count>;
  const auto thread = static_cast<unsigned>(thread_rank());
  const auto threads = static_cast<unsigned>(block_size());
  HEDDLE_EXPECTS(threads <= max_threads, "the scratch of striped_to_blocked is for fewer threads");
#pragma unroll
  for (int i = 0; i < count; ++i) {
    detail::copy_to_shared<detail::item_bytes<T>, detail::item_access<T>>(
        scratch.of_item(thread + i * threads), &items[i]);
  }
  __syncthreads();
  detail::copy_from_shared<shape::thread_bytes, shape::unit_bytes>(items,
                                                                   scratch.of_thread(thread));
  __syncthreads();
}

}  // namespace heddle::block
