// Labels each element of a matrix of 6 rows and 40 columns with its row and column.
#include <cstdio>

constexpr int rows = 6;
constexpr int columns = 40;

__global__ void label(int* matrix) {
  const int column = threadIdx.x;
  const int row = threadIdx.y;
  matrix[row * columns + column] = row * 100 + column;
}

int main() {
  int* matrix;
  cudaMalloc(&matrix, rows * columns * sizeof(int));
  label<<<1, dim3(columns, rows)>>>(matrix);
  int first;
  cudaMemcpy(&first, matrix, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", first);
  cudaFree(matrix);
}
