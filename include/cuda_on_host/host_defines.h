// CUDA's function and variable markers, for compilers that do not know them.
#pragma once
#define __HOST_DEFINES_H__  // programs test for it

#if defined(__CUDA__) && defined(__clang__)
// clangd parses the file as CUDA (heddle_clangd.h), where clang has these names for the markers.
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __grid_constant__
#else
// Words that the frontend removes or rewrites; no compiler accepts them.
#define __global__ __heddle_global__
#define __shared__ __heddle_shared__
#define __device__ __heddle_device__
#define __launch_bounds__(...) __heddle_launch_bounds__(__VA_ARGS__)
#define __cluster_dims__(...) __heddle_cluster_dims__(__VA_ARGS__)

// Host and device are the same processor, so these mean nothing to a compiler. The frontend needs
// them: it gives code and variables in headers the linkage that nvcc gives them.
#ifdef __HEDDLE_FRONTEND__
#define __host__ __heddle_host__
#define __constant__ __heddle_constant__
#define __managed__ __heddle_managed__
#else
#define __host__
#define __constant__
#define __managed__
#endif
#define __grid_constant__

#endif

#ifdef __HEDDLE_FRONTEND__
// nvcc's questions about lambdas. Those it has to treat specially are ordinary lambdas here.
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#endif

#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))

// Without effect on a CPU.
#define __maxnreg__(...)
#define __local_maxnreg__(...)
#define __nv_pure__
#define __inline_hint__
#define __no_return__ __attribute__((noreturn))
// Not supported, because its second argument makes the grid size in `<<<grid, …>>>` count clusters.
#define __block_size__(...) \
  _Pragma("GCC error \"__block_size__ is not supported on the CPU: use __cluster_dims__\"")

// clang++ has this built in; g++ does not. The condition is not evaluated.
#if !defined(__clang__)
#define __builtin_assume(...) static_cast<void>(sizeof(!(__VA_ARGS__)))
#endif

// Empty, because standard headers also write __attribute__((__noinline__)): an empty attribute is
// valid there, a nested one is not.
#define __noinline__

// Used by headers that are written to accompany CUDA's own.
#define __device_builtin__
#define __builtin_align__(bytes) __align__(bytes)
#define __cudart_builtin__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
