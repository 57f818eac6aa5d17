// The first blocks wait until the last one begins. In each warp one lane polls and passes the
// value on with a shuffle; the other lanes read no memory.
#include <cstdio>

constexpr int blocks = 8;

__global__ void all_wait_for_the_last(unsigned* flag, unsigned* seen) {
  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x == 0) atomicExch(flag, 7u);
    return;
  }
  unsigned value = 0;
  while (value == 0) {
    if (threadIdx.x == 0) value = atomicAdd(flag, 0u);
    value = __shfl_sync(0xffffffffu, value, 0);
  }
  atomicAdd(seen, value);
}

int main() {
  unsigned *memory = nullptr, seen = 0;
  cudaMalloc(&memory, 2 * sizeof(unsigned));
  cudaMemset(memory, 0, 2 * sizeof(unsigned));
  all_wait_for_the_last<<<blocks, 32>>>(memory, memory + 1);
  cudaMemcpy(&seen, memory + 1, sizeof seen, cudaMemcpyDeviceToHost);
  std::printf("%u of %u\n", seen, (blocks - 1) * 32 * 7);
  cudaFree(memory);
  return seen == (blocks - 1) * 32 * 7 ? 0 : 1;
}
