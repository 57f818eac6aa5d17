// Rearranges the items of a block's threads from blocked to striped and back.
//   strategy    through shared memory, padded to avoid bank conflicts
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/shared_layout.cuh>

#include <type_traits>

namespace heddle::block {

// The shared memory of an exchange. It needs no initialisation, may be reused immediately, and is
// free for any other use on return.
//   max_threads   the maximum size of the block
//   count         items per thread
template <typename T, int max_threads, int count>
struct exchange_scratch {
  static_assert(std::is_trivially_copyable_v<T>, "items are moved by their bits");
  static_assert(1 <= max_threads && max_threads <= 1024, "a block has 1 to 1024 threads");
  static_assert(count >= 1, "a thread has at least one item");

  // A layout of the items without bank conflicts, and the memory for them.
  using layout = heddle::detail::shared_layout<static_cast<int>(sizeof(T)), max_threads, count>;
  static_assert(layout::bytes <= heddle::detail::most_static_bytes,
                "this exchange needs more than the 48 KiB of static shared memory that a block may "
                "have: exchange fewer items at a time, or use smaller blocks");
  alignas(16) unsigned char bytes[layout::bytes];

  // The first item of a thread, and one item, numbered in blocked order.
  [[nodiscard]] __device__ unsigned char* of_thread(unsigned thread) {
    return bytes + layout::of_owner(thread);
  }
  [[nodiscard]] __device__ unsigned char* of_item(unsigned item) {
    return bytes + layout::of_item(item);
  }
};

// The contract of both functions here. In the blocked arrangement of a block of n threads, thread t
// has items count * t … count * t + count - 1. In the striped one it has t, t + n, t + 2n, …, so
// that loads and stores of an array are coalesced.
//   called by   every thread of the block, which may have any shape and up to max_threads threads
//   result in   `items` of every thread
//   scratch     may be reused immediately: there is a barrier between writing and reading it, and
//               one after reading
//   cost        two barriers; each item is written and read once, blocked items in accesses of up
//               to 16 bytes; no bank conflicts if warps are whole and T has 4, 8 or 16 bytes

// From blocked to striped.
template <typename T, int count, int max_threads>
__device__ void blocked_to_striped(T (&items)[count],
                                   exchange_scratch<T, max_threads, count>& scratch) {
  using layout = typename exchange_scratch<T, max_threads, count>::layout;
  const auto thread = static_cast<unsigned>(thread_rank());
  const auto threads = static_cast<unsigned>(block_size());
  HEDDLE_EXPECTS(threads <= max_threads, "the scratch of blocked_to_striped is for fewer threads");
  heddle::detail::copy_to_shared<layout::owner_bytes, layout::owner_unit>(scratch.of_thread(thread),
                                                                          items);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < count; ++i) {
    heddle::detail::copy_from_shared<layout::item_bytes, layout::item_unit>(
        &items[i], scratch.of_item(thread + i * threads));
  }
  __syncthreads();
}

// From striped to blocked.
template <typename T, int count, int max_threads>
__device__ void striped_to_blocked(T (&items)[count],
                                   exchange_scratch<T, max_threads, count>& scratch) {
  using layout = typename exchange_scratch<T, max_threads, count>::layout;
  const auto thread = static_cast<unsigned>(thread_rank());
  const auto threads = static_cast<unsigned>(block_size());
  HEDDLE_EXPECTS(threads <= max_threads, "the scratch of striped_to_blocked is for fewer threads");
#pragma unroll
  for (int i = 0; i < count; ++i) {
    heddle::detail::copy_to_shared<layout::item_bytes, layout::item_unit>(
        scratch.of_item(thread + i * threads), &items[i]);
  }
  __syncthreads();
  heddle::detail::copy_from_shared<layout::owner_bytes, layout::owner_unit>(
      items, scratch.of_thread(thread));
  __syncthreads();
}

}  // namespace heddle::block
