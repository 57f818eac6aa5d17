// The driver API's calls about the only device. They do not change the runtime's last error.
#include "api/driver.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include <cuda.h>

#include "api/device_description.hpp"
#include "api/device_facts.hpp"

namespace heddle_host::api {
namespace {

std::atomic<bool> is_initialized{false};

// The body of a call that requires cuInit.
template <typename Body>
CUresult driver_call(Body&& body) {
  return is_initialized.load(std::memory_order_relaxed) ? std::forward<Body>(body)()
                                                        : CUDA_ERROR_NOT_INITIALIZED;
}

// The body of a call that stores a fact about a device in `answer`.
template <typename Answer, typename Body>
CUresult device_query(Answer* answer, CUdevice device, Body&& body) {
  return driver_call([&] {
    if (answer == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    return std::forward<Body>(body)();
  });
}

// Copies as much of a text as fits, always null-terminated.
CUresult put_text(char* to, int length, const char* text) {
  if (length <= 0) return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(to, static_cast<std::size_t>(length), "%s", text);
  return CUDA_SUCCESS;
}

}  // namespace

void initialize_driver() noexcept {
  // Read first, so that concurrent calls do not contend for the cache line.
  if (!is_initialized.load(std::memory_order_relaxed)) {
    is_initialized.store(true, std::memory_order_relaxed);
  }
}

}  // namespace heddle_host::api

using namespace heddle_host::api;

CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  initialize_driver();
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* number) {
  if (number == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *number = version;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  return driver_call([&] {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *count = 1;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return device_query(device, ordinal, [&] {
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return device_query(name, device, [&] { return put_text(name, length, describe_device().name); });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return device_query(uuid, device, [&] {
    *uuid = describe_device().uuid;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return device_query(bytes, device, [&] {
    *bytes = describe_device().totalGlobalMem;
    return CUDA_SUCCESS;
  });
}

// The driver's attributes have the runtime's numbers.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return device_query(value, device, [&] {
    const auto same = static_cast<cudaDeviceAttr>(attribute);
    return read_attribute(*value, same) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return device_query(properties, device, [&] {
    const cudaDeviceProp all = describe_device();
    properties->maxThreadsPerBlock = all.maxThreadsPerBlock;
    std::copy(std::begin(all.maxThreadsDim), std::end(all.maxThreadsDim),
              properties->maxThreadsDim);
    std::copy(std::begin(all.maxGridSize), std::end(all.maxGridSize), properties->maxGridSize);
    properties->sharedMemPerBlock = static_cast<int>(all.sharedMemPerBlock);
    properties->totalConstantMemory = static_cast<int>(all.totalConstMem);
    properties->SIMDWidth = all.warpSize;
    properties->memPitch = static_cast<int>(all.memPitch);
    properties->regsPerBlock = all.regsPerBlock;
    read_attribute(properties->clockRate, cudaDevAttrClockRate);
    properties->textureAlign = static_cast<int>(all.textureAlignment);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return device_query(major, device, [&] {
    if (minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *major = compute_major;
    *minor = compute_minor;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetPCIBusId(char* identifier, int length, CUdevice device) {
  return device_query(identifier, device, [&] { return put_text(identifier, length, bus_id); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* identifier) {
  return driver_call([&] {
    if (device == nullptr || identifier == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (std::strcmp(identifier, bus_id) != 0) return CUDA_ERROR_INVALID_DEVICE;
    *device = 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  return device_query(can_access, device, [&] {
    if (!is_device(peer)) return CUDA_ERROR_INVALID_DEVICE;
    *can_access = 0;  // a device is not its own peer
    return CUDA_SUCCESS;
  });
}
