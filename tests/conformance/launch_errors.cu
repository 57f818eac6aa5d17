// Launches that CUDA rejects, and the errors that the runtime returns for them.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void mark(int* cell) { atomicAdd(cell, 1); }

// Prints the error of a launch with this shape, and whether the kernel ran; it must not.
static void show_refusal(const char* label, dim3 grid, dim3 block, std::size_t shared = 0) {
  const buffer<int> cell(1, 0);
  mark<<<grid, block, shared>>>(cell);
  const cudaError_t error = cudaGetLastError();
  std::printf("%s: %s, then %s\n", label, cudaGetErrorName(error),
              cudaGetErrorName(cudaGetLastError()));
  std::printf("ran %d times\n", cell.read()[0]);
}

CASE(no_threads_or_no_blocks) {
  show_refusal("no threads", 1, 0);
  show_refusal("no blocks", 0, 32);
  show_refusal("no threads in y", 1, dim3(32, 0, 1));
  show_refusal("no blocks in z", dim3(1, 1, 0), 32);
}

CASE(too_many_threads) {
  show_refusal("1025", 1, 1025);
  show_refusal("33 by 32", 1, dim3(33, 32));
  show_refusal("65 deep", 1, dim3(1, 1, 65));
  show_refusal("2048 high", 1, dim3(1, 2048));
}

CASE(too_many_blocks) {
  show_refusal("65536 in y", dim3(1, 65536), 1);
  show_refusal("65536 in z", dim3(1, 1, 65536), 1);
  show_refusal("2^31 in x", dim3(0x80000000u), 1);
}

CASE(largest_block_is_accepted) {
  show_refusal("1024", 1, 1024);
  show_refusal("8 by 8 by 16", 1, dim3(8, 8, 16));
  show_refusal("64 deep", 1, dim3(1, 1, 64));
}

CASE(too_much_shared_memory) {
  show_refusal("48 kilobytes", 1, 32, 48 * 1024);
  show_refusal("one byte more", 1, 32, 48 * 1024 + 1);
  show_refusal("a gigabyte", 1, 32, std::size_t{1} << 30);
}

__global__ void static_shared(int* cell) {
  __shared__ volatile int values[11 * 1024];
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  atomicAdd(cell, values[31 - threadIdx.x]);
}

CASE(static_and_dynamic_shared_memory_count_together) {
  const buffer<int> cell(1, 0);
  static_shared<<<1, 32, 4 * 1024>>>(cell);
  SHOW_ERROR(cudaGetLastError());
  static_shared<<<1, 32, 4 * 1024 + 4>>>(cell);
  SHOW_ERROR(cudaGetLastError());
  show("sum", cell);
}

__global__ void opted_in(int* cell) {
  extern __shared__ int opted_in_values[];
  opted_in_values[threadIdx.x] = 1;
  __syncthreads();
  atomicAdd(cell, opted_in_values[31 - threadIdx.x]);
}

CASE(shared_memory_by_attribute) {
  const buffer<int> cell(1, 0);
  opted_in<<<1, 32, 64 * 1024>>>(cell);
  SHOW_ERROR(cudaGetLastError());
  SHOW_ERROR(
      cudaFuncSetAttribute(opted_in, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
  opted_in<<<1, 32, 64 * 1024>>>(cell);
  SHOW_ERROR(cudaGetLastError());
  opted_in<<<1, 32, 64 * 1024 + 16>>>(cell);
  SHOW_ERROR(cudaGetLastError());
  SHOW_ERROR(cudaFuncSetAttribute(opted_in, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  SHOW_ERROR(cudaGetLastError());
  show("sum", cell);
}

__global__ void __launch_bounds__(64) bounded(int* cell) { atomicAdd(cell, 1); }

CASE(more_threads_than_launch_bounds) {
  const buffer<int> cell(1, 0);
  bounded<<<1, 64>>>(cell);
  SHOW_ERROR(cudaGetLastError());
  bounded<<<1, 96>>>(cell);
  SHOW_ERROR(cudaGetLastError());
  show("ran", cell);
}

CASE(peek_keeps_and_get_clears) {
  const buffer<int> cell(1, 0);
  mark<<<1, 5000>>>(cell);
  SHOW_ERROR(cudaPeekAtLastError());
  SHOW_ERROR(cudaPeekAtLastError());
  mark<<<1, 1>>>(cell);  // a successful launch does not clear the error
  SHOW_ERROR(cudaGetLastError());
  SHOW_ERROR(cudaPeekAtLastError());
  show("ran", cell);
}

CASE(launch_call_returns_the_error) {
  const buffer<int> cell(1, 0);
  int* pointer = cell;
  void* arguments[] = {&pointer};
  SHOW_ERROR(cudaLaunchKernel((const void*)mark, dim3(1), dim3(2000), arguments, 0, nullptr));
  SHOW_ERROR(cudaGetLastError());
  SHOW_ERROR(cudaLaunchKernel((const void*)mark, dim3(2), dim3(20), arguments, 0, nullptr));
  SHOW_ERROR(cudaGetLastError());
  show("ran", cell);
}

CASE(names_and_texts_of_errors) {
  for (const cudaError_t error :
       {cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation,
        cudaErrorInvalidConfiguration, cudaErrorInvalidMemcpyDirection, cudaErrorInvalidDevice,
        cudaErrorInvalidResourceHandle, cudaErrorNotReady, cudaErrorIllegalAddress,
        cudaErrorLaunchOutOfResources, cudaErrorLaunchTimeout, cudaErrorAssert,
        cudaErrorLaunchFailure, cudaErrorMisalignedAddress, cudaErrorCooperativeLaunchTooLarge,
        cudaErrorInvalidSymbol, cudaErrorUnknown})
    std::printf("%d %s, with a text: %d\n", static_cast<int>(error), cudaGetErrorName(error),
                std::strlen(cudaGetErrorString(error)) > 5);
}
