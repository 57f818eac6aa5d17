// Each half of the warp exchanges data after its own __syncwarp().
#include <cstdio>

__managed__ int result[32];

__global__ void exchange() {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  if (lane < 16) {
    values[lane] = lane;
    __syncwarp(0x0000ffff);
    result[lane] = values[15 - lane];
  } else {
    values[lane] = 10 * lane;
    __syncwarp(0xffff0000);
    result[lane] = values[47 - lane];
  }
}

int main() {
  exchange<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[31]);
}
