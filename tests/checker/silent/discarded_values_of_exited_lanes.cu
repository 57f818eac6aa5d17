// Sums 20 values in a warp whose other lanes have exited; values read from those are not used.
#include <cstdio>

__managed__ int total;

__global__ void sum(int n) {
  const int lane = threadIdx.x;
  if (lane >= n) return;
  int value = lane;
  for (int distance = 16; distance > 0; distance /= 2) {
    const int other = __shfl_down_sync(0xffffffff, value, distance);
    if (lane + distance < n) value += other;
  }
  if (lane == 0) total = value;
}

int main() {
  sum<<<1, 32>>>(20);
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
