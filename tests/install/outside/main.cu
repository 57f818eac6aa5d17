// Scales and sums the lanes' numbers in a kernel; a plain C++ file prints the result.
#include <cuda_runtime.h>

#include <heddle/warp/reduce.cuh>
#include <scale/scale.cuh>

#include "kernels/twice.cuh"

#if !FROM_OPTIONS
#error "OPTIONS do not reach the compiler"
#endif

int report(int sum, const char* scale);

__global__ void sum_lanes(int* result) {
  const int sum = heddle::warp::reduce(twice(scaled(static_cast<int>(threadIdx.x))));
  if (threadIdx.x == 0) *result = sum;
}

int main() {
  int* result = nullptr;
  cudaMalloc(&result, sizeof(int));
  sum_lanes<<<1, 32>>>(result);
  int sum = -1;
  if (cudaMemcpy(&sum, result, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  cudaFree(result);
  return report(sum, SCALE_TEXT);
}
