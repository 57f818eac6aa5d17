// Every lane of a warp adds its value to a common sum under a lock.
#include <cstdio>

__device__ int mutex;
__managed__ int sum;

__global__ void add() {
  bool is_done = false;
  while (!is_done) {
    if (atomicCAS(&mutex, 0, 1) == 0) {
      __threadfence();
      sum += threadIdx.x;
      __syncwarp();
      __threadfence();
      atomicExch(&mutex, 0);
      is_done = true;
    }
  }
}

int main() {
  add<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", sum);
}
