// Lanes that are still iterating take the value of the first such lane.
#include <cstdio>

__managed__ int results[32];

__global__ void follow_the_first() {
  int value = 100 + threadIdx.x;
  int rounds = threadIdx.x % 4;
  while (rounds > 0) {
    const unsigned members = __activemask();
    value = __shfl_sync(members, value, __ffs(members) - 1) + 1;
    --rounds;
  }
  results[threadIdx.x] = value;
}

int main() {
  follow_the_first<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", results[1], results[31]);
}
