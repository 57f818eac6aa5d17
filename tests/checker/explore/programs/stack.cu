// Lanes of different warps pop nodes from a shared stack and push them back. Each of LANES lanes
// does OPERATIONS operations; with TAGGED the head counts its changes.
#include <cstdio>

#ifndef LANES
#define LANES 2
#endif
#ifndef OPERATIONS
#define OPERATIONS 2
#endif

#ifdef TAGGED
using word = unsigned long long;
__device__ int node_of(word top) { return static_cast<int>(top & 0xffffffff); }
__device__ word replace(word top, int node) { return ((top >> 32) + 1) << 32 | unsigned(node); }
#else
using word = int;
__device__ int node_of(word top) { return top; }
__device__ word replace(word, int node) { return node; }
#endif

__device__ word head = 1;  // 0: the stack is empty
__device__ volatile int below[] = {0, 2, 3, 0};
__device__ int nodes_left;

__device__ word load_head() { return *static_cast<volatile word*>(&head); }

__device__ int pop() {
  while (true) {
    const word top = load_head();
    const int node = node_of(top);
    if (node == 0) return 0;
    __threadfence();
    const word next = replace(top, below[node]);
    __threadfence();
    if (atomicCAS(&head, top, next) == top) return node;
  }
}

__device__ void push(int node) {
  while (true) {
    const word old = load_head();
    __threadfence();
    below[node] = node_of(old);
    __threadfence();
    if (atomicCAS(&head, old, replace(old, node)) == old) return;
  }
}

__global__ void borrow() {
  if (threadIdx.x % 32 != 0) return;
  int first = pop();
  const int second = OPERATIONS > 2 ? pop() : 0;
  if (first != 0) push(first);
  if (OPERATIONS > 3 && second != 0) push(second);
}

__global__ void count_nodes() {
  while (nodes_left < 9 && pop() != 0) nodes_left = nodes_left + 1;
}

int main() {
  borrow<<<1, 32 * LANES>>>();
  count_nodes<<<1, 1>>>();
  int left = 0;
  cudaMemcpyFromSymbol(&left, nodes_left, sizeof left);
  printf("%d nodes\n", left);
}
