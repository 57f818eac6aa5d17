// A lane follows a ring of links for a fixed number of steps and reads the same values repeatedly.
#include <cstdio>

constexpr int nodes = 64;
constexpr int steps = 12'000'000;
__device__ int next[nodes];
__managed__ int reached;

__global__ void link() { next[threadIdx.x] = (threadIdx.x + 1) % nodes; }

__global__ void walk() {
  int node = 0;
  for (int i = 0; i < steps; ++i) node = next[node];
  reached = node;
}

int main() {
  link<<<1, nodes>>>();
  walk<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", reached);
}
