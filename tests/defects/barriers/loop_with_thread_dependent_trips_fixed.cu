// Sums 100 numbers with 64 threads, in rounds of one number per thread.
#include <cstdio>

constexpr int n = 100;
__managed__ int numbers[n];
__managed__ int total;

__global__ void sum() {
  __shared__ int round_sum;
  int mine = 0;
  for (int start = 0; start < n; start += blockDim.x) {
    const int i = start + threadIdx.x;
    if (threadIdx.x == 0) round_sum = 0;
    __syncthreads();  // the sum of this round is cleared
    if (i < n) atomicAdd(&round_sum, numbers[i]);
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
