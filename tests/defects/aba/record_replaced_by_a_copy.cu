// Updates a record by writing a changed copy into a spare slot and switching to it.
#include <cstdio>

constexpr int writers = 3;
constexpr int rounds = 4;
__device__ int current = writers;
__device__ volatile int sums[writers + 1], counts[writers + 1];
__managed__ int total;

__device__ int slot_of(int seen) { return seen; }
__device__ int switch_to(int, int slot) { return slot; }

__global__ void record(int value) {
  int spare = blockIdx.x;
  for (int round = 0; round < rounds;) {
    const int seen = *static_cast<volatile int*>(&current);
    __threadfence();
    const int slot = slot_of(seen);
    sums[spare] = sums[slot] + value;
    counts[spare] = counts[slot] + 1;
    __threadfence();
    if (atomicCAS(&current, seen, switch_to(seen, spare)) == seen) {
      spare = slot;
      ++round;
    }
  }
}

__global__ void report() { total = sums[slot_of(current)]; }

int main() {
  record<<<writers, 1>>>(2);
  report<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
