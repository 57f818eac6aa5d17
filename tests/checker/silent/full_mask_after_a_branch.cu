// Lanes take different branches, then exchange values with the whole warp.
#include <cstdio>

__managed__ int result[32];

__global__ void diverge_and_swap() {
  int value = threadIdx.x;
  if (value % 3 == 0) {
    for (int i = 0; i < threadIdx.x; ++i) value += i;
  } else if (value % 3 == 1) {
    value = -value;
  }
  result[threadIdx.x] = __shfl_xor_sync(0xffffffff, value, 1);
}

int main() {
  diverge_and_swap<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[31]);
}
