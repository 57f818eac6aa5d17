// Sums the positions of the zeros in each thread's row.
#include <cstdio>

__managed__ int table[32][8];
__managed__ int sums[32];

__device__ __noinline__ int find_zeros(const int* row, int* places) {
  int count = 0;
  for (int i = 0; i < 8; ++i) {
    if (row[i] == 0) places[count++] = i;
  }
  return count;
}

__global__ void sum_places() {
  int places[9];
  const int count = find_zeros(table[threadIdx.x], places);
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += places[i];
  sums[threadIdx.x] = sum;
}

int main() {
  for (int i = 0; i < 256; ++i) table[i / 8][i % 8] = i % 3;
  sum_places<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[0], sums[31]);
}
