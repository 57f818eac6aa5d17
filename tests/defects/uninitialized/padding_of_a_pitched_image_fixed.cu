// Sums the pixels of a pitched image.
#include <cstdio>

constexpr int width = 50;
constexpr int height = 4;
__managed__ int total;

__global__ void sum_rows(const unsigned char* image, size_t pitch, int columns) {
  int sum = 0;
  for (int x = threadIdx.x; x < columns; x += blockDim.x) {
    sum += image[blockIdx.x * pitch + x];
  }
  atomicAdd(&total, sum);
}

int main() {
  unsigned char* image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, width, height);
  cudaMemset2D(image, pitch, 1, width, height);
  sum_rows<<<height, 32>>>(image, pitch, width);
  cudaDeviceSynchronize();
  printf("%d\n", total);
  cudaFree(image);
}
