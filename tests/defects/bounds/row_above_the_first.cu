// Adds each pixel of an image and the one above it.
#include <cstdio>

constexpr int width = 1024;
constexpr int height = 4;

__global__ void fill(int* image) { image[blockIdx.x * width + threadIdx.x] = blockIdx.x; }

__global__ void add_the_row_above(const int* image, int* sums) {
  const int row = blockIdx.x;
  const int column = threadIdx.x;
  const int above = image[(row - 1) * width + column];
  sums[row * width + column] = image[row * width + column] + above;
}

int main() {
  int *image, *sums;
  cudaMalloc(&image, width * height * sizeof(int));
  cudaMalloc(&sums, width * height * sizeof(int));
  fill<<<height, width>>>(image);
  add_the_row_above<<<height, width>>>(image, sums);
  int last;
  cudaMemcpy(&last, sums + width * height - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaFree(image);
  cudaFree(sums);
}
