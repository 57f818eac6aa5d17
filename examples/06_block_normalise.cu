// Scales every row to the range 0 … 1: one block per row, whose threads all need its extremes.
#include <heddle/block/reduce.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int rows = 500;
constexpr int columns = 200;  // also the block size, which need not be a multiple of 32

__global__ void normalise(float* matrix) {
  __shared__ heddle::block::scratch<float> scratch;
  float& value = matrix[blockIdx.x * columns + threadIdx.x];
  // Every thread gets the result. The next call can use the same scratch without a barrier.
  const float smallest = heddle::block::reduce(value, heddle::minimum{}, scratch);
  const float largest = heddle::block::reduce(value, heddle::maximum{}, scratch);
  value = largest > smallest ? (value - smallest) / (largest - smallest) : 0;
}

int main() {
  std::vector<float> matrix(rows * columns);
  for (int i = 0; i < rows * columns; ++i) {
    // All values of row 7 are the same.
    matrix[i] = i / columns == 7 ? 5 : static_cast<float>(i * 7919 % 1009) - 300;
  }

  const size_t bytes = matrix.size() * sizeof(float);
  std::vector<float> normalised(matrix.size());
  float* device_matrix;
  cudaMalloc(&device_matrix, bytes);
  cudaMemcpy(device_matrix, matrix.data(), bytes, cudaMemcpyHostToDevice);
  normalise<<<rows, columns>>>(device_matrix);
  const cudaError_t status =
      cudaMemcpy(normalised.data(), device_matrix, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_matrix);
  if (status != cudaSuccess) {
    std::printf("the kernel failed: %s\n", cudaGetErrorString(status));
    return 1;
  }

  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    const auto begin = matrix.begin() + row * columns;
    const auto [smallest, largest] = std::minmax_element(begin, begin + columns);
    for (int i = row * columns; i < (row + 1) * columns; ++i) {
      const float range = *largest - *smallest;
      wrong += normalised[i] != (range > 0 ? (matrix[i] - *smallest) / range : 0);
    }
  }
  std::printf("%d rows of %d, %d values wrong\n", rows, columns, wrong);
  return wrong == 0 ? 0 : 1;
}
