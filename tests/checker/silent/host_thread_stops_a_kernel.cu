// A host thread waits for a kernel's first step, gives it a limit, and stops it.
#include <atomic>
#include <cstdio>
#include <thread>

__managed__ unsigned stop;
__managed__ unsigned steps;
__managed__ int limit;

__global__ void count_steps(int* seen) {
  while (atomicAdd_system(&stop, 0u) == 0) atomicAdd_system(&steps, 1u);
  __threadfence_system();
  seen[threadIdx.x] = limit;
}

int main() {
  int* seen = nullptr;
  cudaMalloc(&seen, 32 * sizeof(int));
  count_steps<<<1, 32>>>(seen);
  std::thread other([] {
    while (std::atomic_ref(steps).load(std::memory_order_relaxed) == 0) std::this_thread::yield();
    limit = 7;
    std::atomic_ref(stop).store(1, std::memory_order_release);
  });
  int result[32];
  cudaMemcpy(result, seen, sizeof result, cudaMemcpyDefault);
  other.join();
  printf("%d %d\n", result[0], result[31]);
  cudaFree(seen);
}
