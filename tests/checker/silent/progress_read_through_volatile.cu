// One warp counts its steps in a volatile variable; another reads it now and then.
#include <cstdio>

__managed__ int last_seen, steps_taken;

__global__ void work_and_watch() {
  __shared__ volatile int step;
  if (threadIdx.x == 0) step = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i <= 20; ++i) step = i;
    steps_taken = step;
  } else if (threadIdx.x == 32) {
    int seen = 0;
    for (int i = 0; i < 5; ++i) seen = max(seen, step);
    last_seen = seen <= 20;
  }
}

int main() {
  work_and_watch<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", steps_taken, last_seen);
}
