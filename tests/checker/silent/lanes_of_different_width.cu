// The lanes of one shuffle pass different widths and sources.
#include <cstdio>

__managed__ int result[32];

__global__ void mixed() {
  const int lane = threadIdx.x;
  const int width = lane < 16 ? 4 : 16;
  const int source = lane % 2 == 0 ? 0 : lane + 3;
  result[lane] = __shfl_sync(0xffffffff, 10 * lane, source, width);
}

int main() {
  mixed<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[5], result[31]);
}
