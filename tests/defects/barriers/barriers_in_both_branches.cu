// The first warp writes the left operands, the second the right ones; then both warps add.
#include <cstdio>

__managed__ int sums[64];

__global__ void add() {
  __shared__ int left[64], right[64];
  const int i = threadIdx.x;
  if (i / 32 == 0) {
    for (int k = i; k < 64; k += 32) left[k] = k;
    __syncthreads();  // the left operand is there
  } else {
    for (int k = i - 32; k < 64; k += 32) right[k] = 100 * k;
    __syncthreads();  // the right operand is there
  }
  sums[i] = left[i] + right[i];
}

int main() {
  add<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[1], sums[63]);
}
