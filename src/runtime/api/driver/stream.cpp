// The driver API for streams. It has the same handles and flags as the runtime API.
#include <memory>

#include <cuda_runtime_api.h>

#include "api/driver/call.hpp"
#include "api/streams.hpp"

using namespace heddle_host::api;

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return runtime_call([&] { return cudaStreamCreateWithFlags(stream, flags); });
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return runtime_call([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUresult cuStreamDestroy(CUstream stream) {
  return runtime_call([&] { return cudaStreamDestroy(stream); });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return runtime_call([&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamQuery(CUstream stream) {
  return runtime_call([&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return runtime_call([&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return runtime_call([&] { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return runtime_call([&] { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return runtime_call([&] { return cudaStreamGetId(stream, id); });
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return runtime_call([&] { return cudaStreamGetDevice(stream, device); });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* handle) {
  return context_call([&] {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    // The default streams exist in every context.
    const bool is_default =
        stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
    const auto found = find_stream(stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const context* const owner = is_default          ? current_context()
                                 : found->owner == 0 ? &primary_context(found->device)
                                                     : context_numbered(found->owner);
    *handle = owner->handle;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes,
                                unsigned flags) {
  return runtime_call(
      [&] { return cudaStreamAttachMemAsync(stream, pointer_to(pointer), bytes, flags); });
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute,
                              const CUstreamAttrValue* value) {
  return runtime_call([&] {
    return cudaStreamSetAttribute(stream, static_cast<cudaStreamAttrID>(attribute),
                                  reinterpret_cast<const cudaStreamAttrValue*>(value));
  });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  return runtime_call([&] { return cudaLaunchHostFunc(stream, function, user_data); });
}

namespace {

// Adapts the driver's callback to the runtime's, which gets the runtime's error code.
struct callback {
  CUstreamCallback function;
  void* user_data;

  static void call(CUstream stream, cudaError_t status, void* self) {
    const std::unique_ptr<callback> mine(static_cast<callback*>(self));
    mine->function(stream, driver_result(status), mine->user_data);
  }
};

}  // namespace

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void* user_data,
                             unsigned flags) {
  return runtime_call([&] {
    if (function == nullptr) return cudaErrorInvalidValue;
    auto made = std::make_unique<callback>(callback{function, user_data});
    const cudaError_t error = cudaStreamAddCallback(stream, callback::call, made.get(), flags);
    if (error == cudaSuccess) static_cast<void>(made.release());
    return error;
  });
}
