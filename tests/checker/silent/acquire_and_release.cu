// A chain of blocks passes on a sum with acquire and release operations on plain integers.
#include <cuda/atomic>

#include <cstdio>

constexpr int blocks = 4;
__device__ int turn;
__managed__ int sum;

__global__ void add_in_turn() {
  cuda::atomic_ref<int, cuda::thread_scope_device> whose_turn(turn);
  while (whose_turn.load(cuda::memory_order_acquire) != blockIdx.x) {
  }
  sum = sum * 10 + blockIdx.x;
  whose_turn.store(blockIdx.x + 1, cuda::memory_order_release);
}

int main() {
  add_in_turn<<<blocks, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", sum);
}
