// Hands out 40 slots to the first threads that ask.
#include <cstdio>

constexpr int slots = 40;
__managed__ int owner[slots];
__managed__ int taken;

__global__ void take_slots() {
  if (taken >= slots) return;
  const int slot = atomicAdd(&taken, 1);
  if (slot < slots) owner[slot] = 1;
}

int main() {
  take_slots<<<2, 64>>>();
  cudaDeviceSynchronize();
  int owned = 0;
  for (int one : owner) owned += one;
  printf("%d\n", owned);
}
