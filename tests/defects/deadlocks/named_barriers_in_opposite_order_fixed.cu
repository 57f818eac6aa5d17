// Two warps synchronise twice: when the input is ready and when the output is ready.
#include <cstdio>

__managed__ int result[32];

__global__ void two_roles() {
  __shared__ int input[32], output[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    input[lane] = lane;
    __barrier_sync_count(1, 64);  // the input is there
    __barrier_sync_count(2, 64);
    result[lane] = output[lane];
  } else {
    __barrier_sync_count(1, 64);  // wait before the first use
    output[lane] = 2 * input[lane];
    __barrier_sync_count(2, 64);
  }
}

int main() {
  two_roles<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", result[31]);
}
