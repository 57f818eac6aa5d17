// The allocation is rounded up to whole vectors; elements after the end are loaded but not used.
#include <cstdio>
#include <vector>

__managed__ float total;

__global__ void sum(const float4* numbers, int n) {
  const int first = 4 * threadIdx.x;
  if (first >= n) return;
  const float4 four = numbers[threadIdx.x];
  float mine = four.x;
  if (first + 1 < n) mine += four.y;
  if (first + 2 < n) mine += four.z;
  if (first + 3 < n) mine += four.w;
  atomicAdd(&total, mine);
}

int main() {
  const int n = 102;
  std::vector<float> host(n, 1.0f);
  float* numbers;
  cudaMalloc(&numbers, (n + 3) / 4 * sizeof(float4));
  cudaMemcpy(numbers, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(reinterpret_cast<float4*>(numbers), n);
  cudaDeviceSynchronize();
  printf("%f\n", total);
  cudaFree(numbers);
}
