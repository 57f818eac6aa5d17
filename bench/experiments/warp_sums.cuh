// The sum of a warp's 32 values: by shuffles in several ways, and through shared memory.
#pragma once
#include <heddle/core/lane.cuh>

#include "support/calls.cuh"

namespace heddle_bench {

// ---- by shuffles

// The result is in every lane.
struct sum_by_xor {
  __device__ float operator()(float value) const {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      value += __shfl_xor_sync(~0u, value, distance);
    }
    return value;
  }
};
// The result is in lane 0; the others hold sums of fewer lanes.
struct sum_by_down {
  __device__ float operator()(float value) const {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      value += __shfl_down_sync(~0u, value, static_cast<unsigned>(distance));
    }
    return value;
  }
};
struct sum_by_down_and_broadcast {
  __device__ float operator()(float value) const {
    return __shfl_sync(~0u, sum_by_down{}(value), 0);
  }
};
// Like sum_by_xor, as a loop that is not unrolled.
struct sum_by_rolled_xor {
  __device__ float operator()(float value) const {
#pragma unroll 1
    for (int distance = 16; distance > 0; distance /= 2) {
      value += __shfl_xor_sync(~0u, value, distance);
    }
    return value;
  }
};

// ---- through shared memory: 32 slots for each warp, not shared with other warps

__device__ inline float* own_slots() {
  __shared__ alignas(16) float slots[warp_bench_threads];
  return slots + threadIdx.x / heddle::warp_size * heddle::warp_size;
}

// The steps of sum_by_xor, each through shared memory.
struct sum_by_shared_exchange {
  __device__ float operator()(float value) const {
    float* const slots = own_slots();
    const int lane = heddle::lane_id();
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      slots[lane] = value;
      __syncwarp();
      value += slots[lane ^ distance];
      __syncwarp();  // all lanes have read before any lane writes again
    }
    return value;
  }
};
// The tree of the textbooks: each step halves the number of active lanes.
struct sum_by_shared_tree {
  __device__ float operator()(float value) const {
    float* const slots = own_slots();
    const int lane = heddle::lane_id();
    slots[lane] = value;
    __syncwarp();
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      if (lane < distance) slots[lane] += slots[lane + distance];
      __syncwarp();
    }
    value = slots[0];
    __syncwarp();
    return value;
  }
};
// Every lane reads all 32 values, four at a time: one store, and eight loads that are broadcasts.
struct sum_by_shared_reading {
  __device__ float operator()(float value) const {
    float* const slots = own_slots();
    slots[heddle::lane_id()] = value;
    __syncwarp();
    float sums[4] = {};
#pragma unroll
    for (int i = 0; i < heddle::warp_size; i += 4) {
      const float4 four = *reinterpret_cast<const float4*>(slots + i);
      sums[0] += four.x;
      sums[1] += four.y;
      sums[2] += four.z;
      sums[3] += four.w;
    }
    __syncwarp();
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
  }
};

// ---- the same in a kernel that reads memory

// Every warp adds up rows of 32 floats. If the compiler cannot see that all lanes of a warp leave
// the loop together, it assumes divergence and emits slower code for each shuffle and __syncwarp. A
// vote proves convergence to it.
template <typename Sum, bool votes>
__global__ __launch_bounds__(warp_bench_threads) void sum_rows(const float* values, unsigned rows,
                                                               float* sums) {
  const unsigned warps = gridDim.x * (blockDim.x / heddle::warp_size);
  const auto lane = static_cast<unsigned>(heddle::lane_id());
  unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / heddle::warp_size;
  for (; votes ? heddle::agreed(row < rows) : row < rows; row += warps) {
    const float sum = Sum{}(values[row * heddle::warp_size + lane]);
    if (lane == 0) sums[row] = sum;
  }
}

}  // namespace heddle_bench
