// A kernel scales an array and lets a child grid add the scaled elements; then it clears the array.
#include <cstdio>

constexpr int count = 64;

__global__ void add(const int* values, int* sum) { atomicAdd(sum, values[threadIdx.x]); }

__global__ void scale(int* values, int* sum) {
  for (int i = 0; i < count; ++i) values[i] *= 3;
  add<<<1, count>>>(values, sum);
  for (int i = 0; i < count; ++i) values[i] = 0;
}

int main() {
  int *values = nullptr, *sum = nullptr, host[count], result = 0;
  for (int i = 0; i < count; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&sum, sizeof result);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof result);
  scale<<<1, 1>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
}
