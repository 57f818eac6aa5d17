// Sums the valid entries of four rows; invalid ones are skipped.
#include <cstdio>

__managed__ int table[4][32];
__managed__ int sums[4];

__global__ void sum_rows() {
  const int lane = threadIdx.x;
  for (int row = 0; row < 4; ++row) {
    int value = table[row][lane];
    if (value < 0) continue;
    for (int distance = 16; distance > 0; distance /= 2) {
      value += __shfl_down_sync(0xffffffff, value, distance);
    }
    if (lane == 0) sums[row] = value;
  }
}

int main() {
  for (int i = 0; i < 128; ++i) table[i / 32][i % 32] = i % 7 == 3 ? -1 : 1;
  sum_rows<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
}
