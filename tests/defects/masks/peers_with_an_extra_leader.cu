// Lanes with the same key sum their values; the first lane with each key writes the sum.
#include <cstdio>

__managed__ unsigned sums[4];

__global__ void sum_by_key() {
  const unsigned lane = threadIdx.x;
  const unsigned key = lane % 4;
  const unsigned peers = __match_any_sync(0xffffffff, key) | 1u;
  const unsigned sum = __reduce_add_sync(peers, lane);
  __syncwarp();
  if (lane < 4) sums[key] = sum;
}

int main() {
  sum_by_key<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%u %u\n", sums[0], sums[3]);
}
