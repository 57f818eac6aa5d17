// Eight steps of a five-point stencil on 512x512 points, one launch per step.
#include <utility>
#include <vector>

#include "kernel_time.cuh"

constexpr int size = 512;
constexpr int steps = 8;

__global__ void smooth(const float* before, float* after) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int at = y * size + x;
  if (x == 0 || y == 0 || x == size - 1 || y == size - 1) {
    after[at] = before[at];
  } else {
    after[at] = 0.25f * (before[at - 1] + before[at + 1] + before[at - size] + before[at + size]);
  }
}

int main() {
  std::vector<float> numbers(size * size);
  for (int i = 0; i < size * size; ++i)
    numbers[i] = static_cast<float>(i % size);  // the stencil does not change it
  const std::size_t bytes = numbers.size() * sizeof(float);
  float *one = nullptr, *other = nullptr;
  cudaMalloc(&one, bytes);
  cudaMalloc(&other, bytes);
  cudaMemcpy(one, numbers.data(), bytes, cudaMemcpyHostToDevice);
  print_kernel_time([&] {
    for (int step = 0; step < steps; ++step) {
      smooth<<<dim3(size / 32, size / 8), dim3(32, 8)>>>(one, other);
      std::swap(one, other);
    }
  });
  std::vector<float> result(size * size);
  cudaMemcpy(result.data(), one, bytes, cudaMemcpyDeviceToHost);
  expect(result == numbers, "a point");
  cudaFree(one);
  cudaFree(other);
}
