// Copies six limits to constant memory.
#include <cstdio>

__constant__ int limits[6];
__managed__ int last;

__global__ void read_last(int place) { last = limits[place]; }

int main() {
  const int host[6] = {1, 2, 3, 4, 5, 6};
  cudaMemcpyToSymbol(limits, host, sizeof(host));
  read_last<<<1, 1>>>(3);
  cudaDeviceSynchronize();
  printf("%d\n", last);
}
