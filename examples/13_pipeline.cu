// A pipeline of blocks with queues between them: the first blocks find numbers, the next ones
// square them, the last one adds up. No stage waits for another one to finish.
#include <heddle/container/queue.cuh>
#include <heddle/sync/backoff.cuh>

#include <cstdio>

using heddle::all_lanes;
using heddle::container::queue;
using heddle::container::queue_view;

constexpr unsigned items = 2000;
constexpr unsigned finders = 2, workers = 3;  // blocks of one warp each; one more adds up

// `taken` counts the values that a stage has claimed. A warp claims its next values before it
// waits for them, so every warp knows when its stage is done.
__device__ unsigned claim(unsigned* taken) {
  unsigned first = 0;
  if (threadIdx.x == 0) first = atomicAdd(taken, 32u);
  return __shfl_sync(all_lanes, first, 0) + threadIdx.x;
}

// The lanes of a warp push and pop together; a lane that fails tries again.
template <typename T>
__device__ void push(const queue_view<T>& into, const T& value, bool wants) {
  for (heddle::sync::backoff wait; __any_sync(all_lanes, wants); wait.pause()) {
    if (into.try_push(value, wants, all_lanes)) wants = false;
  }
}
template <typename T>
__device__ T pop(const queue_view<T>& from, bool wants) {
  T value{};
  for (heddle::sync::backoff wait; __any_sync(all_lanes, wants); wait.pause()) {
    if (from.try_pop(value, wants, all_lanes)) wants = false;
  }
  return value;
}

__global__ void run(queue_view<unsigned> found, queue_view<unsigned long long> squares,
                    unsigned* taken, unsigned long long* sum) {
  if (blockIdx.x < finders) {
    for (unsigned i = blockIdx.x * 32 + threadIdx.x; i - threadIdx.x < items; i += finders * 32) {
      push(found, i, i < items);
    }
  } else if (blockIdx.x < finders + workers) {
    for (unsigned i; (i = claim(&taken[0])) - threadIdx.x < items;) {
      const unsigned long long number = pop(found, i < items);
      push(squares, number * number, i < items);
    }
  } else {
    for (unsigned i; (i = claim(&taken[1])) - threadIdx.x < items;) {
      atomicAdd(sum, pop(squares, i < items));
    }
  }
}

int main() {
  // Small queues: a stage that is too fast has to wait for the next one.
  const queue<unsigned> found(100);
  const queue<unsigned long long> squares(40);
  struct counters {
    unsigned taken[2];
    unsigned long long sum;
  } * all;
  if (cudaMallocManaged(&all, sizeof *all) != cudaSuccess) return 1;
  *all = counters{};
  run<<<finders + workers + 1, 32>>>(found.view(), squares.view(), all->taken, &all->sum);
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) {
    printf("the kernel failed: %s\n", cudaGetErrorString(status));
    return 1;
  }
  unsigned long long expected = 0;
  for (unsigned long long i = 0; i < items; ++i) expected += i * i;
  printf("%u squares through two queues: %llu of %llu\n", items, all->sum, expected);
  const bool is_right = all->sum == expected;
  cudaFree(all);
  return is_right ? 0 : 1;
}
