// Counts the nodes of linked lists; -1 ends a list.
#include <cstdio>

constexpr int nodes = 64;
__managed__ int next[nodes], lengths[32];

__global__ void count_nodes() {
  int length = 0;
  for (int node = threadIdx.x; node != -1; node = next[node]) {
    ++length;
  }
  lengths[threadIdx.x] = length;
}

int main() {
  for (int i = 0; i < nodes; ++i) next[i] = i + 1;
  next[nodes - 1] = -1;
  count_nodes<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", lengths[0], lengths[31]);
}
