// The host API of memory pools.
#include "api/memory_pools.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>

#include "api/call.hpp"

namespace heddle_host::api {
namespace {

class owned_file {
 public:
  explicit owned_file(int file) : file_(file) {}
  ~owned_file() { close(file_); }
  owned_file(const owned_file&) = delete;
  owned_file& operator=(const owned_file&) = delete;

  int number() const { return file_; }

 private:
  const int file_;
};

struct pool {
  int device = 0;
  bool can_be_exported = false;
  std::shared_ptr<const owned_file> imported_from = nullptr;
  std::uint64_t used = 0;
  std::uint64_t most_used = 0;
  std::uint64_t reserved = 0;  // used bytes, and bytes kept for later
  std::uint64_t most_reserved = 0;
  std::uint64_t release_threshold = 0;
  std::uint64_t most_bytes = 0;  // 0: no limit
  int reuse_rules[3] = {1, 1, 1};
  std::set<int> visitors = {};  // other devices that may access its memory

  void keep_at_most(std::uint64_t bytes) { reserved = std::max(used, std::min(reserved, bytes)); }
  bool is_accessible_from(int other) const { return other == device || visitors.contains(other); }
};

// The default pool of each device always exists.
struct pool_table {
  pool_table() {
    for (int device = 0; device < device_count(); ++device) start(device);
  }

  void start(int device) {
    pools[default_handle(device)] = {};
    pools[default_handle(device)].device = device;
    current[device] = default_handle(device);
  }

  bool is_default(cudaMemPool_t handle) const {
    const auto found = pools.find(handle);
    return found != pools.end() && handle == default_handle(found->second.device);
  }

  std::mutex mutex;
  std::map<cudaMemPool_t, pool> pools;
  cudaMemPool_t add(pool made) {
    const auto handle = reinterpret_cast<cudaMemPool_t>(next);
    next += 0x10;
    pools.emplace(handle, std::move(made));
    return handle;
  }

  std::uintptr_t next = 0x2000;
  std::map<int, cudaMemPool_t> current;  // by device

  static cudaMemPool_t default_handle(int device) {
    return reinterpret_cast<cudaMemPool_t>(0x1000 + 0x10 * static_cast<std::uintptr_t>(device));
  }
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
      if (number != 0) return cudaErrorInvalidValue;  // it can only be reset
      of.most_reserved = of.reserved;
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
      if (number != 0) return cudaErrorInvalidValue;
      of.most_used = of.used;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t check_access(const pool& of, const cudaMemAccessDesc& wanted) {
  if (wanted.location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
  if (!is_device(wanted.location.id)) return cudaErrorInvalidDevice;
  const bool gives = wanted.flags == cudaMemAccessFlagsProtReadWrite;
  const bool takes = wanted.flags == cudaMemAccessFlagsProtNone;
  // A device always has access to its own pools.
  return gives || (takes && wanted.location.id != of.device) ? cudaSuccess : cudaErrorInvalidValue;
}

// Changes nothing if one of the descriptions is invalid.
cudaError_t set_access(pool& of, const cudaMemAccessDesc* descriptions, std::size_t count) {
  for (std::size_t index = 0; index < count; ++index) {
    const cudaError_t error = check_access(of, descriptions[index]);
    if (error != cudaSuccess) return error;
  }
  for (std::size_t index = 0; index < count; ++index) {
    const int visitor = descriptions[index].location.id;
    if (descriptions[index].flags == cudaMemAccessFlagsProtNone) {
      of.visitors.erase(visitor);
    } else {
      of.visitors.insert(visitor);
    }
  }
  return cudaSuccess;
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
      number = of.reserved;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
      number = of.most_reserved;
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemCurrent:
      number = of.used;
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
      number = of.most_used;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

cudaMemPool_t current_pool(int device) {
  const std::lock_guard lock(all().mutex);
  return all().current[device];
}

int device_of_pool(cudaMemPool_t handle) {
  int device = 0;
  with_pool(handle, [&](pool& of) {
    device = of.device;
    return cudaSuccess;
  });
  return device;
}

bool is_pool(cudaMemPool_t handle) {
  return with_pool(handle, [](pool&) { return cudaSuccess; }) == cudaSuccess;
}

bool can_be_exported(cudaMemPool_t handle) {
  bool can = false;
  with_pool(handle, [&](pool& of) {
    can = of.can_be_exported;
    return cudaSuccess;
  });
  return can;
}

cudaMemPool_t add_imported_pool(int file) {
  pool made;
  made.device = current_device();
  made.imported_from = std::make_shared<owned_file>(file);
  const std::lock_guard lock(all().mutex);
  return all().add(std::move(made));
}

int file_of_imported(cudaMemPool_t handle) {
  int file = -1;
  with_pool(handle, [&](pool& of) {
    if (of.imported_from != nullptr) file = of.imported_from->number();
    return cudaSuccess;
  });
  return file;
}

bool has_room(cudaMemPool_t handle, std::size_t bytes) {
  bool has = false;
  with_pool(handle, [&](pool& of) {
    has = of.most_bytes == 0 || (bytes <= of.most_bytes && of.used <= of.most_bytes - bytes);
    return cudaSuccess;
  });
  return has;
}

void count_allocation(cudaMemPool_t handle, std::size_t bytes) {
  with_pool(handle, [&](pool& of) {
    of.used += bytes;
    of.most_used = std::max(of.most_used, of.used);
    of.reserved = std::max(of.reserved, of.used);
    of.most_reserved = std::max(of.most_reserved, of.reserved);
    return cudaSuccess;
  });
}

void count_release(cudaMemPool_t handle, std::size_t bytes) {
  with_pool(handle, [&](pool& of) {
    of.used -= bytes;
    of.keep_at_most(of.release_threshold);
    return cudaSuccess;
  });
}

void forget_pools(int device) {
  const std::lock_guard lock(all().mutex);
  std::erase_if(all().pools, [&](const auto& each) { return each.second.device == device; });
  all().start(device);
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
    if (!is_device(device)) return cudaErrorInvalidDevice;
    *handle = pool_table::default_handle(device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* handle, int device) {
  return device_call([&] {
    if (handle == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    *handle = api::current_pool(device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return device_call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    return api::with_pool(handle, [&](pool& of) {
      if (of.device != device || of.imported_from != nullptr) return cudaErrorInvalidValue;
      all().current[device] = handle;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* handle, const cudaMemPoolProps* properties) {
  return device_call([&] {
    if (handle == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    if (properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (properties->handleTypes != cudaMemHandleTypeNone &&
        properties->handleTypes != cudaMemHandleTypePosixFileDescriptor) {
      return cudaErrorNotSupported;
    }
    const bool is_on_device = properties->location.type == cudaMemLocationTypeDevice;
    if (is_on_device && !is_device(properties->location.id)) return cudaErrorInvalidDevice;
    const std::lock_guard lock(all().mutex);
    pool made;
    made.device = is_on_device ? properties->location.id : 0;
    made.most_bytes = properties->maxSize;
    made.can_be_exported = properties->handleTypes != cudaMemHandleTypeNone;
    *handle = all().add(std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return device_call([&] {
    const std::lock_guard lock(all().mutex);
    const auto found = all().pools.find(handle);
    if (found == all().pools.end() || all().is_default(handle)) return cudaErrorInvalidValue;
    const int device = found->second.device;
    all().pools.erase(found);
    if (all().current[device] == handle) all().current[device] = all().default_handle(device);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t bytes_to_keep) {
  return device_call([&] {
    return api::with_pool(handle, [&](pool& of) {
      of.keep_at_most(bytes_to_keep);
      return cudaSuccess;
    });
  });
}

namespace {
// Only device memory has pools here.
cudaError_t check_place(const cudaMemLocation* location, cudaMemAllocationType type) {
  if (location == nullptr) return cudaErrorInvalidValue;
  const bool is_of_device =
      location->type == cudaMemLocationTypeDevice && type == cudaMemAllocationTypePinned;
  return is_of_device ? cudaSuccess : cudaErrorNotSupported;
}
}  // namespace

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* handle, cudaMemLocation* location,
                                     cudaMemAllocationType type) {
  const cudaError_t error = check_place(location, type);
  if (error != cudaSuccess) return device_call([&] { return error; });
  return cudaDeviceGetDefaultMemPool(handle, location->id);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* handle, cudaMemLocation* location,
                              cudaMemAllocationType type) {
  const cudaError_t error = check_place(location, type);
  if (error != cudaSuccess) return device_call([&] { return error; });
  return cudaDeviceGetMemPool(handle, location->id);
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type,
                              cudaMemPool_t handle) {
  const cudaError_t error = check_place(location, type);
  if (error != cudaSuccess) return device_call([&] { return error; });
  return cudaDeviceSetMemPool(location->id, handle);
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
    return api::with_pool(handle,
                          [&](pool& of) { return api::set_access(of, descriptions, count); });
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                 cudaMemLocation* location) {
  return device_call([&] {
    if (flags == nullptr || location == nullptr) return cudaErrorInvalidValue;
    if (location->type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    if (!is_device(location->id)) return cudaErrorInvalidDevice;
    return api::with_pool(handle, [&](pool& of) {
      *flags = of.is_accessible_from(location->id) ? cudaMemAccessFlagsProtReadWrite
                                                   : cudaMemAccessFlagsProtNone;
      return cudaSuccess;
    });
  });
}
