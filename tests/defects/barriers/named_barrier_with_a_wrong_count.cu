// Two producer warps hand a buffer to two consumer warps at a named barrier.
#include <cstdio>

__managed__ int received[64];

__global__ void hand_over() {
  __shared__ int buffer[64];
  const int role = threadIdx.x / 64;
  const int i = threadIdx.x % 64;
  if (role == 0) {
    buffer[i] = i + 1;
    __barrier_sync_count(1, 128);
  } else if (role == 1) {
    __barrier_sync_count(1, 192);
    received[i] = buffer[i];
  }
}

int main() {
  hand_over<<<1, 128>>>();
  cudaDeviceSynchronize();
  printf("%d\n", received[63]);
}
