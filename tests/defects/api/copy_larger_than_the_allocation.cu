// Uploads 64 numbers.
#include <cstdio>

int main() {
  double host[64] = {1.5};
  float* numbers;
  cudaMalloc(&numbers, 64 * sizeof(float));
  cudaMemcpy(numbers, host, sizeof(host), cudaMemcpyHostToDevice);
  float first = 0;
  cudaMemcpy(&first, numbers, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", first);
  cudaFree(numbers);
}
