// Transfers money between two accounts, each of which has its own lock.
#include <cstdio>

__device__ int locks[2];
__managed__ int balance[2] = {100, 100};

__global__ void transfer(int amount) {
  const int from = blockIdx.x;
  const int to = 1 - from;
  const int first = min(from, to);
  const int second = max(from, to);
  while (atomicCAS(&locks[first], 0, 1) != 0) __nanosleep(20);
  while (atomicCAS(&locks[second], 0, 1) != 0) __nanosleep(20);
  __threadfence();
  balance[from] -= amount;
  balance[to] += amount;
  __threadfence();
  atomicExch(&locks[second], 0);
  atomicExch(&locks[first], 0);
}

int main() {
  transfer<<<2, 1>>>(30);
  cudaDeviceSynchronize();
  printf("%d %d\n", balance[0], balance[1]);
}
