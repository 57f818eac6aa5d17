// Threads without work return; the others still use barriers and warp operations.
#include <cstdio>

__managed__ int result[70];

__global__ void reverse(int n) {
  __shared__ int values[128];
  if (threadIdx.x >= n) return;
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = values[n - 1 - threadIdx.x];
  __syncwarp();
  const bool is_any_large = __any_sync(0xffffffff, other > 60);
  result[threadIdx.x] = is_any_large ? other : -other;
}

int main() {
  reverse<<<1, 128>>>(70);
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[69]);
}
