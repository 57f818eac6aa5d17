// Counts how many elements are above a limit.
#include <cstdio>

__managed__ float values[128];
__managed__ int processed;

__global__ void count_above(float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] > limit) {
    atomicAdd(&processed, 1);
  }
}

int main() {
  for (int i = 0; i < 128; ++i) values[i] = i;
  count_above<<<2, 64>>>(31.0f);
  cudaDeviceSynchronize();
  printf("%d\n", processed);
}
