// Requests to shared memory: with 1 to 32 words of the same bank, of several widths.
#include "arrays.cuh"

// Each thread fills four words without bank conflicts and reads one with the given stride.
template <int words>
__device__ void read_with_stride(const float* in, float* out) {
  __shared__ float tile[threads * 4];
#pragma unroll 1
  for (int k = 0; k < 4; ++k) tile[threadIdx.x + k * threads] = in[threadIdx.x + k * threads];
  __syncthreads();
  out[global_thread()] = tile[threadIdx.x % 32 * words];
}

__global__ void ways_1(const float* in, float* out) { read_with_stride<1>(in, out); }
__global__ void ways_2(const float* in, float* out) { read_with_stride<2>(in, out); }
__global__ void ways_4(const float* in, float* out) { read_with_stride<4>(in, out); }
__global__ void ways_8(const float* in, float* out) { read_with_stride<8>(in, out); }
__global__ void ways_16(const float* in, float* out) { read_with_stride<16>(in, out); }
__global__ void ways_32(const float* in, float* out) { read_with_stride<32>(in, out); }
__global__ void odd_stride(const float* in, float* out) { read_with_stride<31>(in, out); }

__global__ void same_word(const float* in, float* out) {
  __shared__ float tile[threads];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_thread()] = tile[threadIdx.x / 32];
}

// A column of a tile of 32 columns, and of one that is padded to 33.
__global__ void column(const float* in, float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x % 32][threadIdx.x / 32] = in[threadIdx.x];
  __syncthreads();
  out[global_thread()] = tile[threadIdx.x / 32][threadIdx.x % 32];
}
__global__ void padded_column(const float* in, float* out) {
  __shared__ float tile[32][33];
  tile[threadIdx.x % 32][threadIdx.x / 32] = in[threadIdx.x];
  __syncthreads();
  out[global_thread()] = tile[threadIdx.x / 32][threadIdx.x % 32];
}

__global__ void pairs(const float2* in, float2* out) {
  __shared__ float2 tile[threads];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_thread()] = tile[threads - 1 - threadIdx.x];
}
__global__ void quads(const float4* in, float4* out) {
  __shared__ float4 tile[threads];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_thread()] = tile[threads - 1 - threadIdx.x];
}
// Every second element of 8 bytes: two words of each bank in each half of a warp.
__global__ void pairs_with_stride(const float2* in, float2* out) {
  __shared__ float2 tile[threads * 2];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + threads] = in[threadIdx.x + threads];
  __syncthreads();
  out[global_thread()] = tile[threadIdx.x * 2];
}
__global__ void small_elements(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char tile[threads];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_thread()] = tile[threads - 1 - threadIdx.x];
}

int main() {
  const auto* in = zeros<float>(count * 4);
  auto* out = zeros<float>(count * 4);
  ways_1<<<blocks, threads>>>(in, out);
  ways_2<<<blocks, threads>>>(in, out);
  ways_4<<<blocks, threads>>>(in, out);
  ways_8<<<blocks, threads>>>(in, out);
  ways_16<<<blocks, threads>>>(in, out);
  ways_32<<<blocks, threads>>>(in, out);
  odd_stride<<<blocks, threads>>>(in, out);
  same_word<<<blocks, threads>>>(in, out);
  column<<<blocks, threads>>>(in, out);
  padded_column<<<blocks, threads>>>(in, out);
  const auto* in_2 = reinterpret_cast<const float2*>(in);
  auto* out_2 = reinterpret_cast<float2*>(out);
  pairs<<<blocks, threads>>>(in_2, out_2);
  pairs_with_stride<<<blocks, threads>>>(in_2, out_2);
  quads<<<blocks, threads>>>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out));
  small_elements<<<blocks, threads>>>(reinterpret_cast<const unsigned char*>(in),
                                      reinterpret_cast<unsigned char*>(out));
  return wait_for_all();
}
