// Prints the first number of a list from a kernel.
#include <cstdio>

__global__ void print_first(const int* list) { printf("%d\n", list[0]); }

int main() {
  int* list;
  cudaMalloc(&list, 16 * sizeof(int));
  cudaMemset(list, 0, 16 * sizeof(int));
  print_first<<<1, 1>>>(list);
  cudaDeviceSynchronize();
  cudaFree(list);
}
