// Tickets that all threads draw from counters: an atomic for each lane, or one for all that share a
// counter.
#pragma once
#include <heddle/warp/aggregate.cuh>

#include "support/calls.cuh"

namespace heddle_bench {

using ticket = unsigned long long;

struct plain_ticket {
  __device__ ticket operator()(ticket* counter) const { return atomicAdd(counter, ticket{1}); }
};
// All lanes draw from one counter.
struct joined_ticket {
  __device__ ticket operator()(ticket* counter) const {
    return heddle::warp::aggregated_increment(counter);
  }
};
// Each lane chooses its counter: a match finds the lanes with the same one.
struct matched_ticket {
  __device__ ticket operator()(ticket* counter) const {
    return heddle::warp::aggregated_add(counter, ticket{1});
  }
};

// Every thread draws from one of `counter_count` counters in each round, and stores the sum of its
// tickets.
template <typename Draw>
__global__ __launch_bounds__(warp_bench_threads) void draw_tickets(ticket* counters,
                                                                   unsigned counter_count,
                                                                   int rounds, ticket* sums) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = thread_bits(static_cast<int>(thread));
  ticket sum = 0;
  for (int round = 0; round < rounds; ++round) {
    bits = bits * 1664525u + 1013904223u;
    sum += Draw{}(counters + __umulhi(bits, counter_count));
  }
  sums[thread] = sum;
}

}  // namespace heddle_bench
