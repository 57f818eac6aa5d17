// Makes the containers count their exchanges: to be included before them, by a program that has
// nothing else to do with them.
//
// The containers say sync::compare_exchange(). This namespace is nearer to them than heddle::sync,
// of which it offers everything else; so what runs is their own code, as it is, with other
// exchanges.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle_bench {

struct exchange_counts {
  unsigned long long exchanges, failures, tickets;
};

// Many counters, each in a line of its own: what is counted is disturbed as little as can be.
struct alignas(128) counter_line {
  exchange_counts counts;
};
inline constexpr unsigned counter_lines = 1024;

static __device__ counter_line counted[counter_lines];

__device__ inline exchange_counts& my_counts() {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / heddle::warp_size;
  return counted[warp % counter_lines].counts;
}

}  // namespace heddle_bench

namespace heddle::container::sync {

using namespace heddle::sync;

template <scope reach = scope::device, word T>
__device__ inline T compare_exchange(T* at, std::type_identity_t<T> expected,
                                     std::type_identity_t<T> next) {
  const T held = heddle::sync::compare_exchange<reach>(at, expected, next);
  atomicAdd(&heddle_bench::my_counts().exchanges, 1ull);
  if (heddle::sync::detail::as_bits(held) != heddle::sync::detail::as_bits(expected)) {
    atomicAdd(&heddle_bench::my_counts().failures, 1ull);
  }
  return held;
}

// Tickets are the only thing of 64 bits that is added up.
template <scope reach = scope::device, word T>
requires(std::is_integral_v<T>) __device__ inline T add(T* at, std::type_identity_t<T> value) {
  if constexpr (sizeof(T) == 8) {
    atomicAdd(&heddle_bench::my_counts().tickets, static_cast<unsigned long long>(value));
  }
  return heddle::sync::add<reach>(at, value);
}

}  // namespace heddle::container::sync
