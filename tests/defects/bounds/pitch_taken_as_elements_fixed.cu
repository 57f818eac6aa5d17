// Fills a pitched image row by row.
#include <cstdio>

constexpr int width = 20;
constexpr int height = 8;

__global__ void fill(float* image, size_t pitch) {
  float* row = image + threadIdx.y * (pitch / sizeof(float));
  row[threadIdx.x] = threadIdx.y * 100 + threadIdx.x;
}

int main() {
  float* image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, width * sizeof(float), height);
  fill<<<1, dim3(width, height)>>>(image, pitch);
  float host[height][width];
  const size_t row_bytes = width * sizeof(float);
  cudaMemcpy2D(host, row_bytes, image, pitch, row_bytes, height, cudaMemcpyDeviceToHost);
  printf("%f\n", host[0][width - 1]);
  cudaFree(image);
}
