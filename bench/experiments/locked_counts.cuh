// A counter that all threads increment: with an atomic, with compare-and-swap, and with a lock.
#pragma once
#include <heddle/sync/spin_lock.cuh>

#include "support/calls.cuh"

namespace heddle_bench {

struct locked_counter {
  heddle::sync::spin_lock<> lock;
  unsigned count;
};

struct count_by_addition {
  __device__ void operator()(locked_counter* counter) const { atomicAdd(&counter->count, 1u); }
};
// What people write for updates that have no atomic instruction.
struct count_by_exchange {
  __device__ void operator()(locked_counter* counter) const {
    unsigned seen = heddle::sync::load(&counter->count), expected;
    do {
      expected = seen;
      seen = atomicCAS(&counter->count, expected, expected + 1);
    } while (seen != expected);
  }
};
struct count_under_lock {
  __device__ void operator()(locked_counter* counter) const {
    heddle::sync::locked(counter->lock, [&] { counter->count += 1; });
  }
};

template <typename Count>
__global__ __launch_bounds__(warp_bench_threads) void count_up(locked_counter* counter,
                                                               int rounds) {
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) Count{}(counter);
}

}  // namespace heddle_bench
