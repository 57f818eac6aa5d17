// Stand-in for <cuda_pipeline_primitives.h>: copies, commit and wait of one thread's pipeline.
#pragma once
#include <cstddef>
#include <cstring>

// A copy that is done when it is asked for is one of the orders a GPU may choose, so commit and
// wait have nothing left to do. The last `zeros` bytes of the destination are filled with 0.
inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t size,
                                    std::size_t zeros = 0) {
  std::memcpy(to, from, size - zeros);
  std::memset(static_cast<char*>(to) + (size - zeros), 0, zeros);
}

inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(std::size_t) {}

template <typename Barrier>
void __pipeline_arrive_on(Barrier*) {
  static_assert(sizeof(Barrier) == 0,
                "__pipeline_arrive_on is not offered on the CPU: use cuda::barrier");
}
