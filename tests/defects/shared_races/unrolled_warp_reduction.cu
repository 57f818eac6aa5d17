// Sums the 32 values of one warp in shared memory; every lane adds at every step.
#include <cstdio>

__managed__ int total;

__device__ void add_lanes(int* values, int lane) {
  for (int distance = 16; distance > 0; distance /= 2) {
    values[lane] += values[lane ^ distance];
  }
}

__global__ void sum() {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;
  __syncwarp();
  add_lanes(values, threadIdx.x);
  if (threadIdx.x == 0) total = values[0];
}

int main() {
  sum<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
