// Two blocks increment a counter without an atomic update.
#include <cstdio>

__device__ volatile int counter;

__global__ void count() {
  const int before = counter;
  counter = before + 1;
}

int main() {
  count<<<2, 1>>>();
  int result = 0;
  cudaMemcpyFromSymbol(&result, const_cast<int&>(counter), sizeof result);
  printf("%d\n", result);
}
