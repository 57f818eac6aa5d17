// Different atomic operations and volatile reads of one word do not race.
#include <cstdio>

__managed__ int word;
__managed__ int seen[64];

__global__ void update() {
  const int i = threadIdx.x;
  if (i % 3 == 0) atomicAdd(&word, 2);
  if (i % 3 == 1) atomicSub(&word, -2);
  seen[i] = *static_cast<volatile int*>(&word) % 2;
  if (i == 63) atomicMax(&word, 0);
}

int main() {
  update<<<1, 64>>>();
  cudaDeviceSynchronize();
  int odd = 0;
  for (int one : seen) odd += one;
  printf("%d %d\n", word, odd);
}
