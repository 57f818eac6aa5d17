// Both branches call the same warp operations with the same mask, and the lanes meet there.
#include <cstdio>

__managed__ unsigned votes[32];
__managed__ int values[32];

__global__ void vote_and_shift() {
  const int lane = threadIdx.x;
  if (lane < 10) {
    votes[lane] = __ballot_sync(0xffffffff, lane % 2 == 0);
    values[lane] = __shfl_up_sync(0xffffffff, lane, 1);
  } else {
    votes[lane] = __ballot_sync(0xffffffff, lane % 5 == 0);
    values[lane] = __shfl_up_sync(0xffffffff, 10 * lane, 2);
  }
}

int main() {
  vote_and_shift<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%08x %d\n", votes[0], values[31]);
}
