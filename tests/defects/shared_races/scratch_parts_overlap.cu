// Sums and counts the positive ones of 64 numbers in dynamic shared memory.
#include <cstdio>

constexpr int threads = 64;
__managed__ float sum;
__managed__ int count;

__global__ void sum_and_count(const float* numbers) {
  extern __shared__ unsigned char scratch[];
  float* sums = reinterpret_cast<float*>(scratch);
  int* counts = reinterpret_cast<int*>(scratch + threads);
  const float number = numbers[threadIdx.x];
  sums[threadIdx.x] = number > 0 ? number : 0;
  counts[threadIdx.x] = number > 0 ? 1 : 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < threads; ++i) sum += sums[i];
    for (int i = 0; i < threads; ++i) count += counts[i];
  }
}

int main() {
  float host[threads];
  for (int i = 0; i < threads; ++i) host[i] = i - 20.0f;
  float* numbers;
  cudaMalloc(&numbers, sizeof(host));
  cudaMemcpy(numbers, host, sizeof(host), cudaMemcpyHostToDevice);
  sum_and_count<<<1, threads, threads*(sizeof(float) + sizeof(int))>>>(numbers);
  cudaDeviceSynchronize();
  printf("%f %d\n", sum, count);
  cudaFree(numbers);
}
