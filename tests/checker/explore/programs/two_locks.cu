// Two blocks take two locks, each in its own order.
#include <cstdio>

__device__ int locks[2], counter;

__device__ void take(int which) {
  while (atomicCAS(&locks[which], 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void give(int which) {
  __threadfence();
  atomicExch(&locks[which], 0);
}

__global__ void count() {
  const int first = blockIdx.x;
  take(first);
  take(1 - first);
  counter = counter + 1;
  give(1 - first);
  give(first);
}

int main() {
  count<<<2, 1>>>();
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
