// Lanes allocate cells from a free list, use them and return them to the list.
#include <cuda/atomic>

#include <cstdio>

constexpr int cells = 6;
using handle = unsigned;
template <typename T>
using device_atomic = cuda::atomic<T, cuda::thread_scope_device>;
__device__ device_atomic<handle> first_free{0};
__device__ device_atomic<unsigned> next_free[cells];
__managed__ unsigned uses[cells];

__global__ void chain_cells() { next_free[threadIdx.x] = threadIdx.x + 1; }

__device__ handle follow(handle, unsigned cell) { return cell; }

__device__ unsigned allocate() {
  while (true) {
    handle old = first_free.load();
    const unsigned cell = static_cast<unsigned>(old);
    if (cell == cells) return cell;
    const handle next = follow(old, next_free[cell].load());
    if (first_free.compare_exchange_strong(old, next)) return cell;
  }
}

__device__ void release(unsigned cell) {
  while (true) {
    handle seen = first_free.load();
    next_free[cell].store(static_cast<unsigned>(seen));
    if (first_free.compare_exchange_strong(seen, follow(seen, cell))) return;
  }
}

__global__ void use_cells() {
  for (int round = 0; round < 8; ++round) {
    const unsigned one = allocate();
    const unsigned two = allocate();
    if (one < cells) atomicAdd(&uses[one], 1u);
    if (two < cells) atomicAdd(&uses[two], 1u);
    if (one < cells) release(one);
    if (two < cells) release(two);
  }
}

int main() {
  chain_cells<<<1, cells>>>();
  use_cells<<<1, 3>>>();
  cudaDeviceSynchronize();
  unsigned used = 0;
  for (unsigned count : uses) used += count;
  printf("%u\n", used);
}
