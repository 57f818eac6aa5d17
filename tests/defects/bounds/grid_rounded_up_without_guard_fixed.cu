// Writes the square of every index.
#include <cstdio>

__global__ void squares(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}

int main() {
  const int n = 200;
  int* out;
  cudaMalloc(&out, n * sizeof(int));
  squares<<<(n + 63) / 64, 64>>>(out, n);
  int last;
  cudaMemcpy(&last, out + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaFree(out);
}
