// Counts rounds until the host sets a stop flag.
#include <cstdio>
#include <cuda/atomic>

__managed__ unsigned stop;
__managed__ unsigned rounds;

__global__ void count_rounds() {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(stop);
  while (flag.load(cuda::memory_order_relaxed) == 0) rounds = rounds + 1;
}

int main() {
  count_rounds<<<1, 1>>>();
  cuda::atomic_ref<unsigned, cuda::thread_scope_system> flag(stop);
  flag.store(1, cuda::memory_order_relaxed);
  cudaDeviceSynchronize();
  printf("%s\n", rounds == 0 ? "stopped before the first round" : "stopped");
}
