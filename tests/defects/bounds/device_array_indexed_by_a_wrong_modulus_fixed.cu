// Distributes keys over the buckets of a table in device memory.
#include <cstdio>

__device__ unsigned buckets[61];

__global__ void distribute() {
  const unsigned key = threadIdx.x * 2654435761u;
  atomicAdd(&buckets[key % 61], 1u);
}

int main() {
  distribute<<<1, 256>>>();
  unsigned host[61];
  cudaMemcpyFromSymbol(host, buckets, sizeof(host));
  printf("%u\n", host[0]);
}
