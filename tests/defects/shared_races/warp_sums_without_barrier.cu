// Sums one value per thread: first within each warp, then over the sums of the warps.
#include <cstdio>

__managed__ int total;

__device__ int warp_sum(int value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffff, value, distance);
  }
  return value;
}

__global__ void sum() {
  __shared__ int sum_of_warp[32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int value = warp_sum(threadIdx.x);
  if (lane == 0) sum_of_warp[warp] = value;
  if (warp == 0) {
    const int mine = lane < blockDim.x / 32 ? sum_of_warp[lane] : 0;
    const int all = warp_sum(mine);
    if (lane == 0) total = all;
  }
}

int main() {
  sum<<<1, 256>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
