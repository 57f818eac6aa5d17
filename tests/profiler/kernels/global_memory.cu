// Requests to global memory: dense, strided, misaligned, of several widths.
#include "arrays.cuh"

__global__ void coalesced(const float* in, float* out) {
  out[global_thread()] = in[global_thread()];
}
__global__ void stride_2(const float* in, float* out) {
  out[global_thread()] = in[global_thread() * 2];
}
__global__ void stride_4(const float* in, float* out) {
  out[global_thread()] = in[global_thread() * 4];
}
__global__ void stride_8(const float* in, float* out) {
  out[global_thread()] = in[global_thread() * 8];
}
__global__ void stride_16(const float* in, float* out) {
  out[global_thread()] = in[global_thread() * 16];
}
__global__ void stride_32(const float* in, float* out) {
  out[global_thread()] = in[global_thread() * 32];
}
__global__ void strided_stores(const float* in, float* out) {
  out[global_thread() * 4] = in[global_thread()];
}
__global__ void misaligned(const float* in, float* out) {
  out[global_thread()] = in[global_thread() + 1];
}
__global__ void backwards(const float* in, float* out) {
  out[global_thread()] = in[count - 1 - global_thread()];
}
__global__ void broadcast(const float* in, float* out) {
  out[global_thread()] = in[threadIdx.x / 32];
}
__global__ void bytes(const unsigned char* in, unsigned char* out) {
  out[global_thread()] = in[global_thread()];
}
__global__ void doubles(const double* in, double* out) {
  out[global_thread()] = in[global_thread()];
}
__global__ void vectors_of_2(const float2* in, float2* out) {
  out[global_thread()] = in[global_thread()];
}
__global__ void vectors_of_4(const float4* in, float4* out) {
  out[global_thread()] = in[global_thread()];
}
// Each lane reads four adjacent elements, so the lanes of one request are four elements apart.
__global__ void rows_of_lanes(const float* in, float* out) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 4; ++k) sum += in[global_thread() * 4 + k];
  out[global_thread()] = sum;
}
// Only the first 40 of 48 threads of each block load: a whole warp and eight lanes.
__global__ void partial_warps(const float* in, float* out) {
  if (threadIdx.x < 40) out[global_thread()] = in[global_thread()];
}

int main() {
  const auto* in = zeros<float>(count * 32 + 32);
  auto* out = zeros<float>(count * 16);
  coalesced<<<blocks, threads>>>(in, out);
  stride_2<<<blocks, threads>>>(in, out);
  stride_4<<<blocks, threads>>>(in, out);
  stride_8<<<blocks, threads>>>(in, out);
  stride_16<<<blocks, threads>>>(in, out);
  stride_32<<<blocks, threads>>>(in, out);
  strided_stores<<<blocks, threads>>>(in, out);
  misaligned<<<blocks, threads>>>(in, out);
  backwards<<<blocks, threads>>>(in, out);
  broadcast<<<blocks, threads>>>(in, out);
  bytes<<<blocks, threads>>>(reinterpret_cast<const unsigned char*>(in),
                             reinterpret_cast<unsigned char*>(out));
  doubles<<<blocks, threads>>>(reinterpret_cast<const double*>(in), reinterpret_cast<double*>(out));
  vectors_of_2<<<blocks, threads>>>(reinterpret_cast<const float2*>(in),
                                    reinterpret_cast<float2*>(out));
  vectors_of_4<<<blocks, threads>>>(reinterpret_cast<const float4*>(in),
                                    reinterpret_cast<float4*>(out));
  rows_of_lanes<<<blocks, threads>>>(in, out);
  partial_warps<<<blocks, 48>>>(in, out);
  return wait_for_all();
}
