// Sticky kernel faults: every later call of the process reports them.
#include <cassert>

#include "own_process.hpp"
#include "values.cuh"

using namespace conformance;

// Prints what calls return after a faulting kernel.
static void show_aftermath() {
  SHOW_ERROR(cudaDeviceSynchronize());
  SHOW_ERROR(cudaGetLastError());
  SHOW_ERROR(cudaDeviceSynchronize());
  void* pointer = nullptr;
  SHOW_ERROR(cudaMalloc(&pointer, 64));
  int value = 0;
  SHOW_ERROR(cudaMemcpy(&value, &value, sizeof(value), cudaMemcpyDefault));
}

__global__ void null_store(int* pointer) { pointer[threadIdx.x] = 1; }

CASE(store_through_null) {
  if (!in_own_process()) return;
  null_store<<<1, 32>>>(nullptr);
  show_aftermath();
}

__global__ void null_load(const volatile int* pointer, int* results) {
  if (threadIdx.x == 5) results[0] = *pointer;
}

CASE(load_through_null) {
  if (!in_own_process()) return;
  const buffer<int> results(1);
  null_load<<<1, 32>>>(nullptr, results);
  show_aftermath();
}

__global__ void trapping(int lane) {
  if (static_cast<int>(threadIdx.x) == lane) __trap();
}

CASE(trap_in_one_lane) {
  if (!in_own_process()) return;
  trapping<<<2, 32>>>(9);
  show_aftermath();
}

CASE(trap_in_no_lane) {
  if (!in_own_process()) return;
  trapping<<<2, 32>>>(32);
  show_aftermath();
}

__global__ void asserting(int limit) { assert(static_cast<int>(threadIdx.x) < limit); }

CASE(assertion_that_fails) {
  if (!in_own_process()) return;
  asserting<<<1, 32>>>(31);
  show_aftermath();
}

CASE(assertion_that_holds) {
  if (!in_own_process()) return;
  asserting<<<1, 32>>>(32);
  show_aftermath();
}

CASE(launch_after_a_fault) {
  if (!in_own_process()) return;
  const buffer<int> results(32);
  trapping<<<1, 32>>>(0);
  SHOW_ERROR(cudaDeviceSynchronize());
  null_store<<<1, 32>>>(results);
  SHOW_ERROR(cudaGetLastError());
  cudaStream_t stream;
  SHOW_ERROR(cudaStreamCreate(&stream));
  std::vector<int> back(32);
  SHOW_ERROR(cudaMemcpy(back.data(), results, 128, cudaMemcpyDeviceToHost));
}
