// The last block to finish adds the partial sums with all of its threads.
#include <cstdio>

constexpr int blocks = 4;
constexpr int threads = 64;
__device__ int partial[blocks];
__device__ unsigned finished;
__managed__ int total;

__global__ void sum() {
  __shared__ int block_sum;
  __shared__ bool is_last;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  atomicAdd(&block_sum, int(blockIdx.x * threads + threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = block_sum;
    __threadfence();
    is_last = atomicInc(&finished, blocks - 1) == blocks - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x < blocks) atomicAdd(&total, partial[threadIdx.x]);
}

int main() {
  sum<<<blocks, threads>>>();
  sum<<<blocks, threads>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
