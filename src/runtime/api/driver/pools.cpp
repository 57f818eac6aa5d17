// The driver API for memory pools and stream-ordered memory. Pool handles are the runtime API's.
#include <cstring>
#include <vector>

#include <cuda_runtime_api.h>

#include "api/driver/call.hpp"

using namespace heddle_host::api;

CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  return allocating_call(pointer, bytes,
                         [&](void** to) { return cudaMallocAsync(to, bytes, stream); });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
  return allocating_call(
      pointer, bytes, [&](void** to) { return cudaMallocFromPoolAsync(to, bytes, pool, stream); });
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return runtime_call([&] { return cudaFreeAsync(pointer_to(pointer), stream); });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return driver_call(
      [&] { return by_runtime([&] { return cudaDeviceGetDefaultMemPool(pool, device); }); });
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return driver_call(
      [&] { return by_runtime([&] { return cudaDeviceGetMemPool(pool, device); }); });
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return driver_call(
      [&] { return by_runtime([&] { return cudaDeviceSetMemPool(device, pool); }); });
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return driver_call([&] {
    return by_runtime([&] {
      if (properties == nullptr) return cudaErrorInvalidValue;
      cudaMemPoolProps same{};
      same.allocType = static_cast<cudaMemAllocationType>(properties->allocType);
      same.handleTypes = static_cast<cudaMemAllocationHandleType>(properties->handleTypes);
      same.location = runtime_location(properties->location);
      same.maxSize = properties->maxSize;
      return cudaMemPoolCreate(pool, &same);
    });
  });
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return driver_call([&] { return by_runtime([&] { return cudaMemPoolDestroy(pool); }); });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
  return driver_call([&] { return by_runtime([&] { return cudaMemPoolTrimTo(pool, bytes); }); });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  const auto same = static_cast<cudaMemPoolAttr>(attribute);
  return driver_call(
      [&] { return by_runtime([&] { return cudaMemPoolSetAttribute(pool, same, value); }); });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  const auto same = static_cast<cudaMemPoolAttr>(attribute);
  return driver_call(
      [&] { return by_runtime([&] { return cudaMemPoolGetAttribute(pool, same, value); }); });
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* wanted, size_t count) {
  return driver_call([&] {
    return by_runtime([&] {
      if (wanted == nullptr && count > 0) return cudaErrorInvalidValue;
      std::vector<cudaMemAccessDesc> same(count);
      for (size_t i = 0; i < count; ++i) {
        same[i].location = runtime_location(wanted[i].location);
        same[i].flags = static_cast<cudaMemAccessFlags>(wanted[i].flags);
      }
      return cudaMemPoolSetAccess(pool, same.data(), count);
    });
  });
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  return driver_call([&] {
    return by_runtime([&] {
      if (flags == nullptr || location == nullptr) return cudaErrorInvalidValue;
      cudaMemLocation same = runtime_location(*location);
      cudaMemAccessFlags answer = cudaMemAccessFlagsProtNone;
      const cudaError_t error = cudaMemPoolGetAccess(&answer, pool, &same);
      *flags = static_cast<CUmemAccess_flags>(answer);
      return error;
    });
  });
}
