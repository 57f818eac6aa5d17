// One block sends a number to the other, with a flag that says that the number is ready.
#include <cuda/atomic>

#include <cstdio>

constexpr auto scope = cuda::thread_scope_device;
__device__ int sent;
__device__ int message;
__managed__ int received;

__global__ void send_and_receive() {
  cuda::atomic_ref<int, scope> flag(sent);
  if (blockIdx.x == 0) {
    message = 42;
    flag.store(1, cuda::memory_order_release);
  } else {
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
    received = message;
  }
}

int main() {
  send_and_receive<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", received);
}
