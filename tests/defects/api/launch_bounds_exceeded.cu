// Fills a table with one kernel and sums it with a second one.
#include <cstdio>

__managed__ int table[128], sum;

__global__ void __launch_bounds__(64) fill() { table[threadIdx.x] = 1; }

__global__ void add() { atomicAdd(&sum, table[threadIdx.x]); }

int main() {
  fill<<<1, 128>>>();
  add<<<1, 128>>>();
  if (cudaDeviceSynchronize() == cudaSuccess) printf("%d\n", sum);
}
