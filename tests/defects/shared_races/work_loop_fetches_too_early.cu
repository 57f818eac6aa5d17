// Blocks fetch row numbers from a common counter until no rows are left.
#include <cstdio>

constexpr int rows = 16;
constexpr int columns = 64;
__managed__ int matrix[rows][columns];
__device__ int fetched;

__global__ void increment_rows() {
  __shared__ int next;
  while (true) {
    if (threadIdx.x == 0) {
      next = atomicAdd(&fetched, 1);
    }
    __syncthreads();
    const int row = next;
    if (row >= rows) return;
    matrix[row][threadIdx.x] += 1;
  }
}

int main() {
  increment_rows<<<2, columns>>>();
  cudaDeviceSynchronize();
  int sum = 0;
  for (auto& row : matrix) {
    for (int value : row) sum += value;
  }
  printf("%d of %d\n", sum, rows * columns);
}
