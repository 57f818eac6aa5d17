// Increments 16384 keys and reverses their order in dynamic shared memory.
#include <cstdio>

constexpr int keys = 16384;
__managed__ int data[keys];

__global__ void pass_through() {
  extern __shared__ int scratch[];
  for (int i = threadIdx.x; i < keys; i += blockDim.x) scratch[i] = data[i] + 1;
  __syncthreads();
  for (int i = threadIdx.x; i < keys; i += blockDim.x) data[i] = scratch[keys - 1 - i];
}

int main() {
  const int bytes = keys * sizeof(int);
  pass_through<<<1, 256, bytes>>>();
  cudaDeviceSynchronize();
  printf("%d\n", data[0]);
}
