// The driver API that copies memory.
#include <cuda_runtime_api.h>

#include "api/driver/call.hpp"

using namespace heddle_host::api;

namespace {

CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return runtime_call([&] { return cudaMemcpy(to, from, bytes, kind); });
}

CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, CUstream stream) {
  return runtime_call([&] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

}  // namespace

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDefault);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return copy(pointer_to(to), from, bytes, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return copy(to, pointer_to(from), bytes, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDefault, stream);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return copy(pointer_to(to), from, bytes, cudaMemcpyHostToDevice, stream);
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(to, pointer_to(from), bytes, cudaMemcpyDeviceToHost, stream);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice, stream);
}

namespace {

// Calls `body` with the devices of both contexts.
template <typename Body>
CUresult peer_copy(CUcontext to, CUcontext from, Body&& body) {
  return context_call([&] {
    const context* const destination = find_context(to);
    const context* const source = find_context(from);
    if (const CUresult obstacle = obstacle_in(destination); obstacle != CUDA_SUCCESS) {
      return obstacle;
    }
    if (const CUresult obstacle = obstacle_in(source); obstacle != CUDA_SUCCESS) return obstacle;
    return by_runtime([&] { return body(destination->device, source->device); });
  });
}

}  // namespace

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t bytes) {
  return peer_copy(to_context, from_context, [&](int to_device, int from_device) {
    return cudaMemcpyPeer(pointer_to(to), to_device, pointer_to(from), from_device, bytes);
  });
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream) {
  return peer_copy(to_context, from_context, [&](int to_device, int from_device) {
    return cudaMemcpyPeerAsync(pointer_to(to), to_device, pointer_to(from), from_device, bytes,
                               stream);
  });
}
