// The host API that allocates and frees memory and describes pointers.
#include "api/allocation.hpp"

#include <limits>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>

#include "api/call.hpp"
#include "api/device_facts.hpp"
#include "api/driver/contexts.hpp"
#include "api/graph_memory.hpp"
#include "api/memory_pools.hpp"
#include "api/streams.hpp"
#include "memory/failing_allocation.hpp"
#include "memory/heap.hpp"
#include "memory/registry.hpp"
#include "stream/capture.hpp"

namespace heddle_host::api {
namespace {

using memory::allocation;
using memory::origin;

// Allocates and registers memory. As in CUDA, zero bytes give success and a null pointer.
cudaError_t allocate(void** pointer, std::size_t bytes, const allocation& kind) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (memory::allocation_is_to_fail()) return cudaErrorMemoryAllocation;
  void* const block =
      kind.from == origin::pinned ? memory::obtain_host(bytes) : memory::obtain(bytes, kind.device);
  if (block == nullptr) return cudaErrorMemoryAllocation;
  allocation fresh = kind;
  fresh.base = static_cast<char*>(block);
  fresh.bytes = bytes;
  memory::add(fresh);
  *pointer = block;
  return cudaSuccess;
}

// For calls that may have to wait for the device, which a capture forbids.
cudaError_t allocate_safely(void** pointer, std::size_t bytes, const allocation& kind) {
  const cudaError_t error = stream::forbid_unsafe_call();
  return error != cudaSuccess ? error : allocate(pointer, bytes, kind);
}

allocation kind_of(origin from, unsigned flags = 0) {
  allocation kind;
  kind.from = from;
  kind.device = current_device();
  kind.flags = flags;
  kind.owner = owner_of_new_objects();
  return kind;
}

cudaError_t free_now(void* pointer, std::initializer_list<origin> origins) {
  if (pointer == nullptr) return cudaSuccess;
  if (const cudaError_t error = stream::forbid_unsafe_call(); error != cudaSuccess) return error;
  const auto found = memory::find(pointer);
  if (!found || found->base != pointer || found->will_be_freed || found->is_mapped) {
    return refuse(cudaErrorInvalidValue, pointer);
  }
  const cudaError_t fault = synchronize_device();
  if (is_graph_memory(pointer)) {
    const cudaError_t error = free_graph_memory_now(pointer);
    return error != cudaSuccess ? refuse(error, pointer) : fault;
  }
  const auto taken = memory::take(pointer, origins);
  if (!taken) return refuse(cudaErrorInvalidValue, pointer);
  if (taken->pool != nullptr) count_release(taken->pool, taken->bytes);
  memory::release(*taken);
  return fault;
}

cudaError_t allocate_pitched(void** pointer, std::size_t& pitch, std::size_t width,
                             std::size_t rows) {
  const std::size_t rounded = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  if (rounded < width) return cudaErrorInvalidValue;
  if (rows > 0 && rounded > std::numeric_limits<std::size_t>::max() / rows) {
    return cudaErrorMemoryAllocation;
  }
  pitch = rounded;
  return allocate_safely(pointer, rounded * rows, kind_of(origin::device));
}

// If `pool` is null, uses the current pool of the stream's device.
cudaError_t allocate_in_stream(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                               cudaStream_t handle) {
  const stream::queue_pointer queue = find_stream(handle);
  if (queue == nullptr) return cudaErrorInvalidResourceHandle;
  if (pool == nullptr) pool = current_pool(queue->device);
  if (!is_pool(pool) || file_of_imported(pool) >= 0) return cudaErrorInvalidValue;
  if (stream::state_of_capture(queue).status != cudaStreamCaptureStatusNone) {
    stream::operation what;
    const cudaError_t error = make_allocation(what, pointer, bytes, device_of_pool(pool), pool);
    if (error != cudaSuccess) return error;
    return stream::submit(queue, std::move(what), stream::urgency::background).error;
  }
  // The memory exists at once; the caller must order its uses after the stream.
  if (!has_room(pool, bytes)) return cudaErrorMemoryAllocation;
  allocation kind = kind_of(origin::device);
  kind.device = device_of_pool(pool);
  kind.pool = pool;
  const cudaError_t error = allocate(pointer, bytes, kind);
  if (error == cudaSuccess && *pointer != nullptr) count_allocation(pool, bytes);
  return error;
}

void take_and_release(void* pointer) {
  const auto taken = memory::take(pointer, {origin::device, origin::managed});
  if (!taken) return;
  if (taken->pool != nullptr) count_release(taken->pool, taken->bytes);
  memory::release(*taken);
}

cudaError_t free_in_stream(void* pointer, cudaStream_t handle) {
  const stream::queue_pointer queue = find_stream(handle);
  if (queue == nullptr) return cudaErrorInvalidResourceHandle;
  if (pointer == nullptr) return cudaSuccess;
  const bool is_captured = stream::state_of_capture(queue).status != cudaStreamCaptureStatusNone;
  stream::operation what;
  if (is_captured || is_graph_memory(pointer)) {
    const cudaError_t error =
        is_captured ? make_free(what, pointer) : free_graph_memory(what, pointer);
    if (error != cudaSuccess) return refuse(error, pointer);
  } else {
    if (!memory::mark_will_be_freed(pointer)) return refuse(cudaErrorInvalidValue, pointer);
    what.run = [pointer] {
      take_and_release(pointer);
      return cudaSuccess;
    };
  }
  what.runs_after_fault = !is_captured;
  return stream::submit(queue, std::move(what), stream::urgency::inline_if_idle).error;
}

cudaMemoryType type_of(origin from) {
  switch (from) {
    case origin::managed:
      return cudaMemoryTypeManaged;
    case origin::pinned:
    case origin::registered:
      return cudaMemoryTypeHost;
    default:
      return cudaMemoryTypeDevice;
  }
}

}  // namespace

cudaError_t allocate_device_memory(void** pointer, std::size_t bytes) {
  return allocate_safely(pointer, bytes, kind_of(origin::device));
}

cudaError_t free_device_memory(void* pointer) {
  return free_now(pointer, {origin::device, origin::managed});
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;
using api::kind_of;
using memory::origin;

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  if (in_lane()) return api::allocate_in_lane(pointer, bytes, __builtin_return_address(0));
  return device_call([&] { return api::allocate_device_memory(pointer, bytes); });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  return device_call([&] {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    if (bytes == 0) return cudaErrorInvalidValue;
    return api::allocate_safely(pointer, bytes, kind_of(origin::managed, flags));
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return device_call([&] {
    if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    return api::allocate_pitched(pointer, *pitch, width, height);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return device_call([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (extent.depth > 0 && extent.height > std::numeric_limits<size_t>::max() / extent.depth) {
      return cudaErrorMemoryAllocation;
    }
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return api::allocate_pitched(&pointer->ptr, pointer->pitch, extent.width,
                                 extent.height * extent.depth);
  });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return device_call([&] {
    constexpr unsigned known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~known) != 0) return cudaErrorInvalidValue;
    return api::allocate_safely(pointer, bytes, kind_of(origin::pinned, flags));
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFree(void* pointer) {
  if (in_lane()) return api::free_in_lane(pointer, __builtin_return_address(0));
  return device_call([&] { return api::free_device_memory(pointer); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return device_call([&] { return api::free_now(pointer, {origin::pinned}); });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  return device_call([&] {
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                               cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (pointer == nullptr || bytes == 0 || (flags & ~known) != 0) return cudaErrorInvalidValue;
    if (memory::overlaps(pointer, bytes)) return cudaErrorHostMemoryAlreadyRegistered;
    memory::allocation registered = kind_of(origin::registered, flags);
    registered.base = static_cast<char*>(pointer);
    registered.bytes = bytes;
    memory::add(registered);
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return device_call([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    const cudaError_t fault = api::synchronize_device();
    if (!memory::take(pointer, {origin::registered})) return cudaErrorHostMemoryNotRegistered;
    return fault;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer,
                                     unsigned int flags) {
  return device_call([&] {
    if (device_pointer == nullptr || flags != 0) return cudaErrorInvalidValue;
    const auto found = memory::find(host_pointer);
    const bool is_host_memory =
        found && (found->from == origin::pinned || found->from == origin::registered ||
                  found->from == origin::managed);
    if (!is_host_memory) return cudaErrorInvalidValue;
    *device_pointer = host_pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  return device_call([&] {
    const auto found = memory::find(pointer);
    if (flags == nullptr || !found || found->from != origin::pinned) return cudaErrorInvalidValue;
    *flags = found->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return device_call([&] {
    if (free_bytes == nullptr || total_bytes == nullptr) return cudaErrorInvalidValue;
    *total_bytes = memory::device_bytes();
    *free_bytes = memory::device_bytes() - memory::device_bytes_in_use(current_device());
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return device_call([&] {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    void* const address = const_cast<void*>(pointer);
    const auto found = memory::find(pointer);
    if (!found) {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = address;
      return cudaSuccess;
    }
    attributes->type = api::type_of(found->from);
    attributes->device = found->device;
    attributes->devicePointer = address;
    if (attributes->type != cudaMemoryTypeDevice) attributes->hostPointer = address;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return device_call([&] { return api::allocate_in_stream(pointer, bytes, nullptr, stream); });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return device_call([&] {
    if (pool == nullptr) return cudaErrorInvalidValue;
    return api::allocate_in_stream(pointer, bytes, pool, stream);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return device_call([&] { return api::free_in_stream(pointer, stream); });
}
