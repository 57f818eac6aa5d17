// Computes the difference between each element and the one to its left.
#include <cstdio>

constexpr int n = 64;

__global__ void fill(int* in) { in[threadIdx.x] = threadIdx.x * threadIdx.x; }

__global__ void differences(const int* in, int* out) {
  const int i = threadIdx.x;
  out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  fill<<<1, n>>>(in);
  differences<<<1, n>>>(in, out);
  int last;
  cudaMemcpy(&last, out + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaFree(in);
  cudaFree(out);
}
