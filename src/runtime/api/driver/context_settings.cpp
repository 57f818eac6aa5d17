// The driver API for a context's settings: limits, cache preferences, peers.
#include <cuda_runtime_api.h>

#include "api/driver/call.hpp"

using namespace heddle_host::api;

// Limits, cache preferences and bank sizes have the same values in both APIs.
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return context_call([&] {
    size_t ignored = 0;
    const CUresult result = cuCtxGetLimit(&ignored, limit);
    if (result != CUDA_SUCCESS) return result;
    return by_runtime([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
  });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return runtime_call([&] {
    return limit < CU_LIMIT_MAX ? cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit))
                                : cudaErrorInvalidValue;
  });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return runtime_call([&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return context_call([&] {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaFuncCache same = cudaFuncCachePreferNone;
    const CUresult result = by_runtime([&] { return cudaDeviceGetCacheConfig(&same); });
    *config = static_cast<CUfunc_cache>(same);
    return result;
  });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  const auto same = static_cast<cudaSharedMemConfig>(config);
  return runtime_call([&] { return cudaDeviceSetSharedMemConfig(same); });
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return context_call([&] {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaSharedMemConfig same = cudaSharedMemBankSizeFourByte;
    const CUresult result = by_runtime([&] { return cudaDeviceGetSharedMemConfig(&same); });
    *config = static_cast<CUsharedconfig>(same);
    return result;
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return runtime_call([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuCtxResetPersistingL2Cache() {
  return runtime_call([] { return cudaCtxResetPersistingL2Cache(); });
}

namespace {

template <typename Body>
CUresult peer_call(CUcontext handle, Body&& body) {
  return context_call([&] {
    const context* const peer = find_context(handle);
    const CUresult obstacle = obstacle_in(peer);
    return obstacle != CUDA_SUCCESS ? obstacle : by_runtime([&] { return body(*peer); });
  });
}

}  // namespace

CUresult cuCtxEnablePeerAccess(CUcontext handle, unsigned flags) {
  return peer_call(
      handle, [&](const context& peer) { return cudaDeviceEnablePeerAccess(peer.device, flags); });
}

CUresult cuCtxDisablePeerAccess(CUcontext handle) {
  return peer_call(handle,
                   [](const context& peer) { return cudaDeviceDisablePeerAccess(peer.device); });
}
