// Doubles n values.
#include <cstdio>
#include <vector>

__global__ void twice(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) values[i] *= 2;
}

int main() {
  const int n = 100;
  std::vector<float> host(n, 1.5f);
  float* values;
  cudaMalloc(&values, n * sizeof(float));
  cudaMemcpy(values, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<2, 64>>>(values, n);
  cudaMemcpy(host.data(), values, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", host[n - 1]);
  cudaFree(values);
}
