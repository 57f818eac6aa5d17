// Fills an array on the device and copies its last element to the host.
#include <cstdio>

struct array {
  int* data;
  int size;
};

__global__ void fill(array numbers) { numbers.data[threadIdx.x] = 7 * threadIdx.x; }

int main() {
  array numbers{nullptr, 64};
  cudaMalloc(&numbers.data, numbers.size * sizeof(int));
  fill<<<1, 64>>>(numbers);
  cudaDeviceSynchronize();
  cudaFree(numbers.data);
  int last = 0;
  cudaMemcpy(&last, numbers.data + 63, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
}
