// Fills an array in one stream and sums it in another.
#include <cstdio>

__global__ void fill(int* numbers) { numbers[threadIdx.x] = threadIdx.x; }

__global__ void sum(const int* numbers, int* total) { atomicAdd(total, numbers[threadIdx.x]); }

int main() {
  int *numbers, *total;
  cudaMalloc(&numbers, 128 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  fill<<<1, 128, 0, first>>>(numbers);
  cudaStreamSynchronize(first);
  sum<<<1, 128, 0, second>>>(numbers, total);
  int result;
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(numbers);
  cudaFree(total);
}
