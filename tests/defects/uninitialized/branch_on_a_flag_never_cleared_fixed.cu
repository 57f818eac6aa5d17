// Finds the position of a key among 128 values, or -1 if it is not there.
#include <cstdio>

__managed__ int values[128];
__managed__ int place;

__global__ void find(int key) {
  __shared__ int found;
  if (threadIdx.x == 0) found = -1;
  __syncthreads();
  if (values[threadIdx.x] == key) found = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) place = found;
}

int main() {
  for (int i = 0; i < 128; ++i) values[i] = 3 * i;
  find<<<1, 128>>>(100);
  cudaDeviceSynchronize();
  printf("%d\n", place);
}
