// The shared memory through which several warps hand results to each other.
//   strategy    slots in shared memory; one barrier between writing and reading and one after, so
//               that it may be reused
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shared_layout.cuh>
#include <heddle/core/words.cuh>

namespace heddle::group {

inline constexpr int warps_of_largest_block = 1024 / warp_size;  // of 1024 threads

// The `threads` of a scratch whose group size is not known at compile time.
inline constexpr int any_size = 0;

// Enough for one 16-byte slot per thread of a block of 1024.
inline constexpr int most_slot_bytes = 16 * 1024;

// Shared memory for the collectives of a block, or of a tile of several warps:
//   __shared__ heddle::block::scratch<float> scratch;         for blocks of any size
//   __shared__ heddle::block::scratch<float, 256> scratch;    for blocks of 256 threads: faster
// It needs no initialisation and serves every collective on values of T, in any order. Tiles that
// work at the same time need one each.
//
// It may be reused immediately: no collective needs a __syncthreads() before or after it. Every
// collective has two barriers. `partials` are written before the first and read between the two;
// `results` are written between the two and read after the second. When a thread enters the next
// call and writes partials, all threads have reached the second barrier of the previous call, so
// they have read the old partials. When a thread writes results, all threads have reached the first
// barrier of the current call, so they have read the results of the previous one. Only between the
// two barriers do other threads access a thread's slot.
//
// This orders accesses to the scratch only: a block of one warp has no barriers. If a scratch
// shares memory with something else (a union), the caller must put a __syncthreads() between the
// two uses.
//
//   threads   exact size of the block or tile; for a block, over all its dimensions
//   rows      how many values a thread reduces at once with reduce_rows()
template <exchangeable T, int threads = any_size, int rows = 1>
struct scratch {
  static_assert(threads >= 0 && threads <= 1024, "a block has 1 to 1024 threads");
  static_assert(rows >= 1, "a scratch has at least one row");

  // The type in which values are combined, and the maximum number of warps.
  using held = accumulator<T>;
  static constexpr int warps =
      threads == any_size ? warps_of_largest_block : (threads + warp_size - 1) / warp_size;

  // Each thread has a slot if the size is known and a multiple of the warp size, and values are not
  // too large. Then one warp combines all values, `warps` in each lane, which takes fewer
  // instructions than shuffles in every warp.
  static constexpr bool has_slots =
      threads > warp_size&& threads % warp_size == 0 &&
      sizeof(held) <= 16 && threads* rows* static_cast<int>(sizeof(held)) <= most_slot_bytes;
  using slot_layout = heddle::detail::shared_layout<static_cast<int>(sizeof(held)), warp_size,
                                                    has_slots ? warps : 1>;
  static constexpr int slot_row_bytes = has_slots ? (slot_layout::bytes + 15) / 16 * 16 : 16;

  // Rows are padded by four partials, so that the same warp's partials of up to eight rows lie in
  // different banks.
  static constexpr int row_stride = rows == 1 ? warps : warps + 4;
  static constexpr int result_count = rows > warps ? rows : warps;
  static constexpr int alignment = alignof(held) > 16 ? alignof(held) : 16;

  static_assert((rows * row_stride + result_count) * static_cast<int>(sizeof(held)) +
                        (has_slots ? rows : 1) * slot_row_bytes <=
                    heddle::detail::most_static_bytes,
                "this scratch needs more than the 48 KiB of static shared memory that a block may "
                "have: reduce fewer rows at a time, or smaller values");
  // Bytes, because a shared variable may not have a member with a constructor.
  alignas(alignment) unsigned char partials[rows * row_stride * sizeof(held)];
  alignas(alignment) unsigned char results[result_count * sizeof(held)];
  alignas(alignment) unsigned char slots[has_slots ? rows : 1][slot_row_bytes];
};

namespace detail {

// The same scratch, with its address kept in a register. Otherwise the compiler recomputes the
// address before every access, which adds to the latency of the access.
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

// A scratch's memory as values of the type that a collective computes in.
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
