// Finds driver functions by name and CUDA version.
#include <cstring>

#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/device_facts.hpp"
#include "api/driver/call.hpp"

namespace {

// Older forms of functions, for programs that ask for the CUDA version they were written for. Other
// old forms have the same parameters as the new ones, or date from 32-bit platforms.
CUresult cuCtxCreate_v3020(CUcontext* handle, unsigned flags, CUdevice device) {
  return cuCtxCreate(handle, nullptr, flags, device);
}

CUresult cuCtxCreate_v11040(CUcontext* handle, CUexecAffinityParam*, int, unsigned flags,
                            CUdevice device) {
  return cuCtxCreate(handle, nullptr, flags, device);
}

CUmemLocation location_of(CUdevice device) {
  CUmemLocation location{};
  const bool is_host = device == CU_DEVICE_CPU;
  location.type = is_host ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = is_host ? 0 : device;
  return location;
}

CUresult cuMemAdvise_v8000(CUdeviceptr pointer, size_t bytes, CUmem_advise advice,
                           CUdevice device) {
  return cuMemAdvise(pointer, bytes, advice, location_of(device));
}

CUresult cuMemPrefetchAsync_v8000(CUdeviceptr pointer, size_t bytes, CUdevice device,
                                  CUstream stream) {
  return cuMemPrefetchAsync(pointer, bytes, location_of(device), 0, stream);
}

CUresult cuStreamBeginCapture_v10000(CUstream stream) {
  return cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuGetProcAddress_v11030(const char* symbol, void** function, int version,
                                 cuuint64_t flags) {
  const CUresult result = cuGetProcAddress(symbol, function, version, flags, nullptr);
  return result == CUDA_SUCCESS && *function == nullptr ? CUDA_ERROR_NOT_FOUND : result;
}

struct entry_point {
  int since;  // the version of CUDA
  const char* name;
  void* function;
};

const entry_point entry_points[] = {
#define HEDDLE_DRIVER_CALL(version, name, parameters) \
  {version, #name, reinterpret_cast<void*>(&name)},
#include <detail/driver_calls.inc>
#include <detail/driver_stops.inc>
#undef HEDDLE_DRIVER_CALL
    {3020, "cuCtxCreate", reinterpret_cast<void*>(&cuCtxCreate_v3020)},
    {11040, "cuCtxCreate", reinterpret_cast<void*>(&cuCtxCreate_v11040)},
    {13000, "cuCtxGetDevice", reinterpret_cast<void*>(&cuCtxGetDevice_v2)},
    {13000, "cuCtxSynchronize", reinterpret_cast<void*>(&cuCtxSynchronize_v2)},
    {7000, "cuDevicePrimaryCtxRelease", reinterpret_cast<void*>(&cuDevicePrimaryCtxRelease)},
    {7000, "cuDevicePrimaryCtxReset", reinterpret_cast<void*>(&cuDevicePrimaryCtxReset)},
    {7000, "cuDevicePrimaryCtxSetFlags", reinterpret_cast<void*>(&cuDevicePrimaryCtxSetFlags)},
    {9020, "cuDeviceGetUuid", reinterpret_cast<void*>(&cuDeviceGetUuid)},
    {2000, "cuEventElapsedTime", reinterpret_cast<void*>(&cuEventElapsedTime)},
    {11030, "cuGetProcAddress", reinterpret_cast<void*>(&cuGetProcAddress_v11030)},
    {8000, "cuMemAdvise", reinterpret_cast<void*>(&cuMemAdvise_v8000)},
    {4000, "cuMemHostRegister", reinterpret_cast<void*>(&cuMemHostRegister)},
    {8000, "cuMemPrefetchAsync", reinterpret_cast<void*>(&cuMemPrefetchAsync_v8000)},
    {10000, "cuStreamBeginCapture", reinterpret_cast<void*>(&cuStreamBeginCapture_v10000)},
    {12050, "cuStreamGetCtx", reinterpret_cast<void*>(&cuStreamGetCtx_v2)},
};

// Finds the newest form that is not newer than `version`.
CUdriverProcAddressQueryResult find(const char* name, int version, void** function) {
  *function = nullptr;
  bool is_known = false;
  int newest = 0;
  for (const entry_point& each : entry_points) {
    if (std::strcmp(each.name, name) != 0) continue;
    is_known = true;
    if (each.since > version || each.since < newest) continue;
    newest = each.since;
    *function = each.function;
  }
  if (*function != nullptr) return CU_GET_PROC_ADDRESS_SUCCESS;
  return is_known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                  : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
}

}  // namespace

using namespace heddle_host::api;

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
  constexpr cuuint64_t both =
      CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (symbol == nullptr || function == nullptr || flags >= both ||
      version > heddle_host::api::version) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const CUdriverProcAddressQueryResult found = find(symbol, version, function);
  if (status != nullptr) *status = found;
  return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                             unsigned int version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return query([&] {
    CUdriverProcAddressQueryResult found;
    const CUresult result =
        cuGetProcAddress(symbol, function, static_cast<int>(version), flags, &found);
    if (result != CUDA_SUCCESS) return cudaErrorInvalidValue;
    if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
    return cudaSuccess;
  });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, version, flags, status);
}
