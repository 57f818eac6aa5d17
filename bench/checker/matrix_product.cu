// The product of two 256x256 matrices with tiles of 16x16 in shared memory.
#include <vector>

#include "kernel_time.cuh"

constexpr int size = 256;
constexpr int tile = 16;

__global__ void multiply(const float* a, const float* b, float* c) {
  __shared__ float of_a[tile][tile], of_b[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < size; first += tile) {
    of_a[threadIdx.y][threadIdx.x] = a[row * size + first + threadIdx.x];
    of_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * size + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += of_a[threadIdx.y][k] * of_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * size + column] = sum;
}

int main() {
  std::vector<float> ones(size * size, 1.0f), result(size * size);
  const std::size_t bytes = ones.size() * sizeof(float);
  float *a = nullptr, *b = nullptr, *c = nullptr;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, ones.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, ones.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 grid(size / tile, size / tile), block(tile, tile);
  print_kernel_time([&] { multiply<<<grid, block>>>(a, b, c); });
  cudaMemcpy(result.data(), c, bytes, cudaMemcpyDeviceToHost);
  for (const float each : result) expect(each == size, "an element");
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
