// The host API for arrays and mipmapped arrays: creation, description, release.
#include <cstdint>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>

#include "api/allocation.hpp"
#include "api/arrays.hpp"
#include "api/call.hpp"
#include "api/channel_format.hpp"
#include "api/device_facts.hpp"

namespace heddle_host::api {
namespace {

struct mipmapped_array {
  array_levels levels;
  std::vector<cudaArray_t> handles;  // of the levels
};

// Handles are numbers that are never reused, so that stale ones are detected. They differ from the
// numbers of streams, events and graphs, and from every address.
struct array_table {
  std::mutex mutex;
  std::uintptr_t next = 0x1002;
  std::unordered_map<const void*, array_pointer> arrays;
  std::unordered_map<const void*, mipmapped_array> mipmapped;

  // The caller holds the mutex.
  template <typename Handle>
  Handle new_handle() {
    return reinterpret_cast<Handle>(std::exchange(next, next + 0x10));
  }
};

// Never destroyed: work may still run while the program exits.
array_table& table() {
  static array_table& only = *new array_table;
  return only;
}

bool is_within(const cudaExtent& extent, const array_limits& most) {
  return extent.width <= most.width && extent.height <= most.height && extent.depth <= most.depth;
}

constexpr unsigned known_flags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                                 cudaArrayTextureGather | cudaArrayColorAttachment;

cudaError_t check_shape(const cudaExtent& extent, unsigned flags) {
  if ((flags & (cudaArraySparse | cudaArrayDeferredMapping)) != 0) return cudaErrorNotSupported;
  if ((flags & ~known_flags) != 0 || extent.width == 0) return cudaErrorInvalidValue;
  const bool is_layered = (flags & cudaArrayLayered) != 0;
  const auto valid_if = [](bool is_valid) {
    return is_valid ? cudaSuccess : cudaErrorInvalidValue;
  };
  if ((flags & cudaArrayTextureGather) != 0 && (extent.height == 0 || extent.depth != 0)) {
    return cudaErrorInvalidValue;
  }
  if ((flags & cudaArrayCubemap) != 0) {
    const bool has_faces =
        is_layered ? extent.depth > 0 && extent.depth % 6 == 0 : extent.depth == 6;
    return valid_if(has_faces && extent.width == extent.height && is_within(extent, largest_cubes));
  }
  if (is_layered) {
    const auto& most = extent.height == 0 ? largest_lines_in_layers : largest_planes_in_layers;
    return valid_if(extent.depth > 0 && is_within(extent, most));
  }
  if (extent.depth > 0) return valid_if(extent.height > 0 && is_within(extent, largest_volume));
  return valid_if(is_within(extent, extent.height > 0 ? largest_plane : largest_line));
}

cudaError_t make_array(array_pointer& made, const cudaChannelFormatDesc& format,
                       const cudaExtent& extent, unsigned flags) {
  if (channels_of(format) == 0) return cudaErrorInvalidChannelDescriptor;
  if (const cudaError_t error = check_shape(extent, flags); error != cudaSuccess) return error;
  array fresh{format, extent, flags, nullptr, element_bytes_of(format), current_device()};
  if (fresh.slices() > std::numeric_limits<std::size_t>::max() / fresh.slice_bytes()) {
    return cudaErrorMemoryAllocation;
  }
  void* memory = nullptr;
  const cudaError_t error = allocate_device_memory(&memory, fresh.slice_bytes() * fresh.slices());
  if (error != cudaSuccess) return error;
  fresh.memory = static_cast<char*>(memory);
  made = std::make_shared<const array>(fresh);
  return cudaSuccess;
}

cudaError_t create(cudaArray_t* handle, const cudaChannelFormatDesc* format,
                   const cudaExtent& extent, unsigned flags) {
  if (handle == nullptr || format == nullptr) return cudaErrorInvalidValue;
  array_pointer made;
  if (const cudaError_t error = make_array(made, *format, extent, flags); error != cudaSuccess) {
    return error;
  }
  const std::lock_guard lock(table().mutex);
  *handle = table().new_handle<cudaArray_t>();
  table().arrays.emplace(*handle, std::move(made));
  return cudaSuccess;
}

cudaError_t release_levels(const array_levels& levels) {
  cudaError_t result = cudaSuccess;
  for (const array_pointer& level : levels) {
    const cudaError_t error = free_device_memory(level->memory);
    if (result == cudaSuccess) result = error;
  }
  return result;
}

// The extent of the next, coarser level.
cudaExtent half_of(const cudaExtent& extent, bool keeps_depth) {
  const auto half = [](std::size_t size) { return size > 1 ? size / 2 : size; };
  return {half(extent.width), half(extent.height), keeps_depth ? extent.depth : half(extent.depth)};
}

// The number of levels from the extent down to a single element.
unsigned most_levels(const cudaExtent& extent, bool keeps_depth) {
  std::size_t size = std::max(extent.width, extent.height);
  if (!keeps_depth) size = std::max(size, extent.depth);
  unsigned levels = 1;
  for (; size > 1; size /= 2) ++levels;
  return levels;
}

cudaError_t create_levels(cudaMipmappedArray_t* handle, const cudaChannelFormatDesc* format,
                          cudaExtent extent, unsigned count, unsigned flags) {
  if (handle == nullptr || format == nullptr || count == 0) return cudaErrorInvalidValue;
  const bool keeps_depth = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  mipmapped_array made;
  for (unsigned left = std::min(count, most_levels(extent, keeps_depth)); left > 0; --left) {
    array_pointer level;
    if (const cudaError_t error = make_array(level, *format, extent, flags); error != cudaSuccess) {
      release_levels(made.levels);
      return error;
    }
    made.levels.push_back(std::move(level));
    extent = half_of(extent, keeps_depth);
  }
  const std::lock_guard lock(table().mutex);
  for (const array_pointer& level : made.levels) {
    made.handles.push_back(table().new_handle<cudaArray_t>());
    table().arrays.emplace(made.handles.back(), level);
  }
  *handle = table().new_handle<cudaMipmappedArray_t>();
  table().mipmapped.emplace(*handle, std::move(made));
  return cudaSuccess;
}

// Null if the handle is unknown or belongs to a level of a mipmapped array.
array_pointer take_array(cudaArray_t handle) {
  const std::lock_guard lock(table().mutex);
  for (const auto& [whole, each] : table().mipmapped) {
    if (std::count(each.handles.begin(), each.handles.end(), handle) != 0) return nullptr;
  }
  auto taken = table().arrays.extract(handle);
  return taken.empty() ? nullptr : std::move(taken.mapped());
}

array_levels take_levels(cudaMipmappedArray_t handle) {
  const std::lock_guard lock(table().mutex);
  auto taken = table().mipmapped.extract(handle);
  if (taken.empty()) return {};
  for (const cudaArray_t level : taken.mapped().handles) table().arrays.erase(level);
  return std::move(taken.mapped().levels);
}

}  // namespace

array_pointer find_array(cudaArray_const_t handle) {
  const std::lock_guard lock(table().mutex);
  const auto found = table().arrays.find(handle);
  return found == table().arrays.end() ? nullptr : found->second;
}

array_levels find_levels(cudaMipmappedArray_const_t handle) {
  const std::lock_guard lock(table().mutex);
  const auto found = table().mipmapped.find(handle);
  return found == table().mipmapped.end() ? array_levels{} : found->second.levels;
}

void forget_arrays(int device) {
  const std::lock_guard lock(table().mutex);
  std::erase_if(table().arrays, [&](const auto& each) { return each.second->device == device; });
  std::erase_if(table().mipmapped,
                [&](const auto& each) { return each.second.levels[0]->device == device; });
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned int flags) {
  return device_call([&] {
    // Only cudaMalloc3DArray makes layered arrays and cubemaps.
    if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0) return cudaErrorInvalidValue;
    return api::create(array, format, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned int flags) {
  return device_call([&] { return api::create(array, format, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return device_call([&] {
    if (array == nullptr) return cudaSuccess;
    const api::array_pointer taken = api::take_array(array);
    if (taken == nullptr) return api::refuse(cudaErrorInvalidResourceHandle, array);
    return api::free_device_memory(taken->memory);
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  return device_call([&] {
    const api::array_pointer found = api::find_array(array);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (format != nullptr) *format = found->format;
    if (extent != nullptr) *extent = found->extent;
    if (flags != nullptr) *flags = found->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return device_call([&] {
    const api::array_pointer found = api::find_array(array);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (format == nullptr) return cudaErrorInvalidValue;
    *format = found->format;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* format, cudaExtent extent,
                                     unsigned int levels, unsigned int flags) {
  return device_call([&] { return api::create_levels(array, format, extent, levels, flags); });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned int number) {
  return device_call([&] {
    if (level == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(api::table().mutex);
    const auto found = api::table().mipmapped.find(array);
    if (found == api::table().mipmapped.end()) return cudaErrorInvalidResourceHandle;
    if (number >= found->second.handles.size()) return cudaErrorInvalidValue;
    *level = found->second.handles[number];
    return cudaSuccess;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return device_call([&] {
    if (array == nullptr) return cudaSuccess;
    const api::array_levels taken = api::take_levels(array);
    if (taken.empty()) return api::refuse(cudaErrorInvalidResourceHandle, array);
    return api::release_levels(taken);
  });
}
