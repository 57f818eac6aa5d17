// The indices of a thread, and values that differ between threads and between blocks.
#pragma once

namespace conformance {

inline constexpr unsigned full_mask = 0xffffffffu;

// The mask shapes of the systematic cases: full, half, odd lanes, one lane, 13 lanes, {0, 5, 31}.
#define MASK_SHAPES \
  { 0xffffffffu, 0x0000ffffu, 0xaaaaaaaau, 0x00000400u, 0x62949253u, 0x80000021u }

__host__ __device__ inline unsigned mix(unsigned x) {
  x = (x + 0x3c6ef372u) * 0x9e3779b1u;
  x ^= x >> 15;
  x *= 0xc2b2ae3du;
  x ^= x >> 13;
  return x;
}
__host__ __device__ inline unsigned long long mix64(unsigned x) {
  return static_cast<unsigned long long>(mix(x ^ 0x5bd1e995u)) << 32 | mix(x);
}

__device__ inline unsigned rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline unsigned lane_id() { return rank_in_block() % 32; }
__device__ inline unsigned warp_id() { return rank_in_block() / 32; }
__device__ inline unsigned block_rank() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
__device__ inline unsigned threads_in_block() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned rank_in_grid() {
  return block_rank() * threads_in_block() + rank_in_block();
}
__device__ inline unsigned grid_size() { return gridDim.x * blockDim.x; }  // of one dimension
__device__ inline bool names(unsigned mask, unsigned lane) { return mask >> lane & 1; }

}  // namespace conformance
