// A last step that many texts teach, and that is wrong: the last 32 threads add in shared memory
// without synchronising, because "a warp runs in lockstep". It does not: lanes run independently,
// and the compiler may keep values in registers. `heddle check` names the lines; an H200 computes
// wrong sums. The fix is a __syncwarp() after each read and each write, or shuffles as in
// steps.cuh.
#include <cstdio>

constexpr int threads = 256;

__device__ void sum_in_last_warp(float* parts, int thread) {
  parts[thread] += parts[thread + 32];
  parts[thread] += parts[thread + 16];
  parts[thread] += parts[thread + 8];
  parts[thread] += parts[thread + 4];
  parts[thread] += parts[thread + 2];
  parts[thread] += parts[thread + 1];
}

__global__ void sum_block(const float* values, float* sum) {
  __shared__ float parts[threads];
  const int thread = threadIdx.x;
  parts[thread] = values[thread];
  __syncthreads();
  for (int half = threads / 2; half > 32; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  if (thread < 32) sum_in_last_warp(parts, thread);
  if (thread == 0) *sum = parts[0];
}

int main() {
  float host[threads], *values, *sum;
  for (int i = 0; i < threads; ++i) host[i] = 1;
  cudaMalloc(&values, sizeof(host));
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  sum_block<<<1, threads>>>(values, sum);
  float result = 0;
  cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g, expected %d\n", result, threads);
  cudaFree(values);
  cudaFree(sum);
}
