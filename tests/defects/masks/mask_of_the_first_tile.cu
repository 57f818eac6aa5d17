// Every tile of eight lanes broadcasts the value of its first lane.
#include <cstdio>

__managed__ int result[32];

__global__ void broadcast() {
  const int lane = threadIdx.x;
  const int value = 100 + lane;
  const unsigned members = 0xff;
  result[lane] = __shfl_sync(members, value, 0, 8);
}

int main() {
  broadcast<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[7], result[31]);
}
