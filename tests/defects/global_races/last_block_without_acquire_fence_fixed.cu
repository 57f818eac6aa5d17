// Finds the largest value: the last block to arrive combines the maxima of all blocks.
#include <cstdio>

constexpr int blocks = 4;
constexpr int threads = 64;
__managed__ int largest;

__global__ void find_largest(int* maxima, unsigned* arrived) {
  __shared__ bool is_last;
  __shared__ int block_largest;
  if (threadIdx.x == 0) block_largest = 0;
  __syncthreads();
  atomicMax(&block_largest, int(threadIdx.x * 77 + blockIdx.x * 13) % 1000);
  __syncthreads();
  if (threadIdx.x == 0) {
    maxima[blockIdx.x] = block_largest;
    __threadfence();
    is_last = atomicAdd(arrived, 1) == blocks - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x < blocks) {
    atomicMax(&largest, maxima[threadIdx.x]);
  }
}

int main() {
  int* maxima;
  unsigned* arrived;
  cudaMalloc(&maxima, blocks * sizeof(int));
  cudaMalloc(&arrived, sizeof(unsigned));
  cudaMemset(arrived, 0, sizeof(unsigned));
  find_largest<<<blocks, threads>>>(maxima, arrived);
  cudaDeviceSynchronize();
  printf("%d\n", largest);
  cudaFree(maxima);
  cudaFree(arrived);
}
