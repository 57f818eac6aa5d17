// Even lanes exchange values by a shuffle; odd lanes vote.
#include <cstdio>

__managed__ unsigned result[32];

__global__ void mix() {
  const unsigned lane = threadIdx.x;
  const unsigned members = lane % 2 == 0 ? 0x55555555 : 0xaaaaaaaa;
  if (lane % 2 == 0) {
    result[lane] = __shfl_xor_sync(members, lane, 2);
  } else {
    result[lane] = __ballot_sync(members, lane > 16);
  }
}

int main() {
  mix<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%u %08x\n", result[0], result[1]);
}
