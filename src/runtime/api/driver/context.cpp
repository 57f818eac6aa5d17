// The driver API that creates, destroys and selects contexts.
#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>

#include "api/driver/call.hpp"
#include "api/streams.hpp"
#include "memory/registry.hpp"

using namespace heddle_host::api;
using heddle_host::is_device;

namespace {

// CUDA accepts and ignores obsolete flags.
constexpr unsigned known_flags = CU_CTX_FLAGS_MASK;

bool has_valid_flags(unsigned flags) {
  const unsigned scheduling = flags & CU_CTX_SCHED_MASK;
  const bool names_one_way = (scheduling & (scheduling - 1)) == 0;
  return (flags & ~known_flags) == 0 && names_one_way;
}

// Waits for the work of the context's device, and frees what belongs to the context.
void destroy(context& which) {
  const int selected = heddle_host::current_device();
  heddle_host::select_device(which.device);
  by_runtime([] { return synchronize_device(); });
  forget_streams_owned_by(which.id);
  forget_events_owned_by(which.id);
  for (const auto& each : heddle_host::memory::take_all_owned_by(which.id)) {
    heddle_host::memory::release(each);
  }
  heddle_host::select_device(selected);
  retire_context(which);
}

// The body of a call about a context: the given one, or the current one if it is null.
template <typename Body>
CUresult call_about(CUcontext handle, Body&& body) {
  return driver_call([&] {
    context* const which = handle == nullptr ? current_context() : find_context(handle);
    const CUresult obstacle = obstacle_in(which);
    return obstacle != CUDA_SUCCESS ? obstacle : std::forward<Body>(body)(*which);
  });
}

}  // namespace

CUresult cuCtxCreate(CUcontext* handle, CUctxCreateParams*, unsigned flags, CUdevice device) {
  return driver_call([&] {
    if (handle == nullptr || !has_valid_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    context& fresh = create_context(device, flags);
    push_context(fresh);
    *handle = fresh.handle;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDestroy(CUcontext handle) {
  return driver_call([&] {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    context* const which = find_context(handle);
    if (which == nullptr || which->is_primary) return CUDA_ERROR_INVALID_CONTEXT;
    if (!which->is_alive) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    destroy(*which);
    if (current_context() == which) pop_context();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPushCurrent(CUcontext handle) {
  return driver_call([&] {
    context* const which = find_context(handle);
    const CUresult obstacle = obstacle_in(which);
    if (obstacle == CUDA_SUCCESS) push_context(*which);
    return obstacle;
  });
}

CUresult cuCtxPopCurrent(CUcontext* handle) {
  return driver_call([&] {
    const context* const popped = pop_context();
    if (popped == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (handle != nullptr) *handle = popped->handle;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  return driver_call([&] {
    if (handle == nullptr) {
      make_current(nullptr);
      return CUDA_SUCCESS;
    }
    context* const which = find_context(handle);
    const CUresult obstacle = obstacle_in(which);
    if (obstacle == CUDA_SUCCESS) make_current(which);
    return obstacle;
  });
}

CUresult cuCtxGetCurrent(CUcontext* handle) {
  return driver_call([&] {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const context* const mine = current_context();
    *handle = mine == nullptr ? nullptr : mine->handle;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) { return cuCtxGetDevice_v2(device, nullptr); }

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext handle) {
  return call_about(handle, [&](const context& which) {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = which.device;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return context_call([&] {
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = current_context()->flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetFlags(unsigned flags) {
  return context_call([&] {
    if (!has_valid_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
    current_context()->flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
  return call_about(handle, [&](const context& which) {
    if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *id = which.id;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned* version) {
  return call_about(handle, [&](const context&) {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *version = 3020;  // of every context since CUDA 3.2
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize() {
  return runtime_call([] { return cudaDeviceSynchronize(); });
}

CUresult cuCtxSynchronize_v2(CUcontext handle) {
  return call_about(handle, [](const context& which) {
    const int selected = heddle_host::current_device();
    heddle_host::select_device(which.device);
    const CUresult result = by_runtime([] { return cudaDeviceSynchronize(); });
    heddle_host::select_device(selected);
    return result;
  });
}
