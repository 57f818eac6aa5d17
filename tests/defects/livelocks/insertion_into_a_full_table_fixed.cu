// Inserts one key per thread into a hash table with linear probing.
#include <cstdio>

constexpr unsigned slots = 64;
__device__ unsigned table[slots];
__managed__ int inserted;

__global__ void insert() {
  const unsigned key = threadIdx.x + 1;
  unsigned slot = key * 2654435761u % slots;
  while (true) {
    const unsigned before = atomicCAS(&table[slot], 0u, key);
    if (before == 0 || before == key) break;
    slot = (slot + 1) % slots;
  }
  atomicAdd(&inserted, 1);
}

int main() {
  insert<<<1, 40>>>();
  cudaDeviceSynchronize();
  printf("%d\n", inserted);
}
