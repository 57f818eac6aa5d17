// Computes the differences between neighbours in the lower half of the warp.
#include <cstdio>

__managed__ int differences[16];

__global__ void differentiate() {
  const int lane = threadIdx.x;
  const int value = lane * lane;
  if (lane < 16) {
    const int next = __shfl_down_sync(0x0000ffff, value, 1, 16);
    differences[lane] = next - value;
  }
}

int main() {
  differentiate<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", differences[0], differences[15]);
}
