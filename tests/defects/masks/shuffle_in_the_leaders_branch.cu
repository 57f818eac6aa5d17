// Lane 0 reserves room for the whole warp and broadcasts where that room begins.
#include <cstdio>

__device__ int used;
__managed__ int places[64];

__global__ void reserve() {
  const int lane = threadIdx.x % 32;
  int start = 0;
  if (lane == 0) {
    start = atomicAdd(&used, 32);
    start = __shfl_sync(0xffffffff, start, 0);
  }
  __syncwarp();
  places[threadIdx.x] = start + lane;
}

int main() {
  reserve<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", places[0] + places[32]);
}
