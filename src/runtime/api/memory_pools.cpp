// The host API of memory pools.
#include "api/memory_pools.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

#include <cuda_runtime_api.h>

#include "api/call.hpp"

namespace heddle_host::api {
namespace {

struct pool {
  std::uint64_t used = 0;
  std::uint64_t most_used = 0;
  std::uint64_t release_threshold = 0;
  int reuse_rules[3] = {1, 1, 1};
};

// The default pool has the first handle and always exists.
struct pool_table {
  std::mutex mutex;
  std::map<cudaMemPool_t, pool> pools = {{default_handle(), pool{}}};
  std::uintptr_t next = 0x2000;
  cudaMemPool_t current = default_handle();

  static cudaMemPool_t default_handle() { return reinterpret_cast<cudaMemPool_t>(0x1000); }
};

pool_table& all() {
  static pool_table& only = *new pool_table;
  return only;
}

// Calls `use` with the pool of this handle, under the lock.
template <typename Use>
cudaError_t with_pool(cudaMemPool_t handle, Use&& use) {
  const std::lock_guard lock(all().mutex);
  const auto found = all().pools.find(handle);
  return found == all().pools.end() ? cudaErrorInvalidValue : use(found->second);
}

bool is_reuse_rule(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t set(pool& of, cudaMemPoolAttr attribute, const void* value) {
  if (is_reuse_rule(attribute)) {
    of.reuse_rules[attribute - 1] = *static_cast<const int*>(value);
    return cudaSuccess;
  }
  const std::uint64_t number = *static_cast<const std::uint64_t*>(value);
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      of.release_threshold = number;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      if (number != 0) return cudaErrorInvalidValue;  // it can only be reset
      of.most_used = of.used;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t get(const pool& of, cudaMemPoolAttr attribute, void* value) {
  if (is_reuse_rule(attribute)) {
    *static_cast<int*>(value) = of.reuse_rules[attribute - 1];
    return cudaSuccess;
  }
  auto& number = *static_cast<std::uint64_t*>(value);
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      number = of.release_threshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      number = of.used;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      number = of.most_used;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

cudaMemPool_t current_pool() {
  const std::lock_guard lock(all().mutex);
  return all().current;
}

bool is_pool(cudaMemPool_t handle) {
  return with_pool(handle, [](pool&) { return cudaSuccess; }) == cudaSuccess;
}

void count_allocation(cudaMemPool_t handle, std::size_t bytes) {
  with_pool(handle, [&](pool& of) {
    of.used += bytes;
    of.most_used = std::max(of.most_used, of.used);
    return cudaSuccess;
  });
}

void count_release(cudaMemPool_t handle, std::size_t bytes) {
  with_pool(handle, [&](pool& of) {
    of.used -= bytes;
    return cudaSuccess;
  });
}

void forget_pools() {
  const std::lock_guard lock(all().mutex);
  all().pools = {{pool_table::default_handle(), pool{}}};
  all().current = pool_table::default_handle();
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::all;
using api::device_call;
using api::pool;
using api::pool_table;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* handle, int device) {
  return device_call([&] {
    if (handle == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *handle = pool_table::default_handle();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* handle, int device) {
  return device_call([&] {
    if (handle == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *handle = api::current_pool();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return device_call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    return api::with_pool(handle, [&](pool&) {
      all().current = handle;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* handle, const cudaMemPoolProps* properties) {
  return device_call([&] {
    if (handle == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    if (properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (properties->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
    const bool is_on_device = properties->location.type == cudaMemLocationTypeDevice;
    if (is_on_device && properties->location.id != 0) return cudaErrorInvalidDevice;
    const std::lock_guard lock(all().mutex);
    *handle = reinterpret_cast<cudaMemPool_t>(all().next);
    all().next += 0x10;
    all().pools.emplace(*handle, pool{});
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return device_call([&] {
    const std::lock_guard lock(all().mutex);
    if (handle == pool_table::default_handle()) return cudaErrorInvalidValue;
    if (all().pools.erase(handle) == 0) return cudaErrorInvalidValue;
    if (all().current == handle) all().current = pool_table::default_handle();
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t) {
  return device_call([&] { return api::with_pool(handle, [](pool&) { return cudaSuccess; }); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return device_call([&] {
    if (value == nullptr) return cudaErrorInvalidValue;
    return api::with_pool(handle, [&](pool& of) { return api::set(of, attribute, value); });
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return device_call([&] {
    if (value == nullptr) return cudaErrorInvalidValue;
    return api::with_pool(handle, [&](pool& of) { return api::get(of, attribute, value); });
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* descriptions,
                                 size_t count) {
  return device_call([&] {
    if (descriptions == nullptr && count > 0) return cudaErrorInvalidValue;
    return api::with_pool(handle, [](pool&) { return cudaSuccess; });
  });
}
