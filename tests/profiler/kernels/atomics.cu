// Atomic operations with 1 to 32 lanes of a warp on one address.
#include "arrays.cuh"

// The compiler cannot see that lanes share an address, so it does not aggregate the atomics.
__global__ void lanes_1(unsigned* counters) { atomicAdd(&counters[global_thread()], 1u); }
__global__ void lanes_2(unsigned* counters) { atomicAdd(&counters[global_thread() / 2], 1u); }
__global__ void lanes_8(unsigned* counters) { atomicAdd(&counters[global_thread() / 8], 1u); }
__global__ void lanes_32(unsigned* counters) { atomicAdd(&counters[global_thread() / 32], 1u); }
__global__ void spread(unsigned* counters) { atomicAdd(&counters[global_thread() * 8], 1u); }
// The CPU runtime implements this one with a load and a compare-and-swap.
__global__ void floats(float* sums) { atomicAdd(&sums[global_thread() / 4], 1.0f); }
__global__ void greatest(int* values) {
  atomicMax(&values[global_thread() / 16], static_cast<int>(threadIdx.x));
}
__global__ void old_values(unsigned* counters, unsigned* out) {
  out[global_thread()] = atomicAdd(&counters[global_thread() / 32], 1u);
}
__global__ void in_shared_memory(unsigned* out) {
  __shared__ unsigned counters[threads];
  counters[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counters[threadIdx.x / 4], 1u);
  __syncthreads();
  out[global_thread()] = counters[threadIdx.x];
}

int main() {
  auto* counters = zeros<unsigned>(count * 8);
  auto* out = zeros<unsigned>(count);
  lanes_1<<<blocks, threads>>>(counters);
  lanes_2<<<blocks, threads>>>(counters);
  lanes_8<<<blocks, threads>>>(counters);
  lanes_32<<<blocks, threads>>>(counters);
  spread<<<blocks, threads>>>(counters);
  floats<<<blocks, threads>>>(zeros<float>(count));
  greatest<<<blocks, threads>>>(zeros<int>(count));
  old_values<<<blocks, threads>>>(counters, out);
  in_shared_memory<<<blocks, threads>>>(out);
  return wait_for_all();
}
