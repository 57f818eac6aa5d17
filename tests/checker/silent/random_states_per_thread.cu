// Estimates pi with one cuRAND state per thread, kept in global memory between kernels, and once
// more with numbers that the host API puts into device memory.
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>

constexpr int threads = 64, blocks = 4, draws = 50;

__global__ void start(curandState* states) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234, i, 0, &states[i]);
}

__global__ void count_hits(curandState* states, unsigned* hits) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState mine = states[i];
  unsigned inside = 0;
  for (int k = 0; k < draws; ++k) {
    const float x = curand_uniform(&mine), y = curand_uniform(&mine);
    inside += x * x + y * y <= 1;
  }
  states[i] = mine;
  atomicAdd(hits, inside);
}

__global__ void count_given(const float* x, const float* y, unsigned* hits) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] * x[i] + y[i] * y[i] <= 1) atomicAdd(hits, 1);
}

__global__ void other_generators(double* sums) {
  curandStatePhilox4_32_10_t philox;
  curandStateMRG32k3a_t mrg;
  curand_init(1, threadIdx.x, 0, &philox);
  curand_init(1, threadIdx.x, 0, &mrg);
  const float4 normal = curand_normal4(&philox);
  sums[threadIdx.x] = normal.x + normal.w + curand_normal_double(&mrg) +
                      curand_log_normal(&philox, 0.0f, 1.0f) + curand_poisson(&mrg, 100);
}

int main() {
  curandState* states;
  unsigned* hits;
  float* numbers;
  double* sums;
  cudaMalloc(&states, blocks * threads * sizeof(curandState));
  cudaMalloc(&hits, sizeof(unsigned));
  cudaMalloc(&numbers, 2 * blocks * threads * sizeof(float));
  cudaMalloc(&sums, threads * sizeof(double));
  cudaMemset(hits, 0, sizeof(unsigned));

  start<<<blocks, threads>>>(states);
  count_hits<<<blocks, threads>>>(states, hits);
  count_hits<<<blocks, threads>>>(states, hits);
  other_generators<<<1, threads>>>(sums);

  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerateUniform(generator, numbers, 2 * blocks * threads);
  count_given<<<blocks, threads>>>(numbers, numbers + blocks * threads, hits);
  curandDestroyGenerator(generator);

  unsigned total = 0;
  cudaMemcpy(&total, hits, sizeof total, cudaMemcpyDeviceToHost);
  std::printf("%.2f\n", 4.0 * total / ((2 * draws + 1) * blocks * threads));
  cudaFree(states);
  cudaFree(hits);
  cudaFree(numbers);
  cudaFree(sums);
}
