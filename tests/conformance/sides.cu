// Code that differs between host and device: `__CUDA_ARCH__` in functions and declarations.
#include <nv/target>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

#ifdef __CUDA_ARCH__
#define ON_DEVICE 1
#else
#define ON_DEVICE 0
#endif

__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
  return 2;
#else
  return 1;
#endif
}

__host__ __device__ inline int side_by_macro(int base) { return base + ON_DEVICE; }

template <typename T>
__host__ __device__ constexpr T doubled_on_device(T value) {
#if defined(__CUDA_ARCH__)
  const T factor = 2;
#else
  const T factor = 1;
#endif
  return value * factor;
}

// Defined twice, with the markers of one side each.
#ifdef __CUDA_ARCH__
__device__ int defined_twice(int a) { return a * 10; }
#else
__host__ int defined_twice(int a) { return a * 100; }
#endif

struct counter {
  __host__ __device__ counter() : value(side()) {}
  __host__ __device__ int add(int more) {
#ifdef __CUDA_ARCH__
    value += more;
#else
    value -= more;
#endif
    return value;
  }
  int value;
};

#ifndef __CUDA_ARCH__
static int only_on_the_host(int a) { return a + 1000; }
#endif

static int plain_function() {
#ifdef __CUDA_ARCH__
  return -1;
#else
  return only_on_the_host(7);
#endif
}

// As programs for old GPUs have it: the host's pass sees a second atomicAdd of doubles.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double* address, double value) { return *address + value; }
#endif

#if __CUDA_ARCH__ < 600
__device__ int for_old_gpus() { return 500; }
#else
__device__ int for_old_gpus() { return 900; }
#endif

__global__ void ask_each_side(int* results) {
  int* const mine = results + 8 * rank_in_grid();
  counter count;
  mine[0] = side();
  mine[1] = side_by_macro(10);
  mine[2] = doubled_on_device(21);
  mine[3] = defined_twice(3);
  mine[4] = count.value;
  mine[5] = count.add(5);
  mine[6] = for_old_gpus();
  mine[7] = ON_DEVICE;
}

CASE(functions_in_a_kernel) {
  const buffer<int> results(2 * 8);
  ask_each_side<<<1, 2>>>(results);
  show("results", results);
}

CASE(functions_on_the_host) {
  counter count;
  const int first = count.value, added = count.add(5);
  show("results", std::vector<int>{side(), side_by_macro(10), doubled_on_device(21),
                                   defined_twice(3), first, added, plain_function(), ON_DEVICE});
}

CASE(host_before_and_after_a_kernel) {
  const int before = side();
  const buffer<int> results(8);
  ask_each_side<<<1, 1>>>(results);
  const int meanwhile = side();
  show("results", results);
  show("host", std::vector<int>{before, meanwhile, side()});
}

CASE(constants_are_those_of_the_host) {
  constexpr int constant = doubled_on_device(21);
  show("constant", std::vector<int>{constant});
}

// A function pointer of each side.
using function = int (*)(int);
__device__ function device_pointer = side_by_macro;

__global__ void call_pointer(int* results) { results[rank_in_grid()] = device_pointer(20); }

CASE(pointers_to_functions) {
  const buffer<int> results(2);
  call_pointer<<<1, 2>>>(results);
  show("results", results);
  const function host_pointer = side_by_macro;
  show("host", std::vector<int>{host_pointer(20)});
}

__host__ __device__ int by_target() {
  int found = 0;
  NV_IF_TARGET(NV_IS_HOST, (found += 1;), (found += 2;))
  NV_IF_TARGET(NV_IS_DEVICE, (int more = 10, again = 10; found += more + again;))
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_70, (found += 100;), (found += 200;))
  NV_DISPATCH_TARGET(NV_IS_EXACTLY_SM_80, (found += 1000;), NV_PROVIDES_SM_90, (found += 2000;),
                     NV_IS_HOST, (found += 3000;))
  return found;
}

__global__ void ask_by_target(int* results) { results[rank_in_grid()] = by_target(); }

CASE(nv_target) {
  const buffer<int> results(2);
  ask_by_target<<<1, 2>>>(results);
  show("results", results);
  show("host", std::vector<int>{by_target()});
}
