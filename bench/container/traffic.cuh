// The kernels that the container benches time; queues and stacks have try_push() and try_pop().
#pragma once
// Preconditions are for debug builds; we time what a release build runs.
#undef HEDDLE_CHECK_PRECONDITIONS
#define HEDDLE_CHECK_PRECONDITIONS 0
#include <heddle/core/mask.cuh>
#include <heddle/sync/backoff.cuh>

#include <cstdint>

namespace heddle_bench {

// Each thread leaves the sum of the values that it has popped, so a lost or duplicated value makes
// the total wrong.
using popped_sum = unsigned long long;

inline constexpr int threads_of_block = 256;

// Repeats until the push or pop succeeds: by single lanes, or by all lanes of the warp together.
template <bool together, typename View>
__device__ inline void push(const View& values, typename View::value_type value,
                            heddle::lane_mask members) {
  heddle::sync::backoff wait;
  if constexpr (together) {
    for (bool wants = true;; wait.pause()) {
      if (values.try_push(value, wants, members)) wants = false;
      if (__any_sync(members, wants) == 0) return;
    }
  } else {
    while (!values.try_push(value)) wait.pause();
  }
}
template <bool together, typename View>
__device__ inline typename View::value_type pop(const View& values, heddle::lane_mask members) {
  typename View::value_type value{};
  heddle::sync::backoff wait;
  if constexpr (together) {
    for (bool wants = true;; wait.pause()) {
      if (values.try_pop(value, wants, members)) wants = false;
      if (__any_sync(members, wants) == 0) return value;
    }
  } else {
    while (!values.try_pop(value)) wait.pause();
    return value;
  }
}

__device__ inline unsigned thread_of_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Every thread pushes, pops, pushes, pops …
template <bool together, typename View>
__global__ void __launch_bounds__(threads_of_block)
    push_and_pop(View values, unsigned rounds, popped_sum* sums) {
  const heddle::lane_mask members = heddle::lanes_with_thread();
  const unsigned thread = thread_of_grid();
  popped_sum sum = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    push<together>(values, thread * rounds + i, members);
    sum += pop<together>(values, members);
  }
  sums[thread] = sum;
}

// Every second warp pushes, the others pop.
template <bool together, typename View>
__global__ void __launch_bounds__(threads_of_block)
    push_or_pop(View values, unsigned rounds, popped_sum* sums) {
  const heddle::lane_mask members = heddle::lanes_with_thread();
  const unsigned thread = thread_of_grid(), warp = thread / heddle::warp_size;
  popped_sum sum = 0;
  if (warp % 2 == 0) {
    const unsigned pusher = warp / 2 * heddle::warp_size + thread % heddle::warp_size;
    for (unsigned i = 0; i < rounds; ++i) push<together>(values, pusher * rounds + i, members);
  } else {
    for (unsigned i = 0; i < rounds; ++i) sum += pop<together>(values, members);
  }
  sums[thread] = sum;
}

template <bool together, typename View>
__global__ void __launch_bounds__(threads_of_block)
    only_push(View values, unsigned rounds, popped_sum* sums) {
  const heddle::lane_mask members = heddle::lanes_with_thread();
  const unsigned thread = thread_of_grid();
  for (unsigned i = 0; i < rounds; ++i) push<together>(values, thread * rounds + i, members);
  sums[thread] = 0;
}
template <bool together, typename View>
__global__ void __launch_bounds__(threads_of_block)
    only_pop(View values, unsigned rounds, popped_sum* sums) {
  const heddle::lane_mask members = heddle::lanes_with_thread();
  popped_sum sum = 0;
  for (unsigned i = 0; i < rounds; ++i) sum += pop<together>(values, members);
  sums[thread_of_grid()] = sum;
}

// Saturates at 32 bits, which a wait of seconds would overflow.
__device__ inline std::uint32_t cycles_between(long long begin, long long end) {
  return static_cast<std::uint32_t>(min(end - begin, 0xffffffffll));
}

// Like push_and_pop(), and stores the cycles of each call: thread t in round i at
// [i * threads + t].
template <bool together, typename View>
__global__ void __launch_bounds__(threads_of_block)
    push_and_pop_timed(View values, unsigned rounds, popped_sum* sums, std::uint32_t* push_cycles,
                       std::uint32_t* pop_cycles) {
  const heddle::lane_mask members = heddle::lanes_with_thread();
  const unsigned thread = thread_of_grid(), threads = gridDim.x * blockDim.x;
  popped_sum sum = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    const long long begin = clock64();
    push<together>(values, thread * rounds + i, members);
    const long long middle = clock64();
    sum += pop<together>(values, members);
    const long long end = clock64();
    push_cycles[std::size_t{1} * i * threads + thread] = cycles_between(begin, middle);
    pop_cycles[std::size_t{1} * i * threads + thread] = cycles_between(middle, end);
  }
  sums[thread] = sum;
}

// As many atomics as a push and a pop need, on pseudo-random words: what the memory can do.
static __global__ void __launch_bounds__(threads_of_block)
    six_atomics(unsigned* words, unsigned word_mask, unsigned rounds, popped_sum* sums) {
  unsigned bits = thread_of_grid() * 0x9e3779b9u;
  popped_sum sum = 0;
  for (unsigned i = 0; i < 6 * rounds; ++i) {
    bits = (bits ^ bits >> 15) * 0x85ebca6bu + i;
    sum += atomicAdd(words + (bits & word_mask), 1u);
  }
  sums[thread_of_grid()] = sum;
}

}  // namespace heddle_bench
