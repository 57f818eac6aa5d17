// The lanes of one warp take a spin lock one after another.
#include <cstdio>

__managed__ int sum;

__global__ void add() {
  __shared__ int mutex;
  if (threadIdx.x == 0) mutex = 0;
  __syncwarp();
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  __threadfence();
  sum += threadIdx.x;
  __threadfence();
  atomicExch(&mutex, 0);
}

int main() {
  add<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", sum);
}
