// The plain C++ part of the outside project: it uses CUDA's host API and no kernels.
#include <cuda_runtime_api.h>

#include <cstdio>

int report(int sum, const char* scale) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1) return 1;
  std::printf("sum %d, scale %s\n", sum, scale);
  return sum == 2 * 3 * 31 * 32 / 2 ? 0 : 1;
}
