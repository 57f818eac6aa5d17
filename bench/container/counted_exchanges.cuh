// Makes the containers count their exchanges. Include it before them, in a program that does
// nothing else with them.
//
// The containers call sync::compare_exchange(). From heddle::container, name lookup finds this
// namespace before heddle::sync, whose other functions it imports. So the containers' own code runs
// unchanged, with these exchanges.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle_bench {

struct exchange_counts {
  unsigned long long exchanges, failures, tickets;
};

// Many counters, each in its own cache line, to disturb the measured code as little as possible.
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

// Only tickets are 64-bit additions.
template <scope reach = scope::device, word T>
requires(std::is_integral_v<T>) __device__ inline T add(T* at, std::type_identity_t<T> value) {
  if constexpr (sizeof(T) == 8) {
    atomicAdd(&heddle_bench::my_counts().tickets, static_cast<unsigned long long>(value));
  }
  return heddle::sync::add<reach>(at, value);
}

}  // namespace heddle::container::sync
