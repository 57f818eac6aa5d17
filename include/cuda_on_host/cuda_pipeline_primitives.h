// Stand-in for <cuda_pipeline_primitives.h>: copy, commit and wait for one thread's pipeline.
#pragma once
#define _CUDA_PIPELINE_PRIMITIVES_H_  // programs test for it
#include <cstddef>

#include <heddle_host/async_copy.hpp>

// Copies 4, 8 or 16 bytes; both addresses are multiples of the size. The last `zeros` bytes of the
// destination are set to 0.
[[gnu::always_inline]] inline void __pipeline_memcpy_async(void* to, const void* from,
                                                           std::size_t size,
                                                           std::size_t zeros = 0) {
  const bool is_supported = size == 4 || size == 8 || size == 16;
  heddle_host::copy_needs_alignment(to, from, size, is_supported ? size : 0);
  heddle_host::copy_async(to, from, size - zeros);
  if (zeros != 0) heddle_host::copy_async(static_cast<char*>(to) + (size - zeros), nullptr, zeros);
}

inline void __pipeline_commit() { heddle_host::commit_copies(heddle_host::copy_queue::cp_async); }
inline void __pipeline_wait_prior(std::size_t all_but) {
  heddle_host::await_copies(heddle_host::copy_queue::cp_async, all_but);
}

template <typename Barrier>
void __pipeline_arrive_on(Barrier*) {
  static_assert(sizeof(Barrier) == 0,
                "__pipeline_arrive_on is not supported on the CPU: use cuda::barrier");
}
