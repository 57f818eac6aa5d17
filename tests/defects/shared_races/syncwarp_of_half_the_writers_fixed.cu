// The lower half of the warp takes the smaller of two keys, its own and one of the upper half.
#include <cstdio>

__managed__ int smaller[16];

__global__ void merge_halves() {
  __shared__ int keys[32];
  const int lane = threadIdx.x;
  keys[lane] = (lane * 37) % 32;
  __syncwarp();
  if (lane < 16) {
    const int other = keys[lane + 16];
    smaller[lane] = min(keys[lane], other);
  }
}

int main() {
  merge_halves<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", smaller[0], smaller[15]);
}
