// Propagates the smallest labels along the edges of a graph until nothing changes.
#include <cstdio>

constexpr int vertices = 64;
__managed__ int label[vertices];
__managed__ int changed;

__global__ void spread() {
  const int from = threadIdx.x;
  const int to = (from * 7 + 1) % vertices;
  const int mine = atomicAdd(&label[from], 0), theirs = atomicAdd(&label[to], 0);
  if (mine < theirs) {
    atomicMin(&label[to], mine);
    atomicExch(&changed, 1);
  }
}

int main() {
  for (int i = 0; i < vertices; ++i) label[i] = i;
  do {
    changed = 0;
    spread<<<1, vertices>>>();
    cudaDeviceSynchronize();
  } while (changed);
  printf("%d %d\n", label[0], label[vertices - 1]);
}
