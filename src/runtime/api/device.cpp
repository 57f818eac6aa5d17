// The host API for devices: selection, capabilities, limits.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>
#include <heddle_host/options.hpp>

#include "api/arrays.hpp"
#include "api/call.hpp"
#include "api/device.hpp"
#include "api/device_description.hpp"
#include "api/device_facts.hpp"
#include "api/driver/contexts.hpp"
#include "api/graph_memory.hpp"
#include "api/memory_pools.hpp"
#include "api/peers.hpp"
#include "api/streams.hpp"
#include "api/surfaces.hpp"
#include "api/textures.hpp"
#include "machine/child_work.hpp"
#include "memory/registry.hpp"
#include "stream/capture.hpp"
#include "stream/fault.hpp"

namespace heddle_host {

namespace api {
namespace {

// The values of cudaDeviceSetLimit, indexed by limit. The runtime keeps the stack size itself.
constexpr std::array<std::size_t, 7> initial_limits = {
    0, std::size_t{1} << 20, std::size_t{8} << 20, 2, 2048, 64, 0};
// No kernel needs a larger stack per lane.
constexpr std::size_t largest_stack = std::size_t{64} << 20;

struct limits {
  std::mutex mutex;
  std::array<std::size_t, 7> values = initial_limits;
  const std::size_t initial_stack = stack_bytes();
};

limits& the_limits() {
  static limits& only = *new limits;
  return only;
}

void reset_limits() {
  const std::lock_guard lock(the_limits().mutex);
  the_limits().values = initial_limits;
  set_most_pending_children(initial_limits[cudaLimitDevRuntimePendingLaunchCount]);
  set_stack_bytes(the_limits().initial_stack);
}

std::atomic<unsigned> device_flags{cudaDeviceMapHost};
std::atomic<cudaFuncCache> cache_preference{cudaFuncCachePreferNone};
std::atomic<cudaSharedMemConfig> shared_banks{cudaSharedMemBankSizeFourByte};

}  // namespace

void reset_device(int device) {
  const int selected = current_device();
  select_device(device);
  synchronize_device();
  forget_graphs();
  forget_graph_memory(device);
  forget_streams(device);
  forget_events(device);
  forget_pools(device);
  forget_peers(device);
  forget_textures(device);
  forget_surfaces(device);
  forget_arrays(device);
  for (const memory::allocation& each : memory::take_all_of(device)) memory::release(each);
  reset_limits();
  stream::clear_fault();
  retire_context(primary_context(device));
  select_device(selected);
}

}  // namespace api
}  // namespace heddle_host

using namespace heddle_host;
using api::call_from_anywhere;
using api::device_call;
using api::query;

cudaError_t cudaGetDeviceCount(int* count) {
  return query([&] {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = device_count();
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return query([&] {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = current_device();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return device_call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    api::use_primary_context(device);
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return device_call([&] { return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaSetValidDevices(int* devices, int length) {
  return query([&] {
    if (length < 0 || (length > 0 && devices == nullptr)) return cudaErrorInvalidValue;
    const bool all_exist = std::all_of(devices, devices + length, is_device);
    return all_exist ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return query([&] {
    if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return query([&] {
    if ((flags & ~unsigned{cudaDeviceMask}) != 0) return cudaErrorInvalidValue;
    api::device_flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return query([&] {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = api::device_flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return query([&] {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    *properties = api::describe_device(device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return query([&] {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    return api::read_attribute(*value, attribute, device) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return device_call([] {
    const cudaError_t error = stream::forbid_unsafe_call();
    return error != cudaSuccess ? error : api::synchronize_device();
  });
}

cudaError_t cudaDeviceReset() {
  return query([] {
    if (stream::in_host_code()) return cudaErrorNotPermitted;
    const int device = current_device();
    api::reset_device(device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return device_call([&] {
    if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize) {
      return cudaErrorInvalidValue;
    }
    const std::lock_guard lock(api::the_limits().mutex);
    if (limit == cudaLimitStackSize) {
      if (value > api::largest_stack) return cudaErrorInvalidValue;
      set_stack_bytes(value);
      return cudaSuccess;
    }
    api::the_limits().values[limit] = value;
    if (limit == cudaLimitDevRuntimePendingLaunchCount) set_most_pending_children(value);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call_from_anywhere([&] {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize) {
      return cudaErrorUnsupportedLimit;
    }
    const std::lock_guard lock(api::the_limits().mutex);
    *value = limit == cudaLimitStackSize ? stack_bytes() : api::the_limits().values[limit];
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return device_call([&] {
    api::cache_preference = config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call_from_anywhere([&] {
    if (config == nullptr) return cudaErrorInvalidValue;
    *config = api::cache_preference;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return device_call([&] {
    api::shared_banks = config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call_from_anywhere([&] {
    if (config == nullptr) return cudaErrorInvalidValue;
    *config = api::shared_banks;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* identifier, int length, int device) {
  return query([&] {
    if (identifier == nullptr || length < 13) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    std::snprintf(identifier, static_cast<std::size_t>(length), "%s", api::bus_id(device).c_str());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* identifier) {
  return query([&] {
    if (device == nullptr || identifier == nullptr) return cudaErrorInvalidValue;
    *device = api::device_at(identifier);
    return is_device(*device) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return device_call([] { return cudaSuccess; });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return query([&] {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = api::version;
    return cudaSuccess;
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
