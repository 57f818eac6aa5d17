// The driver API that shares memory with other processes. Its handles are the runtime API's.
#include <cstring>

#include <cuda_runtime_api.h>

#include "api/driver/call.hpp"

using namespace heddle_host::api;

static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t));

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

CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
  return runtime_call([&] { return cudaIpcCloseMemHandle(pointer_to(pointer)); });
}
