// The host API of texture objects over linear memory.
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>

#include <cuda_runtime_api.h>
#include <heddle_host/texture.hpp>

#include "api/call.hpp"
#include "api/device_facts.hpp"
#include "api/textures.hpp"

namespace heddle_host::api {
namespace {

struct texture_descriptors {
  cudaResourceDesc resource;
  cudaTextureDesc description;
};

struct texture_table {
  std::mutex mutex;
  std::unordered_map<cudaTextureObject_t, texture_descriptors> alive;
  // Includes destroyed ones: kernels launched earlier may still read them, as on a GPU.
  std::deque<texture> all;
};

texture_table& textures() {
  static texture_table& only = *new texture_table;
  return only;
}

// 0 if there is no such format.
unsigned channels_of(const cudaChannelFormatDesc& format) {
  const int bits = format.x;
  const bool is_integer =
      format.f == cudaChannelFormatKindSigned || format.f == cudaChannelFormatKindUnsigned;
  const bool is_float = format.f == cudaChannelFormatKindFloat;
  if (!(bits == 8 && is_integer) && !((bits == 16 || bits == 32) && (is_integer || is_float))) {
    return 0;
  }
  const auto rest_is = [&](int y, int z, int w) {
    return format.y == y && format.z == z && format.w == w;
  };
  return rest_is(0, 0, 0) ? 1 : rest_is(bits, 0, 0) ? 2 : rest_is(bits, bits, bits) ? 4 : 0;
}

channel_reading reading_of(const cudaChannelFormatDesc& format, cudaTextureReadMode mode) {
  const bool has_sign = format.f == cudaChannelFormatKindSigned;
  if (mode == cudaReadModeNormalizedFloat) {
    return has_sign ? channel_reading::normalized_with_sign : channel_reading::normalized;
  }
  if (has_sign) return channel_reading::with_sign;
  const bool is_half = format.f == cudaChannelFormatKindFloat && format.x == 16;
  return is_half ? channel_reading::from_half : channel_reading::as_they_are;
}

// As in CUDA, settings that fetches from linear memory ignore are checked, too.
cudaError_t check(const cudaResourceDesc& resource, const cudaTextureDesc& description) {
  if (resource.resType != cudaResourceTypeLinear) return cudaErrorInvalidValue;
  const auto& linear = resource.res.linear;
  const auto address = reinterpret_cast<std::uintptr_t>(linear.devPtr);
  if (address == 0 || address % pitch_alignment != 0) return cudaErrorInvalidValue;
  if (channels_of(linear.desc) == 0) return cudaErrorInvalidChannelDescriptor;
  if (description.filterMode > cudaFilterModeLinear) return cudaErrorInvalidValue;
  if (description.addressMode[0] > cudaAddressModeBorder) return cudaErrorInvalidValue;
  const bool is_float = linear.desc.f == cudaChannelFormatKindFloat;
  const bool is_normalized = description.readMode == cudaReadModeNormalizedFloat;
  if (is_normalized && (is_float || linear.desc.x == 32)) return cudaErrorInvalidNormSetting;
  if (description.filterMode == cudaFilterModeLinear && !is_normalized && !is_float) {
    return cudaErrorInvalidFilterSetting;
  }
  const bool converts_colours = description.sRGB != 0 && is_normalized && linear.desc.x == 8;
  return converts_colours ? cudaErrorNotSupported : cudaSuccess;
}

}  // namespace

void forget_textures() {
  const std::lock_guard lock(textures().mutex);
  textures().alive.clear();
  textures().all.clear();
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;
using api::textures;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc*) {
  return device_call([&] {
    if (handle == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    if (description == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = api::check(*resource, *description); error != cudaSuccess) {
      return error;
    }
    const auto& linear = resource->res.linear;
    texture made;
    made.memory = static_cast<const unsigned char*>(linear.devPtr);
    made.channels = api::channels_of(linear.desc);
    made.channel_bytes = static_cast<unsigned>(linear.desc.x) / 8;
    made.elements = linear.sizeInBytes / (made.channels * made.channel_bytes);
    made.reading = api::reading_of(linear.desc, description->readMode);
    const std::lock_guard lock(textures().mutex);
    textures().all.push_back(made);
    *handle = reinterpret_cast<std::uintptr_t>(&textures().all.back());
    textures().alive[*handle] = {*resource, *description};
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
  return device_call([&] {
    const std::lock_guard lock(textures().mutex);
    textures().alive.erase(handle);  // CUDA ignores unknown handles
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t handle) {
  return device_call([&] {
    const std::lock_guard lock(textures().mutex);
    const auto found = textures().alive.find(handle);
    if (resource == nullptr || found == textures().alive.end()) return cudaErrorInvalidValue;
    *resource = found->second.resource;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t handle) {
  return device_call([&] {
    const std::lock_guard lock(textures().mutex);
    const auto found = textures().alive.find(handle);
    if (description == nullptr || found == textures().alive.end()) return cudaErrorInvalidValue;
    *description = found->second.description;
    return cudaSuccess;
  });
}
