// One warp fills a stage in shared memory; the other waits for it and sums it.
#include <cstdio>

__managed__ int result;

__global__ void load_and_compute() {
  __shared__ int stage[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    stage[lane] = 2 * lane;
    __barrier_sync(1);
  } else {
    __barrier_sync(1);
    const int sum = __reduce_add_sync(0xffffffff, stage[lane]);
    if (lane == 0) result = sum;
  }
}

int main() {
  load_and_compute<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", result);
}
