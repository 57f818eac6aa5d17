// Blocks pop two nodes from a common stack and push them back. They read the head of the stack
// with an atomic addition of zero.
#include <cstdio>

using word = int;
__device__ word head = 1;  // 0: the stack is empty
__device__ volatile int below[] = {0, 2, 3, 4, 5, 0};
__managed__ int nodes_left;

__device__ word load_head() { return atomicAdd(&head, 0); }
__device__ int node_of(word top) { return top; }
__device__ word replace(word, int node) { return node; }

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

__global__ void borrow(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const int first = pop();
    const int second = pop();
    if (first != 0) push(first);
    if (second != 0) push(second);
  }
}

__global__ void count_nodes() {
  while (nodes_left < 10 && pop() != 0) ++nodes_left;
}

int main() {
  borrow<<<3, 1>>>(8);
  count_nodes<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%d of 5\n", nodes_left);
}
