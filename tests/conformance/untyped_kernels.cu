// Kernels known only by their address: launches, queries and graph nodes through void pointers.
#include <cooperative_groups.h>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void affine(int* results, int factor, double term) {
  results[rank_in_grid()] = static_cast<int>(rank_in_grid()) * factor + static_cast<int>(term);
}

// A parameter may have the kernel's own name.
__global__ void scale(int* values, int scale) { values[rank_in_grid()] *= scale; }

template <typename T, int step>
__global__ void ramp(T* results, T first) {
  results[rank_in_grid()] = first + static_cast<T>(static_cast<int>(rank_in_grid()) * step);
}

// Three kernels with one name, one of them a template.
__global__ void mark(int* results) { results[rank_in_grid()] = 1; }
__global__ void mark(float* results) { results[rank_in_grid()] = 2.5f; }
template <typename T>
__global__ void mark(T* results, int times) {
  results[rank_in_grid()] = static_cast<T>(times * 3);
}

template <typename... Terms>
__global__ void add_all(int* results, Terms... terms) {
  results[rank_in_grid()] = (0 + ... + static_cast<int>(terms));
}

namespace nested {
namespace {
__global__ void hidden(int* results, int value = 4) { results[rank_in_grid()] = value; }
}  // namespace
static __global__ void __launch_bounds__(64) bounded(int* results) { results[rank_in_grid()] = 64; }
}  // namespace nested

struct pair_of_values {
  int first;
  double second;
};
__global__ void take_a_struct(pair_of_values pair, int* results) {
  results[rank_in_grid()] = pair.first + static_cast<int>(pair.second);
}

__global__ void sum_over_grid(int* results) {
  atomicAdd(&results[0], 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) results[1 + blockIdx.x] = results[0];
}

template <typename T, typename... Arguments>
static void launch_and_show(const char* label, const void* kernel, T first, Arguments... rest) {
  const buffer<T> results(std::vector<T>(64, first));
  T* pointer = results;
  void* arguments[] = {&pointer, &rest...};
  CHECKED(cudaLaunchKernel(kernel, dim3(2), dim3(32), arguments, 0, nullptr));
  show(label, results);
}

CASE(launches_through_a_void_pointer) {
  const void* kernel = reinterpret_cast<const void*>(affine);
  launch_and_show("plain", kernel, 0, 3, 7.5);
  kernel = reinterpret_cast<const void*>(&scale);
  launch_and_show("parameter of the same name", kernel, 5, 3);
  kernel = reinterpret_cast<const void*>(&nested::hidden);
  launch_and_show("unnamed namespace", kernel, 0, 9);
  kernel = (const void*)nested::bounded;
  launch_and_show("static", kernel, 0);
}

CASE(templates_through_a_void_pointer) {
  const void* kernel = reinterpret_cast<const void*>(ramp<float, 2>);
  launch_and_show("of float", kernel, 0.0f, 2.5f);
  void (*const typed)(int*, int) = ramp<int, -3>;
  kernel = (const void*)typed;
  launch_and_show("of int", kernel, 0, 100);
  kernel = (const void*)add_all<short, double, unsigned>;
  launch_and_show("pack", kernel, 0, short{-5}, 10.75, 100u);
  kernel = (const void*)add_all<>;
  launch_and_show("empty pack", kernel, 9);
}

CASE(overloads_through_a_void_pointer) {
  void (*const of_int)(int*) = mark;
  void (*const of_float)(float*) = mark;
  void (*const templated)(int*, int) = mark;
  launch_and_show("int", (const void*)of_int, 0);
  launch_and_show("float", (const void*)of_float, 0.0f);
  launch_and_show("template", (const void*)templated, 0, 7);
}

CASE(arguments_that_are_structures) {
  void* kernel = (void*)take_a_struct;
  const buffer<int> results(64);
  pair_of_values pair{40, 2.5};
  int* pointer = results;
  void* arguments[] = {&pair, &pointer};
  CHECKED(cudaLaunchKernel(kernel, dim3(2), dim3(32), arguments, 0, nullptr));
  pair.first = 0;  // the launch has its own copy
  show("results", results);
}

CASE(a_table_of_kernels) {
  const void* const kernels[] = {(const void*)ramp<int, 1>, (const void*)ramp<int, 2>,
                                 (const void*)ramp<int, 3>};
  for (const void* kernel : kernels) launch_and_show("ramp", kernel, 0, 10);
}

CASE(cooperative_launch_through_a_void_pointer) {
  const void* kernel = (const void*)sum_over_grid;
  const buffer<int> results(3, 0);
  int* pointer = results;
  void* arguments[] = {&pointer};
  CHECKED(cudaLaunchCooperativeKernel(kernel, dim3(2), dim3(32), arguments, 0, nullptr));
  show("results", results);
}

CASE(questions_through_a_void_pointer) {
  const void* kernel = (const void*)nested::bounded;
  cudaFuncAttributes attributes = {};
  CHECKED(cudaFuncGetAttributes(&attributes, kernel));
  std::printf("threads per block %d\n", attributes.maxThreadsPerBlock);
  CHECKED(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  CHECKED(cudaFuncGetAttributes(&attributes, kernel));
  std::printf("dynamic shared %d\n", attributes.maxDynamicSharedSizeBytes);
  int blocks = 0, grid = 0, block = 0;
  CHECKED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 0));
  std::printf("blocks at least 1: %d\n", blocks >= 1);
  CHECKED(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  std::printf("block %d\n", block);
  CHECKED(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1));
}

CASE(kernel_nodes_of_a_graph) {
  const buffer<int> results(64, 0);
  int* pointer = results;
  int factor = 3;
  double term = 7.5;
  void* arguments[] = {&pointer, &factor, &term};
  void* scaling[] = {&pointer, &factor};
  cudaGraph_t graph;
  CHECKED(cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams parameters = {};
  parameters.func = (void*)affine;
  parameters.gridDim = dim3(2);
  parameters.blockDim = dim3(32);
  parameters.kernelParams = arguments;
  cudaGraphNode_t first, second;
  CHECKED(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &parameters));
  factor = 10;  // the node has its own copy
  parameters.func = (void*)scale;
  parameters.kernelParams = scaling;
  CHECKED(cudaGraphAddKernelNode(&second, graph, &first, 1, &parameters));
  factor = 0;
  cudaGraphNodeType type;
  CHECKED(cudaGraphNodeGetType(second, &type));
  std::printf("kernel: %d\n", type == cudaGraphNodeTypeKernel);
  cudaGraphExec_t executable;
  CHECKED(cudaGraphInstantiate(&executable, graph, 0));
  for (int launch = 0; launch < 2; ++launch) {
    CHECKED(cudaGraphLaunch(executable, nullptr));
    show("results", results);
  }
  CHECKED(cudaGraphExecDestroy(executable));
  CHECKED(cudaGraphDestroy(graph));
}

static void not_a_kernel(int*) {}

CASE(addresses_of_no_kernel) {
  const void* const stranger = (const void*)not_a_kernel;
  const void* const nobody = nullptr;
  void* arguments[] = {nullptr};
  cudaFuncAttributes attributes;
  int blocks = 0;
  SHOW_ERROR(cudaLaunchKernel(stranger, dim3(1), dim3(1), arguments, 0, nullptr));
  SHOW_ERROR(cudaGetLastError());
  SHOW_ERROR(cudaLaunchKernel(nobody, dim3(1), dim3(1), arguments, 0, nullptr));
  SHOW_ERROR(cudaLaunchCooperativeKernel(stranger, dim3(1), dim3(1), arguments, 0, nullptr));
  SHOW_ERROR(cudaFuncGetAttributes(&attributes, stranger));
  SHOW_ERROR(cudaFuncSetAttribute(stranger, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  SHOW_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stranger, 32, 0));
  cudaGraph_t graph;
  CHECKED(cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams parameters = {};
  parameters.func = const_cast<void*>(stranger);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node;
  SHOW_ERROR(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  CHECKED(cudaGraphDestroy(graph));
  cudaGetLastError();
}
