// The driver API that allocates and frees memory.
#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/driver/call.hpp"
#include "memory/registry.hpp"

using namespace heddle_host::api;
namespace memory = heddle_host::memory;

CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return runtime_call([&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) {
  return allocating_call(pointer, bytes, [&](void** to) { return cudaMalloc(to, bytes); });
}

CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                         unsigned element_bytes) {
  return allocating_call(pointer, width * height, [&](void** to) {
    const bool is_known = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    return is_known ? cudaMallocPitch(to, pitch, width, height) : cudaErrorInvalidValue;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags) {
  return allocating_call(pointer, bytes,
                         [&](void** to) { return cudaMallocManaged(to, bytes, flags); });
}

CUresult cuMemFree(CUdeviceptr pointer) {
  return runtime_call([&] { return cudaFree(pointer_to(pointer)); });
}

CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer) {
  return context_call([&] {
    const auto found = memory::find(pointer_to(pointer));
    if (!found) return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr) *base = address_of(found->base);
    if (bytes != nullptr) *bytes = found->bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAllocHost(void** pointer, size_t bytes) {
  return runtime_call([&] { return cudaMallocHost(pointer, bytes); });
}

CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return runtime_call(
      [&] { return bytes == 0 ? cudaErrorInvalidValue : cudaHostAlloc(pointer, bytes, flags); });
}

CUresult cuMemFreeHost(void* pointer) {
  return runtime_call([&] { return cudaFreeHost(pointer); });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* device_pointer, void* pointer, unsigned flags) {
  return runtime_call([&] {
    if (device_pointer == nullptr) return cudaErrorInvalidValue;
    void* same = nullptr;
    const cudaError_t error = cudaHostGetDevicePointer(&same, pointer, flags);
    if (error == cudaSuccess) *device_pointer = address_of(same);
    return error;
  });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return runtime_call([&] { return cudaHostGetFlags(flags, pointer); });
}

CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return runtime_call([&] { return cudaHostRegister(pointer, bytes, flags); });
}

CUresult cuMemHostUnregister(void* pointer) {
  return runtime_call([&] { return cudaHostUnregister(pointer); });
}

// Locations and advice have the same values in both APIs.
CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUmemLocation location,
                            unsigned flags, CUstream stream) {
  return runtime_call([&] {
    return cudaMemPrefetchAsync(pointer_to(pointer), bytes, runtime_location(location), flags,
                                stream);
  });
}

CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice,
                     CUmemLocation location) {
  return runtime_call([&] {
    return cudaMemAdvise(pointer_to(pointer), bytes, static_cast<cudaMemoryAdvise>(advice),
                         runtime_location(location));
  });
}

CUresult cuMemRangeGetAttribute(void* data, size_t data_bytes, CUmem_range_attribute attribute,
                                CUdeviceptr pointer, size_t bytes) {
  return runtime_call([&] {
    return cudaMemRangeGetAttribute(data, data_bytes, static_cast<cudaMemRangeAttribute>(attribute),
                                    pointer_to(pointer), bytes);
  });
}
