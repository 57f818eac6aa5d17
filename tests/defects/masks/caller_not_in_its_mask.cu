// The upper half of the warp adds up its sixteen values.
#include <cstdio>

__managed__ int sum;

__global__ void sum_upper_half() {
  const int lane = threadIdx.x % 32;
  int value = lane;
  if (lane >= 16) {
    for (int distance = 8; distance > 0; distance /= 2) {
      value += __shfl_down_sync(0x0000ffff, value, distance, 16);
    }
    if (lane == 16) sum = value;
  }
}

int main() {
  sum_upper_half<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", sum);
}
