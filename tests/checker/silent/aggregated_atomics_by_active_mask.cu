// The same with __activemask(): each diverged part of the warp adds its number of lanes.
#include <cstdio>

__managed__ int count;

__global__ void count_some() {
  if (threadIdx.x * threadIdx.x % 3 == 1) {
    const unsigned together = __activemask();
    const int leader = __ffs(together) - 1;
    if (threadIdx.x % 32 == leader) atomicAdd(&count, __popc(together));
  }
}

int main() {
  count_some<<<2, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", count);
}
