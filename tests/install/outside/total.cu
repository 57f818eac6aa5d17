// Sums numbers over two warps through shared memory; without the barrier the warps race.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void total(int factor, int* result) {
  __shared__ int values[64];
  values[threadIdx.x] = factor * static_cast<int>(threadIdx.x);
#if !WITHOUT_BARRIER
  __syncthreads();
#endif
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int value : values) sum += value;
  *result = sum;
}

int main(int count, char** words) {
  if (count != 2) {
    std::printf("one argument is expected, not %d\n", count - 1);
    return 1;
  }
  const int factor = std::atoi(words[1]);
  int* result = nullptr;
  cudaMalloc(&result, sizeof(int));
  total<<<1, 64>>>(factor, result);
  int sum = -1;
  if (cudaMemcpy(&sum, result, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  cudaFree(result);
  std::printf("the total is %d\n", sum);
#if !WITHOUT_BARRIER
  if (sum != factor * 63 * 32) return 1;
#endif
  return 0;
}
