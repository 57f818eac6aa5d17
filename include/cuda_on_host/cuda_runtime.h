// Everything that a CUDA source file includes implicitly, and the C++ forms of CUDA's host calls.
#pragma once
#define __CUDA_RUNTIME_H__  // programs test for it
#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <channel_descriptor.h>
#include <device_types.h>
#include <driver_functions.h>
#include <driver_types.h>
#include <host_defines.h>
#include <library_types.h>
#include <surface_types.h>
#include <texture_types.h>
#include <vector_functions.h>
#include <vector_types.h>

#if defined(HEDDLE_CHECKED) || defined(HEDDLE_PROFILED)
#include <heddle_host/declared.hpp>
#endif
#ifdef HEDDLE_CHECKED
#include <heddle_host/local_memory.hpp>
#endif
#include <heddle_host/function.hpp>
#include <heddle_host/gpu_shift.hpp>
#include <heddle_host/kernel.hpp>
#include <heddle_host/known_kernel.hpp>
#include <heddle_host/managed_variable.hpp>
#include <heddle_host/shared.hpp>
#include <heddle_host/side.hpp>
#include <heddle_host/symbol.hpp>

#include <detail/intrinsic_stops.h>

#include <bit_functions.h>
#include <cache_functions.h>
#include <cuda_device_runtime_api.h>
#include <cuda_runtime_api.h>
#include <device_atomic_functions.h>
#include <device_double_functions.h>
#include <device_functions.h>
#include <math_functions.h>
#include <surface_indirect_functions.h>
#include <texture_indirect_functions.h>
#include <type_conversions.h>

// nvcc includes the headers with these guards too, and programs test for the guards. The headers
// above declare what is in them.
#define __COMMON_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __HOST_CONFIG_H__
#define __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_INTRINSICS_H__
#define __SM_30_INTRINSICS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_32_INTRINSICS_H__
#define __SM_35_ATOMIC_FUNCTIONS_H__
#define __SM_35_INTRINSICS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_61_INTRINSICS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_HPP__

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
namespace {
[[maybe_unused]] const bool heddle_per_thread_default_stream =
    ::heddle_host::use_per_thread_default_stream();
}
#endif

// Tells the report which files belong to heddle.
extern "C" {
__attribute__((weak, used)) extern const char heddle_cuda_runtime_header[] = __FILE__;
}

// Memory, with pointers to any type.
template <typename T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc((void**)(void*)pointer, bytes);
}
template <typename T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)(void*)pointer, bytes, flags);
}
template <typename T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)(void*)pointer, pitch, width, height);
}
inline cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(pointer, bytes, flags);
}
template <typename T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes,
                                  unsigned int flags = cudaHostAllocDefault) {
  return ::cudaHostAlloc((void**)(void*)pointer, bytes, flags);
}
template <typename T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc((void**)(void*)pointer, bytes, flags);
}
template <typename T>
inline cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer,
                                            unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)(void*)device_pointer, host_pointer, flags);
}
template <typename T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)(void*)pointer, bytes, stream);
}
template <typename T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream);
}
template <typename T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream);
}

// Symbols: the variable itself. As in CUDA, a temporary (such as `&variable`) is not a symbol.
namespace heddle_host {
template <typename T>
inline symbol symbol_of(T& variable) {
  return {(const void*)&reinterpret_cast<const volatile char&>(variable), sizeof(T)};
}
inline symbol no_symbol() { return {nullptr, 0}; }
}  // namespace heddle_host

template <typename T>
inline cudaError_t cudaGetSymbolAddress(void** address, T& variable) {
  return ::heddle_host::address_of_symbol(address, ::heddle_host::symbol_of(variable));
}
template <typename T>
inline cudaError_t cudaGetSymbolAddress(void** address, const T&&) {
  return ::heddle_host::address_of_symbol(address, ::heddle_host::no_symbol());
}
template <typename T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, T& variable) {
  void* address = nullptr;
  const cudaError_t error =
      ::heddle_host::address_of_symbol(&address, ::heddle_host::symbol_of(variable));
  if (error == cudaSuccess) *bytes = sizeof(T);
  return error;
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbol(T& variable, const void* source, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::heddle_host::copy_to_symbol(::heddle_host::symbol_of(variable), source,
                                       {bytes, offset, kind, false, nullptr});
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbol(const T&&, const void* source, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::heddle_host::copy_to_symbol(::heddle_host::no_symbol(), source,
                                       {bytes, offset, kind, false, nullptr});
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbolAsync(T& variable, const void* source, size_t bytes,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = 0) {
  return ::heddle_host::copy_to_symbol(::heddle_host::symbol_of(variable), source,
                                       {bytes, offset, kind, true, stream});
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbol(void* destination, T& variable, size_t bytes,
                                        size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::heddle_host::copy_from_symbol(destination, ::heddle_host::symbol_of(variable),
                                         {bytes, offset, kind, false, nullptr});
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbol(void* destination, const T&&, size_t bytes,
                                        size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::heddle_host::copy_from_symbol(destination, ::heddle_host::no_symbol(),
                                         {bytes, offset, kind, false, nullptr});
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* destination, T& variable, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
  return ::heddle_host::copy_from_symbol(destination, ::heddle_host::symbol_of(variable),
                                         {bytes, offset, kind, true, stream});
}

// Launches.
template <typename... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                    size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return ::heddle_host::launch(kernel, {grid, block, shared_bytes, stream, false, {0, 0, 0}},
                               arguments);
}
template <typename... P>
inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                               void** arguments, size_t shared_bytes = 0,
                                               cudaStream_t stream = 0) {
  return ::heddle_host::launch(kernel, {grid, block, shared_bytes, stream, true, {0, 0, 0}},
                               arguments);
}
template <typename... P>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, void (*kernel)(P...),
                                       void** arguments) {
  ::heddle_host::launch_shape shape;
  const cudaError_t error = ::heddle_host::read_configuration(shape, config);
  return error != cudaSuccess ? error : ::heddle_host::launch(kernel, shape, arguments);
}
template <typename... P, typename... A>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...),
                                      A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "the kernel has another number of parameters");
  ::heddle_host::launch_shape shape;
  const cudaError_t error = ::heddle_host::read_configuration(shape, config);
  if (error != cudaSuccess) return error;
  ::heddle_host::push_launch(shape);
  kernel(std::forward<A>(arguments)...);
  return ::heddle_host::launch_result();
}

// Queries and attributes of kernels.
template <typename... P>
inline cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute,
                                        int value) {
  return ::heddle_host::set_attribute(::heddle_host::inspect(kernel), attribute, value);
}
template <typename... P>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
  return ::heddle_host::get_attributes(attributes, ::heddle_host::inspect(kernel));
}
template <typename... P>
inline cudaError_t cudaFuncGetName(const char** name, void (*kernel)(P...)) {
  return ::cudaFuncGetName(name, (const void*)kernel);
}
template <typename... P>
inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, void (*kernel)(P...)) {
  return ::cudaGetFuncBySymbol(function, (const void*)kernel);
}
template <typename... P>
inline cudaError_t cudaGetKernel(cudaKernel_t* handle, void (*kernel)(P...)) {
  return ::cudaGetKernel(handle, (const void*)kernel);
}
template <typename... P>
inline cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache) {
  cudaFuncAttributes ignored;
  return ::heddle_host::get_attributes(&ignored, ::heddle_host::inspect(kernel));
}
template <typename... P>
inline cudaError_t cudaFuncSetSharedMemConfig(void (*kernel)(P...), cudaSharedMemConfig) {
  cudaFuncAttributes ignored;
  return ::heddle_host::get_attributes(&ignored, ::heddle_host::inspect(kernel));
}

// Occupancy.
template <typename... P>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...),
                                                                 int block_threads,
                                                                 size_t dynamic_shared_bytes) {
  return ::heddle_host::max_active_blocks(blocks, ::heddle_host::inspect(kernel), block_threads,
                                          dynamic_shared_bytes);
}
template <typename... P>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, void (*kernel)(P...), int block_threads, size_t dynamic_shared_bytes,
    unsigned int) {
  return ::heddle_host::max_active_blocks(blocks, ::heddle_host::inspect(kernel), block_threads,
                                          dynamic_shared_bytes);
}
template <typename... P>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, void (*kernel)(P...),
                                                             int blocks, int block_threads) {
  return ::heddle_host::available_dynamic_shared(bytes, ::heddle_host::inspect(kernel), blocks,
                                                 block_threads);
}
template <typename... P>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, void (*kernel)(P...),
                                                        const cudaLaunchConfig_t*) {
  return ::heddle_host::max_cluster_size(blocks, ::heddle_host::inspect(kernel));
}
template <typename... P>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void (*kernel)(P...),
                                                  const cudaLaunchConfig_t* config) {
  return ::heddle_host::max_active_clusters(clusters, ::heddle_host::inspect(kernel), config);
}

// The largest block size that keeps the most threads resident; `shared_for(threads)` is its shared
// memory.
template <typename SharedForThreads, typename Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_blocks,
                                                                  int* block_threads, Kernel kernel,
                                                                  SharedForThreads shared_for,
                                                                  int block_limit = 0) {
  *grid_blocks = 0;
  *block_threads = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
  if (error != cudaSuccess) return error;
  const int largest = block_limit > 0 && block_limit < attributes.maxThreadsPerBlock
                          ? block_limit
                          : attributes.maxThreadsPerBlock;
  int most_resident = 0;
  for (int rounded = (largest + 31) / 32 * 32; rounded > 0; rounded -= 32) {
    const int threads = rounded < largest ? rounded : largest;
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                          shared_for(threads));
    if (error != cudaSuccess) return error;
    if (blocks * threads <= most_resident) continue;
    most_resident = blocks * threads;
    *block_threads = threads;
    *grid_blocks = blocks * ::heddle_host::multiprocessors();
  }
  return cudaSuccess;
}
template <typename SharedForThreads, typename Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* grid_blocks, int* block_threads, Kernel kernel, SharedForThreads shared_for,
    int block_limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid_blocks, block_threads, kernel,
                                                        shared_for, block_limit);
}
template <typename Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_blocks, int* block_threads,
                                                      Kernel kernel,
                                                      size_t dynamic_shared_bytes = 0,
                                                      int block_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid_blocks, block_threads, kernel,
      [dynamic_shared_bytes](int) { return dynamic_shared_bytes; }, block_limit);
}
template <typename Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid_blocks, int* block_threads,
                                                               Kernel kernel,
                                                               size_t dynamic_shared_bytes = 0,
                                                               int block_limit = 0,
                                                               unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid_blocks, block_threads, kernel,
                                            dynamic_shared_bytes, block_limit);
}
