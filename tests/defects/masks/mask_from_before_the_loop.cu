// Lanes walk chains of different lengths; at each step they count the even remaining lengths.
#include <cstdio>

__managed__ int walking[32];

__global__ void walk() {
  const int lane = threadIdx.x;
  int left = lane % 4 + 1;
  const unsigned members = __ballot_sync(0xffffffff, left > 0);
  while (left > 0) {
    const unsigned even = __ballot_sync(members, left % 2 == 0);
    walking[lane] += __popc(even);
    --left;
  }
  const int most = __reduce_max_sync(0xffffffff, walking[lane]);
  if (lane == 0) walking[0] = most;
}

int main() {
  walk<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", walking[0], walking[31]);
}
