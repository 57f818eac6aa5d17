// Deposits money into an account under a ticket lock.
#include <cstdio>

__device__ unsigned next_ticket;
__device__ unsigned now_serving;
__managed__ long long balance;

__device__ void lock() {
  const unsigned ticket = atomicAdd(&next_ticket, 1);
  while (atomicAdd(&now_serving, 0) != ticket) __nanosleep(20);
  __threadfence();
}

__device__ void unlock() {
  __threadfence();
  atomicAdd(&now_serving, 1);
}

__global__ void deposit() {
  if (threadIdx.x % 32 != 0) return;
  lock();
  balance += 10;
  unlock();
}

int main() {
  deposit<<<4, 64>>>();
  cudaDeviceSynchronize();
  printf("%lld\n", balance);
}
