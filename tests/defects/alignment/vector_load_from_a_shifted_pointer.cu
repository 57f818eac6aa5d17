// Sums a signal, starting at its second sample, four samples at a time.
#include <cstdio>

__managed__ float total;

__global__ void sum(const float* samples) {
  const float4 four = reinterpret_cast<const float4*>(samples)[threadIdx.x];
  atomicAdd(&total, four.x + four.y + four.z + four.w);
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
