// Arrays and launch shape of the profiled kernels: 32 warps in 4 blocks, so each warp-wide access
// is 32 requests.
#pragma once
#include <cstdio>
#include <cstdlib>

inline constexpr int blocks = 4;
inline constexpr int threads = 256;
inline constexpr int count = blocks * threads;

inline void end_at_error(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

// Device memory filled with zeros.
template <typename T>
T* zeros(std::size_t elements) {
  T* memory = nullptr;
  end_at_error(cudaMalloc(&memory, elements * sizeof(T)));
  end_at_error(cudaMemset(memory, 0, elements * sizeof(T)));
  return memory;
}

inline int wait_for_all() {
  end_at_error(cudaGetLastError());
  end_at_error(cudaDeviceSynchronize());
  return 0;
}

__device__ inline int global_thread() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}
