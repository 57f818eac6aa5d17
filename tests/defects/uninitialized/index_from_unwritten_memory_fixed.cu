// Gathers values in an order that another kernel has written.
#include <cstdio>

constexpr int n = 64;
__managed__ int values[n], gathered[n];

__global__ void write_order(int* order, int count) {
  if (threadIdx.x < count) order[threadIdx.x] = count - 1 - threadIdx.x;
}

__global__ void gather(const int* order) {
  const int from = order[threadIdx.x];
  gathered[threadIdx.x] = values[unsigned(from) % n];
}

int main() {
  for (int i = 0; i < n; ++i) values[i] = 10 * i;
  int* order;
  cudaMalloc(&order, n * sizeof(int));
  write_order<<<1, n>>>(order, n);
  gather<<<1, n>>>(order);
  cudaDeviceSynchronize();
  printf("%d %d\n", gathered[0], gathered[n - 1]);
  cudaFree(order);
}
