// Moves one unit from one account to another, under the locks of both.
#include <cstdio>

constexpr int accounts = 5;
__device__ int locks[accounts];
__managed__ int balance[accounts];

__device__ void lock(int account) {
  while (atomicCAS(&locks[account], 0, 1) != 0) __nanosleep(20);
  __threadfence();
}

__device__ void unlock(int account) {
  __threadfence();
  atomicExch(&locks[account], 0);
}

__global__ void move_units() {
  const int from = 4 - blockIdx.x;
  const int to = blockIdx.x / 2 * 2;
  if (from == to) return;
  lock(min(from, to));
  lock(max(from, to));
  balance[from] -= 1;
  balance[to] += 1;
  unlock(max(from, to));
  unlock(min(from, to));
}

int main() {
  move_units<<<3, 1>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", balance[0], balance[4]);
}
