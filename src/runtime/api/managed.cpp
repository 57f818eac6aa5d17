// The host API for hints about managed memory. They are validated and then ignored, since there is
// only one memory.
#include <cstdint>
#include <cstring>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>

#include "api/call.hpp"
#include "api/streams.hpp"
#include "memory/registry.hpp"

using namespace heddle_host;
using api::device_call;

namespace {

bool is_managed(const void* pointer, std::size_t bytes) {
  const auto found = memory::find(pointer);
  return found && found->from == memory::origin::managed && memory::holds(pointer, bytes);
}

cudaError_t check_location(cudaMemLocation location) {
  if (location.type == cudaMemLocationTypeInvalid) return cudaErrorInvalidValue;
  const bool is_unknown_device =
      location.type == cudaMemLocationTypeDevice && !is_device(location.id);
  return is_unknown_device ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaMemLocation location_of(int device) {
  cudaMemLocation location;
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

}  // namespace

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
  return device_call([&] {
    if (flags != 0 || bytes == 0 || !is_managed(pointer, bytes)) return cudaErrorInvalidValue;
    if (api::find_stream(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    return check_location(location);
  });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, bytes, location_of(device), 0, stream);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return device_call([&] {
    const bool is_known =
        advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy;
    if (!is_known || bytes == 0 || !is_managed(pointer, bytes)) return cudaErrorInvalidValue;
    const bool names_a_place = advice == cudaMemAdviseSetPreferredLocation ||
                               advice == cudaMemAdviseSetAccessedBy ||
                               advice == cudaMemAdviseUnsetAccessedBy;
    return names_a_place ? check_location(location) : cudaSuccess;
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(pointer, bytes, advice, location_of(device));
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  return device_call([&] {
    if (data == nullptr || data_bytes < sizeof(std::int32_t) || !is_managed(pointer, bytes)) {
      return cudaErrorInvalidValue;
    }
    const bool is_flag = attribute == cudaMemRangeAttributeReadMostly;
    const std::int32_t answer = is_flag ? 0 : cudaInvalidDeviceId;
    std::memcpy(data, &answer, sizeof answer);
    return cudaSuccess;
  });
}
