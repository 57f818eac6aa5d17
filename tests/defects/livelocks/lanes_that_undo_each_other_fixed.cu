// Two lanes take turns: a lane claims the turn with its number once the turn is free (0).
#include <cstdio>

__device__ int turn;
__managed__ int agreed;

__global__ void agree() {
  const int me = threadIdx.x + 1;
  while (atomicCAS(&turn, 0, me) != 0) {
  }
  atomicAdd(&agreed, 1);
  atomicExch(&turn, 0);
}

int main() {
  agree<<<1, 2>>>();
  cudaDeviceSynchronize();
  printf("%d\n", agreed);
}
