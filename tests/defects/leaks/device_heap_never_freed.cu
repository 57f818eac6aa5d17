// Every thread finds the largest value of its row, in a temporary array on the device heap.
#include <cstdio>

__managed__ int largest[32];

__global__ void find_largest() {
  int* row = static_cast<int*>(malloc(16 * sizeof(int)));
  for (int i = 0; i < 16; ++i) row[i] = (threadIdx.x * 31 + i * 17) % 101;
  int best = 0;
  for (int i = 0; i < 16; ++i) best = max(best, row[i]);
  largest[threadIdx.x] = best;
}

int main() {
  find_largest<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", largest[0]);
}
