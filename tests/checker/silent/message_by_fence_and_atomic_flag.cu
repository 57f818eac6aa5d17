// Every lane of the first warp sends a message to the lane of the same number in the second.
#include <cstdio>

__device__ int message[32];
__device__ int sent[32];
__managed__ int received[32];

__global__ void send_and_receive() {
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    message[lane] = lane + 100;
    __threadfence();
    atomicExch(&sent[lane], 1);
  } else {
    while (atomicAdd(&sent[lane], 0) == 0) __nanosleep(10);
    __threadfence();
    received[lane] = message[lane];
  }
}

int main() {
  send_and_receive<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", received[0], received[31]);
}
