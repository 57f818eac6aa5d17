// Sums 100 numbers with 64 threads, in rounds of one number per thread.
#include <cstdio>

constexpr int n = 100;
__managed__ int numbers[n];
__managed__ int total;

__global__ void sum() {
  __shared__ int round_sum;
  int mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (threadIdx.x == 0) round_sum = 0;
    __syncthreads();  // the sum of this round is cleared
    atomicAdd(&round_sum, numbers[i]);
    __syncthreads();
    mine += round_sum;
    __syncthreads();
  }
  __syncthreads();  // every round is over
  if (threadIdx.x == 0) total = mine;
}

int main() {
  for (int i = 0; i < n; ++i) numbers[i] = i;
  sum<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
