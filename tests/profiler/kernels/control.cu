// Branches, loops, warp operations and barriers.
#include "arrays.cuh"

__global__ void parted(const float* in, const float* other, float* even, float* odd) {
  const int i = global_thread();
  if (threadIdx.x % 2 == 0) {
    even[i] = in[i];
  } else {
    odd[i] = other[i];
  }
}
// Whole warps take one branch.
__global__ void together(const float* in, const float* other, float* even, float* odd) {
  const int i = global_thread();
  if (threadIdx.x / 32 % 2 == 0) {
    even[i] = in[i];
  } else {
    odd[i] = other[i];
  }
}
// Lane l runs l / 8 + 1 iterations: 4 requests of 32, 24, 16 and 8 lanes.
__global__ void loops_of_different_length(const float* in, float* out) {
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k <= threadIdx.x % 32 / 8; ++k) sum += in[global_thread() + k * count];
  out[global_thread()] = sum;
}
__global__ void meetings(float* out) {
  float value = out[global_thread()];
#pragma unroll 1
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(~0u, value, distance);
  }
  __syncthreads();
  if (__any_sync(~0u, value > 0)) value = -value;
  __syncwarp();
  out[global_thread()] = value;
}

int main() {
  const auto* in = zeros<float>(count * 4);
  auto* even = zeros<float>(count);
  auto* odd = zeros<float>(count);
  parted<<<blocks, threads>>>(in, in + count, even, odd);
  together<<<blocks, threads>>>(in, in + count, even, odd);
  loops_of_different_length<<<blocks, threads>>>(in, even);
  meetings<<<blocks, threads>>>(even);
  return wait_for_all();
}
