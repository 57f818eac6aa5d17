// Counts the edges at each vertex; each thread has the edge that starts at its own vertex.
#include <cstdio>

constexpr int vertices = 64;
__managed__ int degree[vertices];

__global__ void count_edges() {
  const int source = threadIdx.x;
  const int target = (source * 5 + 3) % vertices;
  atomicAdd(&degree[source], 1);
  atomicAdd(&degree[target], 1);
}

int main() {
  count_edges<<<1, vertices>>>();
  cudaDeviceSynchronize();
  int sum = 0;
  for (int one : degree) sum += one;
  printf("%d\n", sum);
}
