// One block counts matches; the other waits for the count.
#include <cstdio>

__device__ int counted;
__device__ int matches;
__managed__ int result = -1;

__global__ void count_and_report(int key) {
  if (blockIdx.x == 0) {
    const int found = __popc(__ballot_sync(0xffffffff, threadIdx.x == key));
    if (threadIdx.x == 0) {
      if (found > 0) {
        matches = found;
        __threadfence();
        atomicExch(&counted, 1);
      }
    }
  } else if (threadIdx.x == 0) {
    while (atomicAdd(&counted, 0) == 0) __nanosleep(50);
    __threadfence();
    result = matches;
  }
}

int main() {
  count_and_report<<<2, 32>>>(77);
  cudaDeviceSynchronize();
  printf("%d\n", result);
}
