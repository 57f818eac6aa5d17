// The host API for surface objects.
#include "machine/surface.hpp"

#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>

#include "api/arrays.hpp"
#include "api/call.hpp"
#include "api/surfaces.hpp"

namespace heddle_host::api {
namespace {

struct surface_description {
  cudaResourceDesc resource;
  int device;
};

struct surface_table {
  std::mutex mutex;
  std::unordered_map<cudaSurfaceObject_t, surface_description> alive;
  // Includes destroyed ones, because kernels launched earlier may still use them, as on a GPU.
  std::deque<surface> all;
};

// Never destroyed: work may still run while the program exits.
surface_table& surfaces() {
  static surface_table& only = *new surface_table;
  return only;
}

}  // namespace

void forget_surfaces(int device) {
  const std::lock_guard lock(surfaces().mutex);
  std::erase_if(surfaces().alive, [&](const auto& each) { return each.second.device == device; });
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;
using api::surfaces;

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource) {
  return device_call([&] {
    if (handle == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    if (resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
    const api::array_pointer over = api::find_array(resource->res.array.array);
    if (over == nullptr) return cudaErrorInvalidResourceHandle;
    const std::lock_guard lock(surfaces().mutex);
    surfaces().all.push_back({over->memory, over->row_bytes(), over->rows(), over->slices()});
    *handle = reinterpret_cast<std::uintptr_t>(&surfaces().all.back());
    surfaces().alive[*handle] = {*resource, current_device()};
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
  return device_call([&] {
    const std::lock_guard lock(surfaces().mutex);
    surfaces().alive.erase(handle);  // CUDA ignores unknown handles
    return cudaSuccess;
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t handle) {
  return device_call([&] {
    const std::lock_guard lock(surfaces().mutex);
    const auto found = surfaces().alive.find(handle);
    if (resource == nullptr || found == surfaces().alive.end()) return cudaErrorInvalidValue;
    *resource = found->second.resource;
    return cudaSuccess;
  });
}
