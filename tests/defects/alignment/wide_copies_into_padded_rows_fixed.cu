// Sums the columns of a tile whose rows are padded to avoid bank conflicts.
#include <cuda_pipeline.h>

#include <cstdio>

constexpr int rows = 32;
constexpr int columns = 32;
constexpr int words = 4;
__managed__ alignas(16) int in[rows][columns];
__managed__ int sums[columns];

__global__ void sum_columns() {
  __shared__ alignas(16) int tile[rows][columns + words];
  for (int column = 0; column < columns; column += words) {
    int* const to = &tile[threadIdx.x][column];
    __pipeline_memcpy_async(to, &in[threadIdx.x][column], words * sizeof(int));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  int sum = 0;
  for (int row = 0; row < rows; ++row) sum += tile[row][threadIdx.x];
  sums[threadIdx.x] = sum;
}

int main() {
  for (int i = 0; i < rows * columns; ++i) in[i / columns][i % columns] = i % columns;
  sum_columns<<<1, columns>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[1], sums[columns - 1]);
}
