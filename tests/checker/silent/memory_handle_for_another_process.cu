// The runtime moves memory when another process is to map it. That is no access by the host.
#include <cstdio>

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }

int main() {
  int* values;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMemset(values, 0, 256 * sizeof(int));
  add<<<1, 256>>>(values, 1);
  cudaIpcMemHandle_t handle;
  if (cudaIpcGetMemHandle(&handle, values) != cudaSuccess) return 1;
  add<<<1, 256>>>(values, 2);
  int last;
  cudaMemcpy(&last, values + 255, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%d\n", last);
  cudaFree(values);
  return last == 3 ? 0 : 1;
}
