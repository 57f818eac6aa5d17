// A lane sleeps until another has written, and gives up after a while.
#include <cstdio>

__device__ volatile int flag;
__device__ int result;

__global__ void wait() {
  if (threadIdx.x == 0) {
    flag = 1;
    return;
  }
  for (unsigned pause = 8; flag == 0; pause = pause < 64 ? 2 * pause : 64) __nanosleep(pause);
  int looks = 0;
  while (flag != 2 && looks < 3) ++looks;
  result = looks;
}

int main() {
  wait<<<1, 2>>>();
  int looks = 0;
  cudaMemcpyFromSymbol(&looks, result, sizeof looks);
  printf("%d\n", looks);
}
