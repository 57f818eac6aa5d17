// The driver API for primary contexts, which the runtime API uses.
#include <heddle_host/devices.hpp>

#include "api/device.hpp"
#include "api/driver/call.hpp"

using namespace heddle_host::api;

namespace {

template <typename Body>
CUresult primary_call(CUdevice device, Body&& body) {
  return driver_call([&] {
    if (!heddle_host::is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    return std::forward<Body>(body)(primary_context(device));
  });
}

}  // namespace

CUresult cuDevicePrimaryCtxRetain(CUcontext* handle, CUdevice device) {
  return primary_call(device, [&](context& primary) {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    ++primary.retained;
    primary.is_alive = true;
    *handle = primary.handle;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return primary_call(device, [&](context& primary) {
    if (primary.retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--primary.retained == 0 && !primary.is_used_by_runtime) reset_device(device);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return primary_call(device, [&](context& primary) {
    const unsigned scheduling = flags & CU_CTX_SCHED_MASK;
    if ((flags & ~unsigned{CU_CTX_FLAGS_MASK}) != 0 || (scheduling & (scheduling - 1)) != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    primary.flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* is_active) {
  return primary_call(device, [&](const context& primary) {
    if (flags == nullptr || is_active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = primary.flags;
    *is_active = primary.is_alive;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return primary_call(device, [&](const context&) {
    reset_device(device);
    return CUDA_SUCCESS;
  });
}
