// Two lanes take turns: a lane claims the turn with its number once the turn is free (0).
#include <cstdio>

__device__ int turn = -1;
__managed__ int agreed;

__global__ void agree() {
  const int me = threadIdx.x + 1;
  while (atomicExch(&turn, me) != 0) {
  }
  atomicAdd(&agreed, 1);
}

int main() {
  agree<<<1, 2>>>();
  cudaDeviceSynchronize();
  printf("%d\n", agreed);
}
