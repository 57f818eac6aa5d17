// Adds 64 numbers in shared memory; after the first step, one warp does all the work.
#include <cstdio>

__managed__ int total;

__global__ void add_up() {
  __shared__ volatile int parts[64];
  const unsigned lane = threadIdx.x;
  parts[lane] = lane;
  __syncthreads();
  if (lane < 32) {
    int part = parts[lane] + parts[lane + 32];
    for (int step = 16; step > 0; step /= 2) {
      __syncwarp();
      parts[lane] = part;
      __syncwarp();
      part += parts[lane + step];
    }
    if (lane == 0) total = part;
  }
}

int main() {
  add_up<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
