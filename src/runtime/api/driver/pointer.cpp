// The driver API that describes what a pointer refers to.
#include <optional>

#include <cuda_runtime_api.h>

#include "api/driver/call.hpp"
#include "memory/registry.hpp"

using namespace heddle_host::api;
using heddle_host::memory::allocation;
using heddle_host::memory::origin;

namespace {

bool is_host_memory(const allocation& in) {
  return in.from == origin::pinned || in.from == origin::registered;
}

template <typename T>
CUresult put(void* to, T value) {
  *static_cast<T*>(to) = value;
  return CUDA_SUCCESS;
}

CUcontext context_of(const allocation& in) {
  if (in.owner == 0) return primary_context(in.device).handle;
  const context* const owner = context_numbered(in.owner);
  return owner == nullptr ? nullptr : owner->handle;
}

CUresult read(void* to, CUpointer_attribute attribute, CUdeviceptr address, const allocation& in) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return put(to, context_of(in));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return put(to, is_host_memory(in) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return put(to, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!is_host_memory(in) && in.from != origin::managed) return CUDA_ERROR_INVALID_VALUE;
      return put(to, pointer_to(address));
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return put(to, false);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return put(to, in.number);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return put(to, in.from == origin::managed);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return put(to, in.device);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return put(to, in.from == origin::device && in.pool == nullptr);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      return put(to, in.base);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      return put(to, in.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return put(to, true);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return put(to, std::uint64_t{0});
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return put(to, CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return put(to, in.pool);
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return put(to, in.number);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// What cuPointerGetAttributes stores if an attribute does not apply.
CUresult clear(void* to, CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return put(to, CUmemorytype{});
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return put(to, false);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return put(to, -2);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return put(to, CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE);
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return put(to, std::uint64_t{0});
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

CUresult cuPointerGetAttribute(void* to, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return context_call([&] {
    const auto found = heddle_host::memory::find(pointer_to(pointer));
    if (to == nullptr || !found) return CUDA_ERROR_INVALID_VALUE;
    return read(to, attribute, pointer, *found);
  });
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** to,
                                CUdeviceptr pointer) {
  return context_call([&] {
    if (attributes == nullptr || to == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    const auto found = heddle_host::memory::find(pointer_to(pointer));
    for (unsigned i = 0; i < count; ++i) {
      const bool was_read = found && read(to[i], attributes[i], pointer, *found) == CUDA_SUCCESS;
      if (was_read) continue;
      if (const CUresult result = clear(to[i], attributes[i]); result != CUDA_SUCCESS) {
        return result;
      }
    }
    return CUDA_SUCCESS;
  });
}

// Setting SYNC_MEMOPS changes nothing: synchronous copies are already synchronous.
CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                               CUdeviceptr pointer) {
  return context_call([&] {
    const bool is_known = heddle_host::memory::find(pointer_to(pointer)).has_value();
    const bool is_valid =
        value != nullptr && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && is_known;
    return is_valid ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}
