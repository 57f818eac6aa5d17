// Threads add to an account under a ticket lock with the right fences.
#include <cstdio>

__device__ unsigned next_ticket, now_serving;
__managed__ int deposits[2];

__global__ void deposit() {
  const unsigned ticket = atomicAdd(&next_ticket, 1);
  while (*static_cast<volatile unsigned*>(&now_serving) != ticket) __nanosleep(10);
  __threadfence();
  deposits[0] += 1;
  deposits[1] += deposits[0];
  __threadfence();
  atomicAdd(&now_serving, 1);
}

int main() {
  deposit<<<2, 8>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", deposits[0], deposits[1]);
}
