// Multiplies two 32 x 32 matrices in tiles of 16 x 16.
#include <cstdio>

constexpr int n = 32;
constexpr int tile = 16;
__managed__ float a[n][n], b[n][n], c[n][n];

__global__ void multiply() {
  __shared__ float left[tile][tile];
  __shared__ float right[tile][tile + 1];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < n; start += tile) {
    left[threadIdx.y][threadIdx.x] = a[row][start + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[start + threadIdx.y][column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) {
      const float factor = left[threadIdx.y][k];
      sum += factor * right[k][threadIdx.x];
    }
    __syncthreads();
  }
  c[row][column] = sum;
}

int main() {
  for (int i = 0; i < n * n; ++i) a[i / n][i % n] = b[i / n][i % n] = i % 7;
  multiply<<<dim3(2, 2), dim3(tile, tile)>>>();
  cudaDeviceSynchronize();
  printf("%f\n", c[n - 1][n - 1]);
}
