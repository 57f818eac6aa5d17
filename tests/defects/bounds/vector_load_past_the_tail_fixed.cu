// Sums n floats, four at a time.
#include <cstdio>
#include <vector>

__global__ void sum(const float* numbers, int n, float* total) {
  const int first = 4 * threadIdx.x;
  if (first >= n) return;
  if (first + 4 > n) {
    for (int i = first; i < n; ++i) atomicAdd(total, numbers[i]);
    return;
  }
  const float4 four = *reinterpret_cast<const float4*>(numbers + first);
  float mine = four.x;
  if (first + 1 < n) mine += four.y;
  if (first + 2 < n) mine += four.z;
  if (first + 3 < n) mine += four.w;
  atomicAdd(total, mine);
}

int main() {
  const int n = 102;
  std::vector<float> host(n, 1.0f);
  float *numbers, *total, result;
  cudaMalloc(&numbers, n * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  cudaMemcpy(numbers, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(numbers, n, total);
  cudaMemcpy(&result, total, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", result);
  cudaFree(numbers);
  cudaFree(total);
}
