// One kernel pushes, the next one pops: the head comes back to old values, but no node is reused.
#include <cstdio>

constexpr int nodes = 64;
__device__ int head;  // 0: empty
__device__ int below[nodes + 1];
__managed__ int popped[nodes + 1];

__global__ void push_all() {
  const int node = threadIdx.x + 1;
  int top = *static_cast<volatile int*>(&head);
  while (true) {
    below[node] = top;
    const int before = atomicCAS(&head, top, node);
    if (before == top) return;
    top = before;
  }
}

__global__ void pop_all() {
  int top = *static_cast<volatile int*>(&head);
  while (true) {
    const int before = atomicCAS(&head, top, below[top]);
    if (before == top) break;
    top = before;
  }
  popped[top] += 1;
}

int main() {
  push_all<<<1, nodes>>>();
  pop_all<<<1, nodes>>>();
  cudaDeviceSynchronize();
  int sum = 0;
  for (int times : popped) sum += times;
  printf("%d\n", sum);
}
