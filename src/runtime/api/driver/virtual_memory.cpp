// The driver API for virtual memory: the program maps physical memory to reserved addresses.
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>
#include <heddle_host/observer.hpp>

#include "api/driver/call.hpp"
#include "api/streams.hpp"
#include "memory/failing_allocation.hpp"
#include "memory/physical.hpp"
#include "memory/registry.hpp"

using namespace heddle_host::api;
namespace memory = heddle_host::memory;
using memory::mapping_granularity;
using memory::physical_memory;

namespace {

using handle_number = CUmemGenericAllocationHandle;

// Physical memory. Exists while it has a handle or is mapped.
struct object {
  std::shared_ptr<physical_memory> pages;
  CUmemAllocationProp properties;
  int handles = 1;
  int mappings = 0;
  bool may_have_content = false;  // it has been mapped before, or belongs to another process
};

struct mapping {
  std::size_t bytes;
  handle_number of;
  std::map<int, CUmemAccess_flags> access;  // by device; -1 is the host
};

// Guarded by `mutex`. Addresses are the keys.
struct tables {
  std::mutex mutex;
  std::map<CUdeviceptr, std::size_t> reserved;
  std::map<CUdeviceptr, mapping> mapped;
  std::map<handle_number, object> objects;
  handle_number next = 0x1004;

  handle_number add(std::shared_ptr<physical_memory> pages, const CUmemAllocationProp& properties) {
    objects.emplace(next, object{std::move(pages), properties});
    return std::exchange(next, next + 0x10);
  }

  void drop_if_unused(handle_number which) {
    const auto found = objects.find(which);
    if (found->second.handles == 0 && found->second.mappings == 0) objects.erase(found);
  }

  // Null if the handle is unknown or has been released.
  object* find(handle_number which) {
    const auto found = objects.find(which);
    return found == objects.end() || found->second.handles == 0 ? nullptr : &found->second;
  }

  bool is_reserved(CUdeviceptr begin, std::size_t bytes) const {
    auto after = reserved.upper_bound(begin);
    if (after == reserved.begin()) return false;
    const auto& [base, size] = *--after;
    return begin - base < size && bytes <= size - (begin - base);
  }

  bool has_mapping_in(CUdeviceptr begin, std::size_t bytes) const {
    auto next_one = mapped.lower_bound(begin);
    if (next_one != mapped.end() && next_one->first < begin + bytes) return true;
    if (next_one == mapped.begin()) return false;
    const auto& [base, before] = *--next_one;
    return base + before.bytes > begin;
  }

  // The mappings that together cover exactly the range; empty if they do not.
  std::vector<std::map<CUdeviceptr, mapping>::iterator> exactly(CUdeviceptr begin,
                                                                std::size_t bytes) {
    std::vector<std::map<CUdeviceptr, mapping>::iterator> found;
    CUdeviceptr at = begin;
    while (at < begin + bytes) {
      const auto here = mapped.find(at);
      if (here == mapped.end()) return {};
      at += here->second.bytes;
      found.push_back(here);
    }
    if (at != begin + bytes) found.clear();
    return found;
  }

  std::map<CUdeviceptr, mapping>::iterator around(CUdeviceptr address) {
    auto after = mapped.upper_bound(address);
    if (after == mapped.begin()) return mapped.end();
    --after;
    return address - after->first < after->second.bytes ? after : mapped.end();
  }
};

// Never destroyed: the host may make calls while the program exits.
tables& all() {
  static tables& only = *new tables;
  return only;
}

template <typename Body>
CUresult locked_call(Body&& body) {
  return context_call([&] {
    const std::lock_guard lock(all().mutex);
    return std::forward<Body>(body)(all());
  });
}

bool is_valid_size(std::size_t bytes) { return bytes != 0 && bytes % mapping_granularity == 0; }

CUresult check_properties(const CUmemAllocationProp* wanted) {
  if (wanted == nullptr || wanted->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const unsigned known = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  if ((static_cast<unsigned>(wanted->requestedHandleTypes) & ~known) != 0) {
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  if (wanted->location.type == CU_MEM_LOCATION_TYPE_INVALID) return CUDA_ERROR_INVALID_VALUE;
  const bool is_on_device = wanted->location.type == CU_MEM_LOCATION_TYPE_DEVICE;
  const bool is_known = !is_on_device || heddle_host::is_device(wanted->location.id);
  return is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

int device_of(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : -1;
}

memory::allocation as_allocation(CUdeviceptr begin, const mapping& what, int device) {
  memory::allocation one;
  one.base = static_cast<char*>(pointer_to(begin));
  one.bytes = what.bytes;
  one.device = device;
  one.is_mapped = true;
  one.owner = owner_of_new_objects();
  return one;
}

void forget(CUdeviceptr begin) {
  const auto known = memory::take(pointer_to(begin), {memory::origin::device});
  if (known) memory::release(*known);
}

// Applies the mapping's access flags, and registers the memory only while it is accessible.
CUresult apply_access(tables& in, CUdeviceptr begin, const mapping& what) {
  bool may_read = false, may_write = false;
  for (const auto& [device, flags] : what.access) {
    may_read = may_read || flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    may_write = may_write || flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  }
  if (!memory::set_access(pointer_to(begin), what.bytes, may_read, may_write)) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  const auto known = memory::find(pointer_to(begin));
  if (!may_read) forget(begin);
  if (!may_read || known) return CUDA_SUCCESS;
  object& of = in.objects.at(what.of);
  memory::add(as_allocation(begin, what, of.pages->device));
  heddle_host::observer* const watching = heddle_host::current_observer();
  if (watching != nullptr && of.may_have_content) {
    watching->bytes_arrive(pointer_to(begin), nullptr, what.bytes);
  }
  of.may_have_content = true;
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* wanted,
                                       CUmemAllocationGranularity_flags) {
  return driver_call([&] {
    if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = check_properties(wanted);
    if (result == CUDA_SUCCESS) *bytes = mapping_granularity;
    return result;
  });
}

CUresult cuMemAddressReserve(CUdeviceptr* base, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return locked_call([&](tables& in) {
    const bool is_power_of_two = (alignment & (alignment - 1)) == 0;
    if (base == nullptr || !is_valid_size(bytes) || !is_power_of_two || flags != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    void* const found = memory::reserve_addresses(bytes, alignment);
    if (found == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    *base = address_of(found);
    in.reserved.emplace(*base, bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAddressFree(CUdeviceptr base, size_t bytes) {
  return locked_call([&](tables& in) {
    const auto found = in.reserved.find(base);
    if (found == in.reserved.end() || found->second != bytes || in.has_mapping_in(base, bytes)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    in.reserved.erase(found);
    memory::release_addresses(pointer_to(base), bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                     const CUmemAllocationProp* wanted, unsigned long long flags) {
  return locked_call([&](tables& in) {
    if (handle == nullptr || !is_valid_size(bytes) || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult result = check_properties(wanted); result != CUDA_SUCCESS) return result;
    if (memory::allocation_is_to_fail()) return CUDA_ERROR_OUT_OF_MEMORY;
    const int device = device_of(wanted->location);
    auto pages = physical_memory::create(bytes, device < 0 ? 0 : device);
    if (pages == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    *handle = in.add(std::move(pages), *wanted);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return locked_call([&](tables& in) {
    object* const found = in.find(handle);
    if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    --found->handles;
    in.drop_if_unused(handle);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemMap(CUdeviceptr begin, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return locked_call([&](tables& in) {
    object* const found = in.find(handle);
    const bool is_valid = found != nullptr && offset == 0 && flags == 0 && is_valid_size(bytes) &&
                          begin % mapping_granularity == 0 && in.is_reserved(begin, bytes) &&
                          !in.has_mapping_in(begin, bytes);
    if (!is_valid) return CUDA_ERROR_INVALID_VALUE;
    if (bytes != found->pages->bytes) return CUDA_ERROR_NOT_SUPPORTED;
    if (!found->pages->map_at(pointer_to(begin))) return CUDA_ERROR_OUT_OF_MEMORY;
    ++found->mappings;
    in.mapped.emplace(begin, mapping{bytes, handle, {}});
    return CUDA_SUCCESS;
  });
}

CUresult cuMemUnmap(CUdeviceptr begin, size_t bytes) {
  return context_call([&] {
    // Work that uses the memory may still run.
    by_runtime([] { return synchronize_device(); });
    const std::lock_guard lock(all().mutex);
    const auto pieces = all().exactly(begin, bytes);
    // CUDA accepts reserved addresses where nothing is mapped.
    const bool is_unused = all().is_reserved(begin, bytes) && !all().has_mapping_in(begin, bytes);
    if (pieces.empty() && !is_unused) return CUDA_ERROR_INVALID_VALUE;
    for (const auto& each : pieces) {
      forget(each->first);
      memory::unmap(pointer_to(each->first), each->second.bytes);
      const handle_number of = each->second.of;
      all().mapped.erase(each);
      --all().objects.at(of).mappings;
      all().drop_if_unused(of);
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuMemSetAccess(CUdeviceptr begin, size_t bytes, const CUmemAccessDesc* wanted,
                        size_t count) {
  return locked_call([&](tables& in) {
    const auto pieces = in.exactly(begin, bytes);
    if (pieces.empty() || wanted == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < count; ++i) {
      const int device = device_of(wanted[i].location);
      if (device >= 0 && !heddle_host::is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    }
    for (const auto& each : pieces) {
      for (std::size_t i = 0; i < count; ++i) {
        each->second.access[device_of(wanted[i].location)] = wanted[i].flags;
      }
      const CUresult result = apply_access(in, each->first, each->second);
      if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                        CUdeviceptr address) {
  return locked_call([&](tables& in) {
    const auto found = in.around(address);
    if (flags == nullptr || location == nullptr || found == in.mapped.end()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    const auto access = found->second.access.find(device_of(*location));
    *flags = access == found->second.access.end() ? CU_MEM_ACCESS_FLAGS_PROT_NONE : access->second;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return locked_call([&](tables& in) {
    const auto found = in.around(address_of(address));
    if (handle == nullptr || found == in.mapped.end()) return CUDA_ERROR_INVALID_VALUE;
    *handle = found->second.of;
    ++in.objects.at(*handle).handles;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  return locked_call([&](tables& in) {
    const object* const found = in.find(handle);
    if (properties == nullptr || found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *properties = found->properties;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  return locked_call([&](tables& in) {
    const object* const found = in.find(handle);
    const bool is_valid = shareable != nullptr && found != nullptr && flags == 0 &&
                          type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR &&
                          found->properties.requestedHandleTypes == type;
    if (!is_valid) return CUDA_ERROR_INVALID_VALUE;
    const int file = found->pages->export_file();
    if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
    *static_cast<int*>(shareable) = file;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shareable,
                                        CUmemAllocationHandleType type) {
  return locked_call([&](tables& in) {
    if (handle == nullptr || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    const int device = current_context()->device;
    const int file = static_cast<int>(reinterpret_cast<std::intptr_t>(shareable));
    auto pages = physical_memory::open(file, device);
    if (pages == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = type;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    *handle = in.add(std::move(pages), properties);
    in.objects.at(*handle).may_have_content = true;
    return CUDA_SUCCESS;
  });
}
