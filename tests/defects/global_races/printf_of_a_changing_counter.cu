// Counts events; the thread that counts the 64th prints the count.
#include <cstdio>

__device__ int events;

__global__ void record() {
  const int before = atomicAdd(&events, 1);
  if (before == 63) {
    printf("%d events\n", events);
  }
}

int main() {
  record<<<4, 32>>>();
  cudaDeviceSynchronize();
}
