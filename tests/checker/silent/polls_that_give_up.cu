// Lanes poll for an answer that never comes, and give up after a fixed number of polls.
#include <cstdio>

__device__ int answer;
__managed__ int given_up;

__global__ void ask() {
  for (int tries = 0; tries < 80000; ++tries) {
    if (atomicAdd(&answer, 0) != 0) return;
  }
  atomicAdd(&given_up, 1);
}

__global__ void ask_through_volatile() {
  const volatile int* const asked = &answer;
  int tries = 0;
  while (*asked == 0 && ++tries < 80000) {
  }
  atomicAdd(&given_up, 1);
}

int main() {
  ask<<<1, 4>>>();
  ask_through_volatile<<<1, 4>>>();
  cudaDeviceSynchronize();
  printf("%d\n", given_up);
}
