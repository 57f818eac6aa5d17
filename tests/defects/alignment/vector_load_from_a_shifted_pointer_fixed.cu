// Sums a signal, starting at its second sample, four samples at a time.
#include <cstdio>

__managed__ float total;

__global__ void sum(const float* samples) {
  const float* four = samples + 4 * threadIdx.x;
  atomicAdd(&total, four[0] + four[1] + four[2] + four[3]);
}

int main() {
  const int n = 132;
  float host[n];
  for (int i = 0; i < n; ++i) host[i] = 1.0f;
  float* signal;
  cudaMalloc(&signal, sizeof(host));
  cudaMemcpy(signal, host, sizeof(host), cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(signal + 1);
  cudaDeviceSynchronize();
  printf("%f\n", total);
  cudaFree(signal);
}
