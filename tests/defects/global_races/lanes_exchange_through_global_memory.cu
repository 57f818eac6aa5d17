// Computes the column sums of a 32 x 32 matrix: each lane writes a row, then reads a column.
#include <cstdio>

__managed__ int rows[32][32];
__managed__ int sums[32];

__global__ void column_sums() {
  const int lane = threadIdx.x;
  for (int i = 0; i < 32; ++i) rows[lane][i] = lane + i;
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += rows[i][lane];
  sums[lane] = sum;
}

int main() {
  column_sums<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[0], sums[31]);
}
