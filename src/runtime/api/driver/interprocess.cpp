// The driver API that shares memory and events with other processes. Its handles are the runtime
// API's.
#include <cstring>

#include <cuda_runtime_api.h>

#include "api/driver/call.hpp"

using namespace heddle_host::api;

static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t));
static_assert(sizeof(CUipcEventHandle) == sizeof(cudaIpcEventHandle_t));
static_assert(sizeof(CUmemPoolPtrExportData) == sizeof(cudaMemPoolPtrExportData));

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
  return runtime_call([&] {
    return cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t*>(handle), pointer_to(pointer));
  });
}

CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags) {
  return runtime_call([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    cudaIpcMemHandle_t same;
    std::memcpy(&same, &handle, sizeof same);
    void* mapped = nullptr;
    const cudaError_t error = cudaIpcOpenMemHandle(&mapped, same, flags);
    if (error == cudaSuccess) *pointer = address_of(mapped);
    return error;
  });
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  return runtime_call([&] {
    return cudaIpcGetEventHandle(reinterpret_cast<cudaIpcEventHandle_t*>(handle), event);
  });
}

CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  return runtime_call([&] {
    cudaIpcEventHandle_t same;
    std::memcpy(&same, &handle, sizeof same);
    return cudaIpcOpenEventHandle(event, same);
  });
}

CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
  return runtime_call([&] { return cudaIpcCloseMemHandle(pointer_to(pointer)); });
}

CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool,
                                          CUmemAllocationHandleType type,
                                          unsigned long long flags) {
  return runtime_call([&] {
    return cudaMemPoolExportToShareableHandle(
        handle, pool, static_cast<cudaMemAllocationHandleType>(type), static_cast<unsigned>(flags));
  });
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle,
                                            CUmemAllocationHandleType type,
                                            unsigned long long flags) {
  return runtime_call([&] {
    return cudaMemPoolImportFromShareableHandle(
        pool, handle, static_cast<cudaMemAllocationHandleType>(type), static_cast<unsigned>(flags));
  });
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr pointer) {
  return runtime_call([&] {
    return cudaMemPoolExportPointer(reinterpret_cast<cudaMemPoolPtrExportData*>(data),
                                    pointer_to(pointer));
  });
}

CUresult cuMemPoolImportPointer(CUdeviceptr* pointer, CUmemoryPool pool,
                                CUmemPoolPtrExportData* data) {
  return runtime_call([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    void* mapped = nullptr;
    const cudaError_t error =
        cudaMemPoolImportPointer(&mapped, pool, reinterpret_cast<cudaMemPoolPtrExportData*>(data));
    if (error == cudaSuccess) *pointer = address_of(mapped);
    return error;
  });
}
