// Finds the peak of each row. Right for rows of 32 values or more, wrong for shorter ones:
// docs/debugging.md finds out why.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ int peak_of_warp(int mine) {
  for (int distance = 16; distance > 0; distance /= 2) {
    mine = max(mine, __shfl_down_sync(0xffffffff, mine, distance));
  }
  return mine;
}

__global__ void peaks(const int* values, int columns, int* result) {
  const int* const row = values + blockIdx.x * columns;
  int mine = row[0];
  for (int i = threadIdx.x; i < columns; i += 32) {
    mine = max(mine, row[i]);
    if (i + 32 >= columns) mine = peak_of_warp(mine);
  }
  if (threadIdx.x == 0) result[blockIdx.x] = mine;
}

int main(int count, char** arguments) {
  const int rows = count > 1 ? std::atoi(arguments[1]) : 1;
  const int columns = count > 2 ? std::atoi(arguments[2]) : 20;
  std::vector<int> host(rows * columns), found(rows);
  for (int row = 0; row < rows; ++row) host[row * columns + columns - 1 - row % 9] = row + 1;

  int *values, *result;
  cudaMalloc(&values, host.size() * sizeof(int));
  cudaMalloc(&result, rows * sizeof(int));
  cudaMemcpy(values, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  peaks<<<rows, 32>>>(values, columns, result);
  cudaMemcpy(found.data(), result, rows * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < rows; ++row) wrong += found[row] != row + 1;
  std::printf("%d of %d peaks are wrong\n", wrong, rows);
  cudaFree(values);
  cudaFree(result);
  return wrong == 0 ? 0 : 1;
}
