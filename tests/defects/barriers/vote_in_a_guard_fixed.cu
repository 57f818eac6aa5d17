// Counts the set flags of 48 threads and gives the count to every thread of the block.
#include <cstdio>

__managed__ int counts[64];

__global__ void count_flags(int n) {
  __shared__ int warp_counts[2];
  const int i = threadIdx.x;
  if (threadIdx.x < 2) warp_counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned flags = __ballot_sync(0xffffffff, i < n && i % 3 == 0);
  if (i % 32 == 0) warp_counts[i / 32] = __popc(flags);
  __syncthreads();  // both counts are there
  counts[i] = warp_counts[0] + warp_counts[1];
}

int main() {
  count_flags<<<1, 64>>>(48);
  cudaDeviceSynchronize();
  printf("%d\n", counts[63]);
}
