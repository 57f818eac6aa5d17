// Builds a grid barrier from a counter; one thread of each block arrives at it.
#include <cstdio>

__device__ unsigned arrived;
__managed__ int values[4], mirrored[4];

__device__ void wait_for_grid() {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    const unsigned everybody = gridDim.x;
    while (atomicAdd(&arrived, 0) < everybody) __nanosleep(50);
    __threadfence();
  }
  __syncthreads();  // nobody goes on alone
}

__global__ void mirror() {
  if (threadIdx.x == 0) values[blockIdx.x] = blockIdx.x + 10;
  wait_for_grid();
  if (threadIdx.x == 0) mirrored[blockIdx.x] = values[3 - blockIdx.x];
}

int main() {
  void* arguments = nullptr;
  cudaLaunchCooperativeKernel(mirror, dim3(4), dim3(32), &arguments);
  cudaDeviceSynchronize();
  printf("%d %d\n", mirrored[0], mirrored[3]);
}
