// atomicAdd and atomicExch of float, double, half and bfloat16, with exact sums.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "atomics.cuh"

using namespace conformance;

template <scope Scope, typename T>
__global__ void add_quarters(T* cells) {
  // sums of quarters of small integers are exact in any order
  T* const mine = cells_of<Scope>(cells);
  for (unsigned round = 0; round < 8; ++round) {
    const unsigned random = mix(rank_in_grid() * 8 + round);
    ATOMIC(Add, &mine[random % atomic_cells],
           static_cast<T>(static_cast<int>(random / 8 % 401) - 200) / 4);
  }
}

template <scope Scope, typename T>
void show_sums(const char* label) {
  const buffer<T> cells(atomic_blocks * atomic_cells, 0);
  add_quarters<Scope, T><<<atomic_blocks, atomic_threads>>>(cells);
  show(label, cells);
}

CASE(atomic_add_of_float) {
  show_sums<scope::device, float>("device");
  show_sums<scope::block, float>("block");
  show_sums<scope::system, float>("system");
}

CASE(atomic_add_of_double) {
  show_sums<scope::device, double>("device");
  show_sums<scope::block, double>("block");
  show_sums<scope::system, double>("system");
}

__global__ void shared_sums(float* results) {
  __shared__ float sums[4];
  __shared__ double wide;
  if (threadIdx.x < 4) sums[threadIdx.x] = 0;
  if (threadIdx.x == 0) wide = 0;
  __syncthreads();
  atomicAdd(&sums[threadIdx.x % 4], 0.5f * (mix(rank_in_grid()) % 100));
  atomicAdd(&wide, 0.25 * (mix(rank_in_grid()) % 1000));
  __syncthreads();
  if (threadIdx.x < 4) results[blockIdx.x * 5 + threadIdx.x] = sums[threadIdx.x];
  if (threadIdx.x == 4) results[blockIdx.x * 5 + 4] = static_cast<float>(wide);
}

CASE(atomic_add_of_float_in_shared_memory) {
  const buffer<float> results(5 * 5);
  shared_sums<<<5, 160>>>(results);
  show("sums", results);
}

__global__ void half_sums(__half* cells, __half2* pairs) {
  atomicAdd(&cells[threadIdx.x % 3], __float2half(1.0f + threadIdx.x % 3));
  atomicAdd(&pairs[threadIdx.x % 2], __floats2half2_rn(1.0f, -0.5f * (threadIdx.x % 2)));
}

__global__ void half_results(const __half* cells, const __half2* pairs, float* results) {
  for (int i = 0; i < 3; ++i) results[i] = __half2float(cells[i]);
  for (int i = 0; i < 2; ++i) {
    results[3 + 2 * i] = __low2float(pairs[i]);
    results[4 + 2 * i] = __high2float(pairs[i]);
  }
}

CASE(atomic_add_of_half_and_half2) {
  const buffer<__half> cells(3, 0);
  const buffer<__half2> pairs(2, 0);
  const buffer<float> results(7);
  half_sums<<<6, 96>>>(cells, pairs);
  half_results<<<1, 1>>>(cells, pairs, results);
  show("sums", results);
}

__global__ void bfloat_sums(__nv_bfloat16* cells, __nv_bfloat162* pairs) {
  atomicAdd(&cells[threadIdx.x % 3], __float2bfloat16(threadIdx.x % 3 ? 1.0f : 2.0f));
  atomicAdd(&pairs[threadIdx.x % 2], __floats2bfloat162_rn(1.0f, -0.5f * (threadIdx.x % 2)));
}

__global__ void bfloat_results(const __nv_bfloat16* cells, const __nv_bfloat162* pairs,
                               float* results) {
  for (int i = 0; i < 3; ++i) results[i] = __bfloat162float(cells[i]);
  for (int i = 0; i < 2; ++i) {
    results[3 + 2 * i] = __low2float(pairs[i]);
    results[4 + 2 * i] = __high2float(pairs[i]);
  }
}

CASE(atomic_add_of_bfloat16_and_bfloat162) {
  const buffer<__nv_bfloat16> cells(3, 0);
  const buffer<__nv_bfloat162> pairs(2, 0);
  const buffer<float> results(7);
  bfloat_sums<<<2, 96>>>(cells, pairs);
  bfloat_results<<<1, 1>>>(cells, pairs, results);
  show("sums", results);
}

__global__ void maximum_by_bits(unsigned* cells) {
  // the maximum of floats by compare-and-swap of their bits
  unsigned* const cell = &cells[blockIdx.x % 3];
  const float mine = static_cast<float>(mix(rank_in_grid()) % 100000) * 0.125f;
  unsigned seen = atomicAdd(cell, 0u);
  while (__uint_as_float(seen) < mine) {
    const unsigned old = atomicCAS(cell, seen, __float_as_uint(mine));
    if (old == seen) break;
    seen = old;
  }
}

CASE(float_maximum_by_compare_and_swap) {
  const buffer<unsigned> cells(3, 0);
  maximum_by_bits<<<9, 128>>>(cells);
  show("bits", cells);
}
