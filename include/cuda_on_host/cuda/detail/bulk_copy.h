// Bulk copies between global and shared memory, for cuda::ptx and for inline PTX.
#pragma once
#include <cstddef>
#include <cstdint>

#include <cuda/detail/mbarrier.h>
#include <heddle_host/async_copy.hpp>
#include <heddle_host/trap.hpp>

namespace cuda_on_host {

[[gnu::always_inline]] inline void copy_bulk(void* to, const void* from, std::uint32_t bytes) {
  constexpr std::size_t alignment = 16;
  heddle_host::copy_needs_alignment(to, from, bytes, alignment);
  const auto all =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  if (!heddle_host::needs_of_copies_are_checked && all % alignment != 0) {
    heddle_host::trap(heddle_host::finding_cause::bulk_copy_alignment);
  }
  heddle_host::copy_async(to, from, bytes);
}

// Counts the bytes towards those that the barrier expects.
[[gnu::always_inline]] inline void copy_bulk(void* to, const void* from, std::uint32_t bytes,
                                             std::uint64_t* barrier) {
  copy_bulk(to, from, bytes);
  heddle_host::bind_copies(barrier);
  mbarrier::complete_bytes(barrier, bytes);
}

}  // namespace cuda_on_host
