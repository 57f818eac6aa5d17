// One kernel scales the coefficients of a filter before another kernel uses them.
#include <cstdio>

__device__ float coefficients[4] = {1, 2, 3, 4};
__managed__ float sum;

__device__ void scale_one(float* all, float by) { all[threadIdx.x] *= by; }

__global__ void scale(float by) { scale_one(const_cast<float*>(&coefficients[0]), by); }

__global__ void add_up() {
  sum = 0;
  for (const float each : coefficients) sum += each;
}

int main() {
  scale<<<1, 4>>>(0.5f);
  add_up<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%.2f\n", sum);
}
