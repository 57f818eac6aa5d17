// Builds a histogram with 16 bins of numbers from 0 to 1, both included.
#include <cstdio>

__managed__ float numbers[65];
__managed__ int counts[16];

__global__ void histogram(int n) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  const int bin = min(int(numbers[threadIdx.x] * 16), 15);
  if (threadIdx.x < n) atomicAdd(&bins[bin], 1);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x] = bins[threadIdx.x];
}

int main() {
  for (int i = 0; i < 65; ++i) numbers[i] = i / 64.0f;
  histogram<<<1, 65>>>(65);
  cudaDeviceSynchronize();
  printf("%d %d\n", counts[0], counts[15]);
}
