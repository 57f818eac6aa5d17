// Checks whether a key is among 64 values.
#include <cstdio>

__managed__ int values[64];
__managed__ bool answer;

__global__ void contains(int key) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (values[threadIdx.x] == key) atomicExch(&found, 1);
  __syncthreads();
  if (threadIdx.x == 0) answer = found;
}

int main() {
  for (int i = 0; i < 64; ++i) values[i] = i % 10;
  contains<<<1, 64>>>(7);
  cudaDeviceSynchronize();
  printf("%s\n", answer ? "yes" : "no");
}
