// Sums n numbers in tiles of 64; the last tile is not full.
#include <cstdio>

constexpr int threads = 64;
__managed__ int numbers[100];
__managed__ int total;

__global__ void sum(int n) {
  __shared__ int tile[threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  tile[threadIdx.x] = i < n ? numbers[i] : 0;
  for (int stride = threads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) {
      tile[threadIdx.x] += tile[threadIdx.x + stride];
    }
  }
  if (threadIdx.x == 0) atomicAdd(&total, tile[0]);
}

int main() {
  for (int i = 0; i < 100; ++i) numbers[i] = 1;
  sum<<<2, threads>>>(100);
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
