// Launches through API calls, function attributes, occupancy and limits.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void affine(int* results, int factor, double term) {
  extern __shared__ int affine_values[];
  affine_values[threadIdx.x] = static_cast<int>(rank_in_grid()) * factor;
  __syncthreads();
  results[rank_in_grid()] = affine_values[blockDim.x - 1 - threadIdx.x] + static_cast<int>(term);
}

template <typename T>
__global__ void fill(T* results, T value) {
  results[rank_in_grid()] = value + static_cast<T>(blockIdx.x);
}

CASE(launch_by_call) {
  const buffer<int> results(64);
  int* pointer = results;
  int factor = 3;
  double term = 7.5;
  void* arguments[] = {&pointer, &factor, &term};
  CHECKED(cudaLaunchKernel((const void*)affine, dim3(2), dim3(32), arguments, 32 * sizeof(int),
                           nullptr));
  show("pointer of no type", results);
  factor = 5;
  CHECKED(cudaLaunchKernel(affine, dim3(2), dim3(32), arguments, 32 * sizeof(int)));
  show("typed pointer", results);
  float value = 2.5f;
  const buffer<float> floats(64);
  float* floats_pointer = floats;
  void* others[] = {&floats_pointer, &value};
  CHECKED(cudaLaunchKernel((void*)fill<float>, dim3(4), dim3(16), others, 0, 0));
  show("template", floats);
}

CASE(launch_with_a_configuration) {
  const buffer<int> results(64);
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(2);
  configuration.blockDim = dim3(32);
  configuration.dynamicSmemBytes = 32 * sizeof(int);
  CHECKED(cudaLaunchKernelEx(&configuration, affine, static_cast<int*>(results), 11, 4.0));
  show("results", results);
}

CASE(attributes_of_a_function) {
  cudaFuncAttributes attributes;
  CHECKED(cudaFuncGetAttributes(&attributes, affine));
  std::printf("static shared %zu, constant at least 0: %d, registers at least 1: %d\n",
              attributes.sharedSizeBytes, attributes.constSizeBytes + 1 > 0,
              attributes.numRegs >= 1);
  std::printf("threads per block at least 1: %d, dynamic shared %d\n",
              attributes.maxThreadsPerBlock >= 1, attributes.maxDynamicSharedSizeBytes);
}

CASE(occupancy_is_at_least_one) {
  int blocks = 0, grid = 0, block = 0;
  CHECKED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, affine, 64, 256));
  std::printf("blocks at least 1: %d\n", blocks >= 1);
  CHECKED(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill<int>, 0, 0));
  std::printf("grid at least 1: %d, block in range: %d, whole warps: %d\n", grid >= 1,
              block >= 32 && block <= 1024, block % 32 == 0);
  blocks = -1;
  SHOW_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, affine, 2000, 0));
  std::printf("blocks of 2000 threads: %d\n", blocks);
  cudaGetLastError();
}

CASE(limits) {
  std::size_t size = 0;
  SHOW_ERROR(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
  CHECKED(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
  std::printf("heap at least as asked: %d\n", size >= std::size_t{32} << 20);
  CHECKED(cudaDeviceGetLimit(&size, cudaLimitStackSize));
  std::printf("stack at least 1024: %d\n", size >= 1024);
  SHOW_ERROR(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1));
  cudaGetLastError();
}

CASE(versions) {
  int driver = 0, runtime = 0;
  CHECKED(cudaDriverGetVersion(&driver));
  CHECKED(cudaRuntimeGetVersion(&runtime));
  std::printf("driver not older than runtime: %d, runtime at least 12: %d\n", driver >= runtime,
              runtime >= 12000);
}
