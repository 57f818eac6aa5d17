// Finds the peak of each row. Right for rows of 32 values and more, and wrong for shorter ones: the
// page docs/debugging.md finds out why.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ float peak_of_warp(float mine) {
  for (int distance = 16; distance > 0; distance /= 2) {
    mine = fmaxf(mine, __shfl_down_sync(0xffffffff, mine, distance));
  }
  return mine;
}

__global__ void peaks(const float* values, int columns, float* result) {
  const float* const row = values + blockIdx.x * columns;
  float mine = row[0];
  for (int i = threadIdx.x; i < columns; i += 32) {
    mine = fmaxf(mine, row[i]);
    if (i + 32 >= columns) mine = peak_of_warp(mine);
  }
  if (threadIdx.x == 0) result[blockIdx.x] = mine;
}

int main(int count, char** arguments) {
  const int rows = count > 1 ? std::atoi(arguments[1]) : 1;
  const int columns = count > 2 ? std::atoi(arguments[2]) : 20;
  std::vector<float> host(rows * columns, 0.0f), found(rows);
  for (int row = 0; row < rows; ++row) host[row * columns + columns - 1 - row % 9] = row + 1;

  float *values, *result;
  cudaMalloc(&values, host.size() * sizeof(float));
  cudaMalloc(&result, rows * sizeof(float));
  cudaMemcpy(values, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  peaks<<<rows, 32>>>(values, columns, result);
  cudaMemcpy(found.data(), result, rows * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < rows; ++row) wrong += found[row] != row + 1;
  std::printf("%d of %d peaks are wrong\n", wrong, rows);
  cudaFree(values);
  cudaFree(result);
  return wrong == 0 ? 0 : 1;
}
