// The shared memory through which several warps hand results to each other.
//   strategy    slots in shared memory; a barrier between writing and reading and one behind, so
//               that it may be used again
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shared_layout.cuh>
#include <heddle/core/words.cuh>

namespace heddle::group {

inline constexpr int warps_of_largest_block = 1024 / warp_size;  // that a block can have

// How many threads a scratch is for where that is not known when compiled.
inline constexpr int any_size = 0;

// A block of 1024 threads has a slot for a 16-byte value of each.
inline constexpr int most_slot_bytes = 16 * 1024;

// What the functions of a block, or of a tile of several warps, work in:
//   __shared__ heddle::block::scratch<float> scratch;         for blocks of any size
//   __shared__ heddle::block::scratch<float, 256> scratch;    for blocks of 256 threads: faster
// It needs no preparation and is passed to every function of values of T, in any order. Tiles that
// work at the same time need one each.
//
// It may be reused immediately: no function needs a __syncthreads() before or after it. Every
// function has two barriers. `partials` are written before the first and read between the two;
// `results` are written between the two and read after the second. So when a thread enters the next
// call and writes partials, all threads have come to the second barrier of the call before, hence
// have read the old ones; and when a thread writes results, all threads have come to the first
// barrier of its own call, hence have read the results of the call before. A thread's slot is read
// and written by nobody else but between the two barriers.
//
// Nothing but scratch is ordered by that: a block of one warp has no barriers. And memory that a
// scratch shares with something else (a union) changes its use at a __syncthreads() of the
// caller's.
//
//   threads   of the block or tile, exactly; those of a block in all its dimensions
//   rows      how many values a thread reduces at once, with reduce_rows()
template <exchangeable T, int threads = any_size, int rows = 1>
struct scratch {
  static_assert(threads >= 0 && threads <= 1024, "a block has 1 to 1024 threads");
  static_assert(rows >= 1, "a scratch has at least one row");

  // The type in which values are combined, and the most warps that take part.
  using held = accumulator<T>;
  static constexpr int warps =
      threads == any_size ? warps_of_largest_block : (threads + warp_size - 1) / warp_size;

  // Whole warps of a number that is known have a slot for each thread, if values are not too large:
  // then one warp combines what all threads have written, `warps` values in each lane, which takes
  // fewer instructions than shuffles in every warp.
  static constexpr bool has_slots =
      threads > warp_size&& threads % warp_size == 0 &&
      sizeof(held) <= 16 && threads* rows* static_cast<int>(sizeof(held)) <= most_slot_bytes;
  using slot_layout =
      shared_layout<static_cast<int>(sizeof(held)), warp_size, has_slots ? warps : 1>;
  static constexpr int slot_row_bytes = has_slots ? (slot_layout::bytes + 15) / 16 * 16 : 16;

  // Rows are four partials apart, so that the same warp's partials of up to eight rows lie in
  // different banks.
  static constexpr int row_stride = rows == 1 ? warps : warps + 4;
  static constexpr int result_count = rows > warps ? rows : warps;
  static constexpr int alignment = alignof(held) > 16 ? alignof(held) : 16;

  // Bytes, because a T that initialises itself cannot be a member of a shared variable.
  alignas(alignment) unsigned char partials[rows * row_stride * sizeof(held)];
  alignas(alignment) unsigned char results[result_count * sizeof(held)];
  alignas(alignment) unsigned char slots[has_slots ? rows : 1][slot_row_bytes];
};

namespace detail {

// The same scratch, at an address that the compiler keeps in a register: else it works it out anew
// before every access, and the threads that wait for an access wait for that, too.
template <typename Scratch>
__device__ inline Scratch& with_address_kept(Scratch& shared) {
  if constexpr (requires { __cvta_generic_to_shared(&shared); }) {
    auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&shared));
    asm("" : "+r"(address));
    return *static_cast<Scratch*>(__cvta_shared_to_generic(address));
  } else {
    return shared;
  }
}

// A scratch's memory as values of the type in which a function carries them.
template <typename Carried, typename T, int threads, int rows>
__device__ inline Carried* partials_of(scratch<T, threads, rows>& shared, int row = 0) {
  static_assert(sizeof(Carried) <= sizeof(accumulator<T>), "a scratch holds T, or sums of T");
  return reinterpret_cast<Carried*>(shared.partials) + row * scratch<T, threads, rows>::row_stride;
}
template <typename Carried, typename T, int threads, int rows>
__device__ inline Carried* results_of(scratch<T, threads, rows>& shared) {
  static_assert(sizeof(Carried) <= sizeof(accumulator<T>), "a scratch holds T, or sums of T");
  return reinterpret_cast<Carried*>(shared.results);
}

}  // namespace detail

}  // namespace heddle::group
