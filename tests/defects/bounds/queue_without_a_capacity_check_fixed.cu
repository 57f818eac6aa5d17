// Collects the odd numbers below 64 in a queue.
#include <cstdio>

constexpr int capacity = 24;
__managed__ int pushed;

__global__ void collect(int* queue) {
  const int i = threadIdx.x;
  if (i % 2 == 1) {
    const int slot = atomicAdd(&pushed, 1);
    if (slot < capacity) queue[slot] = i;
  }
}

int main() {
  int* queue;
  cudaMalloc(&queue, capacity * sizeof(int));
  collect<<<1, 64>>>(queue);
  cudaDeviceSynchronize();
  printf("%d pushed, room for %d\n", pushed, capacity);
  cudaFree(queue);
}
