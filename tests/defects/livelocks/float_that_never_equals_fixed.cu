// Integrates x * x from 0 to 1 in steps of a tenth.
#include <cstdio>

__managed__ float areas[32];

__global__ void integrate() {
  const float step = 0.1f;
  float area = 0;
  float x = 0;
  while (x < 1.0f - step / 2) {
    area += x * x * step;
    x += step;
  }
  areas[threadIdx.x] = area;
}

int main() {
  integrate<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%.2f\n", areas[0]);
}
