// The host API for texture objects.
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>

#include "api/arrays.hpp"
#include "api/call.hpp"
#include "api/channel_format.hpp"
#include "api/device_facts.hpp"
#include "api/textures.hpp"
#include "machine/sampled_texture.hpp"

namespace heddle_host::api {
namespace {

struct texture_descriptors {
  cudaResourceDesc resource;
  cudaTextureDesc description;
  int device;
};

struct texture_table {
  std::mutex mutex;
  std::unordered_map<cudaTextureObject_t, texture_descriptors> alive;
  // Includes destroyed ones: kernels launched earlier may still read them, as on a GPU.
  std::deque<sampled_texture> all;
};

texture_table& textures() {
  static texture_table& only = *new texture_table;
  return only;
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

// The content of a resource: one image for each mipmap level.
struct resource_content {
  cudaChannelFormatDesc format = {};
  std::vector<texture_image> images;
};

texture_image image_of(const array& from) {
  return {reinterpret_cast<const unsigned char*>(from.memory),
          from.extent.width,
          from.rows(),
          from.slices(),
          from.row_bytes(),
          from.slice_bytes(),
          (from.flags & cudaArrayLayered) != 0};
}

bool is_aligned(const void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return address != 0 && address % pitch_alignment == 0;
}

cudaError_t open_linear(resource_content& content, const cudaResourceDesc& resource) {
  const auto& linear = resource.res.linear;
  if (!is_aligned(linear.devPtr)) return cudaErrorInvalidValue;
  if (channels_of(linear.desc) == 0) return cudaErrorInvalidChannelDescriptor;
  content.format = linear.desc;
  const std::size_t elements = linear.sizeInBytes / element_bytes_of(linear.desc);
  content.images.push_back(
      {static_cast<const unsigned char*>(linear.devPtr), elements, 1, 1, 0, 0});
  return cudaSuccess;
}

cudaError_t open_pitched(resource_content& content, const cudaResourceDesc& resource) {
  const auto& rows = resource.res.pitch2D;
  if (!is_aligned(rows.devPtr)) return cudaErrorInvalidValue;
  if (channels_of(rows.desc) == 0) return cudaErrorInvalidChannelDescriptor;
  const bool fits =
      rows.width > 0 && rows.width <= max_pitched_texture_width && rows.height > 0 &&
      rows.height <= max_pitched_texture_height && rows.pitchInBytes <= max_pitched_texture_pitch &&
      rows.pitchInBytes % texture_pitch_alignment == 0 &&
      (rows.pitchInBytes == 0 || rows.pitchInBytes >= rows.width * element_bytes_of(rows.desc));
  if (!fits) return cudaErrorInvalidValue;
  content.format = rows.desc;
  content.images.push_back({static_cast<const unsigned char*>(rows.devPtr), rows.width, rows.height,
                            1, rows.pitchInBytes, 0});
  return cudaSuccess;
}

cudaError_t open_arrays(resource_content& content, const array_levels& levels) {
  if (levels.empty() || levels[0] == nullptr) return cudaErrorInvalidResourceHandle;
  content.format = levels[0]->format;
  for (const array_pointer& level : levels) content.images.push_back(image_of(*level));
  return cudaSuccess;
}

cudaError_t open(resource_content& content, const cudaResourceDesc& resource) {
  switch (resource.resType) {
    case cudaResourceTypeLinear:
      return open_linear(content, resource);
    case cudaResourceTypePitch2D:
      return open_pitched(content, resource);
    case cudaResourceTypeArray:
      return open_arrays(content, {find_array(resource.res.array.array)});
    case cudaResourceTypeMipmappedArray:
      return open_arrays(content, find_levels(resource.res.mipmap.mipmap));
    default:
      return cudaErrorInvalidValue;
  }
}

// Like CUDA, also checks settings that fetches ignore.
cudaError_t check(const resource_content& content, const cudaTextureDesc& description) {
  if (description.filterMode > cudaFilterModeLinear) return cudaErrorInvalidValue;
  if (description.mipmapFilterMode > cudaFilterModeLinear) return cudaErrorInvalidValue;
  for (const cudaTextureAddressMode mode : description.addressMode) {
    if (mode > cudaAddressModeBorder) return cudaErrorInvalidValue;
  }
  const bool is_float = content.format.f == cudaChannelFormatKindFloat;
  const bool is_normalized = description.readMode == cudaReadModeNormalizedFloat;
  if (is_normalized && (is_float || content.format.x == 32)) return cudaErrorInvalidNormSetting;
  if (description.filterMode == cudaFilterModeLinear && !is_normalized && !is_float) {
    return cudaErrorInvalidFilterSetting;
  }
  // Mipmap levels differ in size, so their coordinates must be normalised.
  if (content.images.size() > 1 && description.normalizedCoords == 0) return cudaErrorInvalidValue;
  const bool converts_colours = description.sRGB != 0 && is_normalized && content.format.x == 8;
  const bool joins_faces =
      description.seamlessCubemap != 0 && description.filterMode == cudaFilterModeLinear;
  return converts_colours || joins_faces ? cudaErrorNotSupported : cudaSuccess;
}

cudaError_t check_view(const cudaResourceViewDesc* view, cudaResourceType of) {
  if (view == nullptr) return cudaSuccess;
  const bool is_array = of == cudaResourceTypeArray || of == cudaResourceTypeMipmappedArray;
  return is_array ? cudaErrorNotSupported : cudaErrorInvalidValue;
}

sampled_texture make_texture(resource_content content, const cudaTextureDesc& description) {
  sampled_texture made;
  made.memory = content.images[0].memory;
  made.elements = content.images[0].width;
  made.channels = channels_of(content.format);
  made.channel_bytes = channel_bytes_of(content.format);
  made.reading = reading_of(content.format, description.readMode);
  made.levels = std::move(content.images);
  made.how = description;
  return made;
}

}  // namespace

void forget_textures(int device) {
  const std::lock_guard lock(textures().mutex);
  std::erase_if(textures().alive, [&](const auto& each) { return each.second.device == device; });
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;
using api::textures;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
  return device_call([&] {
    if (handle == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    if (description == nullptr) return cudaErrorInvalidResourceHandle;
    api::resource_content content;
    cudaError_t error = api::open(content, *resource);
    if (error == cudaSuccess) error = api::check(content, *description);
    if (error == cudaSuccess) error = api::check_view(view, resource->resType);
    if (error != cudaSuccess) return error;
    const std::lock_guard lock(textures().mutex);
    textures().all.push_back(api::make_texture(std::move(content), *description));
    *handle = reinterpret_cast<std::uintptr_t>(static_cast<texture*>(&textures().all.back()));
    textures().alive[*handle] = {*resource, *description, current_device()};
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
