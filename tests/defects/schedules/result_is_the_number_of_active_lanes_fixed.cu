// Every lane with a negative value counts the lanes that have one.
#include <cstdio>

__managed__ int counts[32];

__global__ void count_negative() {
  const int value = int(threadIdx.x * 7 % 32) - 12;
  const unsigned negative = __ballot_sync(0xffffffff, value < 0);
  if (value < 0) {
    counts[threadIdx.x] = __popc(negative);
  }
}

int main() {
  count_negative<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", counts[0]);
}
