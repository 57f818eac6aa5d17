// The first hundred threads take their right neighbour's value; the others keep their own.
#include <cstdio>

__managed__ int result[128];

__global__ void shift() {
  __shared__ int values[128];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int next = 0;
  if (threadIdx.x < 100) {
    next = values[threadIdx.x + 1];
    result[threadIdx.x] = next;
  }
  __syncthreads();  // all results are there
  if (threadIdx.x >= 100) result[threadIdx.x] = values[threadIdx.x];
}

int main() {
  shift<<<1, 128>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[127]);
}
