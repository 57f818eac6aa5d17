// Counts in a table in shared memory that is declared at namespace scope.
#include <cstdio>

constexpr int bins = 32;
__managed__ int result;

namespace tables {
__shared__ int counts[bins];
}

__device__ void clear(int* first, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) first[i] = 0;
}

__global__ void count() {
  clear(tables::counts, bins);
  __syncthreads();
  atomicAdd(&tables::counts[threadIdx.x % bins], 1);
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) result = tables::counts[0];
}

int main() {
  count<<<2, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", result);
}
