// Finds the lowest value of each column.
#include <cstdio>

constexpr int rows = 64;
constexpr int columns = 4;
__managed__ int values[rows][columns];
__managed__ int lowest[columns];

__global__ void find_lowest() {
  const int row = threadIdx.x;
  const int column = blockIdx.x;
  atomicMin(&lowest[column], values[row][column]);
}

int main() {
  for (int i = 0; i < rows * columns; ++i) values[i / columns][i % columns] = (i * 37) % 101;
  for (int& low : lowest) low = 1000;
  find_lowest<<<columns, rows>>>();
  cudaDeviceSynchronize();
  printf("%d\n", lowest[0]);
}
