// Smooths n values; threads beyond the end return early.
#include <cstdio>

constexpr int threads = 64;
__managed__ float in[100], out[100];

__global__ void smooth(int n) {
  __shared__ float tile[threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  const float next = threadIdx.x + 1 < threads ? tile[threadIdx.x + 1] : in[i];
  out[i] = (tile[threadIdx.x] + next) / 2;
}

int main() {
  for (int i = 0; i < 100; ++i) in[i] = i;
  smooth<<<2, threads>>>(100);
  cudaDeviceSynchronize();
  printf("%f %f\n", out[0], out[99]);
}
