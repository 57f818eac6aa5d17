// Producer lanes fill a buffer; consumer lanes read it after a warp barrier.
#include <cstdio>

__managed__ int received[16];

__global__ void hand_over() {
  __shared__ int buffer[16];
  const int lane = threadIdx.x;
  if (lane < 16) {
    buffer[lane] = lane * lane;
    __syncwarp();
  } else {
    __syncwarp(0xffffffff);
    received[lane - 16] = buffer[lane - 16];
  }
}

int main() {
  hand_over<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", received[15]);
}
