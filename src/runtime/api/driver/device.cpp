// The driver API for devices. Its calls do not change the runtime's last error.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>

#include "api/device_description.hpp"
#include "api/device_facts.hpp"
#include "api/driver/call.hpp"
#include "api/driver/initialization.hpp"
#include "api/peers.hpp"

namespace heddle_host::api {
namespace {

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
}  // namespace heddle_host::api

using namespace heddle_host::api;
using heddle_host::is_device;

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
    *count = heddle_host::device_count();
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
  return device_query(name, device,
                      [&] { return put_text(name, length, describe_device(device).name); });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return device_query(uuid, device, [&] {
    *uuid = describe_device(device).uuid;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return device_query(bytes, device, [&] {
    *bytes = describe_device(device).totalGlobalMem;
    return CUDA_SUCCESS;
  });
}

// The driver's attributes have the runtime's numbers.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return device_query(value, device, [&] {
    const auto same = static_cast<cudaDeviceAttr>(attribute);
    return read_attribute(*value, same, device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return device_query(properties, device, [&] {
    const cudaDeviceProp all = describe_device(device);
    properties->maxThreadsPerBlock = all.maxThreadsPerBlock;
    std::copy(std::begin(all.maxThreadsDim), std::end(all.maxThreadsDim),
              properties->maxThreadsDim);
    std::copy(std::begin(all.maxGridSize), std::end(all.maxGridSize), properties->maxGridSize);
    properties->sharedMemPerBlock = static_cast<int>(all.sharedMemPerBlock);
    properties->totalConstantMemory = static_cast<int>(all.totalConstMem);
    properties->SIMDWidth = all.warpSize;
    properties->memPitch = static_cast<int>(all.memPitch);
    properties->regsPerBlock = all.regsPerBlock;
    read_attribute(properties->clockRate, cudaDevAttrClockRate, device);
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
  return device_query(identifier, device,
                      [&] { return put_text(identifier, length, bus_id(device).c_str()); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* identifier) {
  return driver_call([&] {
    if (device == nullptr || identifier == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = device_at(identifier);
    return is_device(*device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
  });
}

CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  return device_query(can_access, device, [&] {
    if (!is_device(peer)) return CUDA_ERROR_INVALID_DEVICE;
    *can_access = can_access_peer(device, peer);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice source,
                                 CUdevice destination) {
  return driver_call([&] {
    return by_runtime([&] {
      const auto same = static_cast<cudaDeviceP2PAttr>(attribute);
      return cudaDeviceGetP2PAttribute(value, same, source, destination);
    });
  });
}
