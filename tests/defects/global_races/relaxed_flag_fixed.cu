// The first warp computes a result; the second waits for a flag and stores it for the host.
#include <cuda/atomic>

#include <cstdio>

__device__ int result;
__managed__ int printed;
__device__ cuda::atomic<int, cuda::thread_scope_device> done{0};

__global__ void compute_and_use() {
  if (threadIdx.x == 0) {
    result = 6 * 7;
    done.store(1, cuda::memory_order_release);
  } else if (threadIdx.x == 32) {
    while (done.load(cuda::memory_order_acquire) == 0) {
    }
    printed = result;
  }
}

int main() {
  compute_and_use<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", printed);
}
