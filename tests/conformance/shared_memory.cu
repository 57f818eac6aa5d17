// Shared memory: static, dynamic, at namespace scope, in templates and in inline functions.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void static_arrays(unsigned* results) {
  __shared__ unsigned values[64], copies[64];
  __shared__ float scale;
  __shared__ double matrix[3][5];
  values[threadIdx.x] = mix(rank_in_grid());
  if (threadIdx.x == 0) scale = 2.0f + blockIdx.x;
  if (threadIdx.x < 15) matrix[threadIdx.x / 5][threadIdx.x % 5] = threadIdx.x * 1.5;
  __syncthreads();
  copies[threadIdx.x] = values[(threadIdx.x + 7) % 64];
  __syncthreads();
  const unsigned entry = threadIdx.x % 15;
  results[rank_in_grid()] =
      copies[63 - threadIdx.x] +
      static_cast<unsigned>(scale * static_cast<float>(matrix[entry / 5][entry % 5]));
}

CASE(static_shared_arrays) {
  const buffer<unsigned> results(4 * 64);
  static_arrays<<<4, 64>>>(results);
  show("results", results);
}

__global__ void dynamic_array(unsigned count, unsigned* results) {
  extern __shared__ unsigned dynamic_values[];
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
    dynamic_values[i] = mix(i + count * blockIdx.x);
  __syncthreads();
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
    sum = sum * 3 + dynamic_values[count - 1 - i];
  results[rank_in_grid()] = sum;
}

CASE(dynamic_shared_memory_of_several_sizes) {
  for (const unsigned count : {1u, 100u, 4096u, 12288u}) {
    const buffer<unsigned> results(2 * 64);
    dynamic_array<<<2, 64, count * sizeof(unsigned)>>>(count, results);
    show(std::to_string(count).c_str(), results);
  }
}

__global__ void dynamic_parts(double* results) {
  // one dynamic array, divided into three arrays of different types
  extern __shared__ __align__(16) unsigned char bytes[];
  double* const doubles = reinterpret_cast<double*>(bytes);
  int* const ints = reinterpret_cast<int*>(doubles + 32);
  unsigned char* const flags = reinterpret_cast<unsigned char*>(ints + 32);
  doubles[threadIdx.x] = threadIdx.x * 0.5 + blockIdx.x;
  ints[threadIdx.x] = static_cast<int>(mix(rank_in_grid()) % 1000) - 500;
  flags[threadIdx.x] = static_cast<unsigned char>(threadIdx.x * 9);
  __syncthreads();
  const unsigned other = 31 - threadIdx.x;
  results[rank_in_grid()] = doubles[other] + ints[other] + flags[other];
}

CASE(dynamic_shared_memory_in_parts) {
  const buffer<double> results(2 * 32);
  dynamic_parts<<<2, 32, 32 * (8 + 4 + 1)>>>(results);
  show("results", results);
}

CASE(dynamic_shared_memory_beyond_48_kilobytes) {
  const unsigned count = 20000;
  CHECKED(cudaFuncSetAttribute(dynamic_array, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               count * sizeof(unsigned)));
  const buffer<unsigned> results(3 * 96);
  dynamic_array<<<3, 96, count * sizeof(unsigned)>>>(count, results);
  show("results", results);
}

__shared__ unsigned at_namespace_scope[64];

__device__ unsigned read_reversed() { return at_namespace_scope[63 - threadIdx.x]; }

__global__ void namespace_scope(unsigned* results) {
  at_namespace_scope[threadIdx.x] = mix(rank_in_grid() + 3);
  __syncthreads();
  results[rank_in_grid()] = read_reversed();
}

__global__ void namespace_scope_again(unsigned* results) {
  at_namespace_scope[63 - threadIdx.x] = mix(rank_in_grid() + 4);
  __syncthreads();
  results[rank_in_grid()] = read_reversed() + at_namespace_scope[threadIdx.x];
}

CASE(shared_array_at_namespace_scope) {
  const buffer<unsigned> results(8 * 64);
  namespace_scope<<<8, 64>>>(results);
  show("first kernel", results);
  namespace_scope_again<<<8, 64>>>(results);
  show("second kernel", results);
}

template <typename T, int Size>
__device__ T rotate_in_template(T value) {
  __shared__ T values[Size];
  values[threadIdx.x] = value;
  __syncthreads();
  const T got = values[(threadIdx.x + 5) % Size];
  __syncthreads();
  return got;
}

__global__ void template_functions(double* results) {
  // two instantiations in the same kernel do not share memory
  const int first = rotate_in_template<int, 64>(static_cast<int>(rank_in_grid()));
  const double second = rotate_in_template<double, 64>(rank_in_grid() * 0.25);
  results[rank_in_grid()] = first * 100.0 + second;
}

CASE(shared_array_in_a_function_template) {
  const buffer<double> results(2 * 64);
  template_functions<<<2, 64>>>(results);
  show("results", results);
}

template <typename T>
__global__ void template_kernel(T* results) {
  __shared__ T values[32];
  values[threadIdx.x] = static_cast<T>(mix(rank_in_grid()) % 10000);
  __syncthreads();
  results[rank_in_grid()] = values[31 - threadIdx.x] + static_cast<T>(1);
}

CASE(shared_array_in_a_kernel_template) {
  const buffer<float> floats(64);
  const buffer<unsigned char> bytes(64);
  const buffer<long long> words(64);
  template_kernel<float><<<2, 32>>>(floats);
  template_kernel<unsigned char><<<2, 32>>>(bytes);
  template_kernel<long long><<<2, 32>>>(words);
  show("float", floats);
  show("unsigned char", bytes);
  show("long long", words);
}

__device__ inline unsigned neighbour(unsigned value) {
  __shared__ unsigned values[256];
  values[threadIdx.x] = value;
  __syncthreads();
  const unsigned got = values[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  return got;
}

__global__ void one_step(unsigned* results) { results[rank_in_grid()] = neighbour(rank_in_grid()); }

__global__ void three_steps(unsigned* results) {
  unsigned value = mix(rank_in_grid());
  for (int step = 0; step < 3; ++step) value = value * 3 + neighbour(value);
  results[rank_in_grid()] = value;
}

CASE(kernels_that_share_a_function_with_static_shared) {
  const buffer<unsigned> first(4 * 128), second(3 * 256);
  one_step<<<4, 128>>>(first);
  three_steps<<<3, 256>>>(second);
  show("one step", first);
  show("three steps", second);
}

struct particle {
  float x, y;
  int charge;
};

__global__ void structures(float* results) {
  __shared__ particle particles[64];
  particle& mine = particles[threadIdx.x];
  mine.x = threadIdx.x * 0.5f;
  mine.y = static_cast<float>(blockIdx.x);
  mine.charge = static_cast<int>(mix(rank_in_grid()) % 7);
  __syncthreads();
  const particle other = particles[(threadIdx.x + 32) % 64];
  results[rank_in_grid()] = other.x + other.y * 100 + other.charge * 1000;
}

CASE(shared_array_of_structures) {
  const buffer<float> results(2 * 64);
  structures<<<2, 64>>>(results);
  show("results", results);
}

__global__ void slots_of_many_blocks(unsigned* results) {
  // every block writes its own number everywhere and must read nothing else
  __shared__ unsigned values[128];
  values[threadIdx.x] = blockIdx.x;
  for (int round = 0; round < 5; ++round) {
    __syncthreads();
    const unsigned got = values[(threadIdx.x + 64) % 128];
    __syncthreads();
    values[threadIdx.x] = got;
  }
  __syncthreads();
  if (threadIdx.x == blockIdx.x % 128) results[blockIdx.x] = values[127 - threadIdx.x];
}

CASE(shared_memory_belongs_to_its_block) {
  const buffer<unsigned> results(1000);
  slots_of_many_blocks<<<1000, 128>>>(results);
  show("results", results);
}
