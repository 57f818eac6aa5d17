// The host API that shares memory with other processes.
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>
#include <heddle_host/observer.hpp>

#include "api/call.hpp"
#include "api/driver/contexts.hpp"
#include "api/other_process.hpp"
#include "api/streams.hpp"
#include "memory/registry.hpp"
#include "memory/sharing.hpp"

namespace heddle_host::api {
namespace {

// The content of a handle.
struct shared_memory {
  handle_magic magic;
  file_of_process origin;
  std::int32_t device;
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t number;  // of the allocation, in its process
};
static_assert(sizeof(shared_memory) <= sizeof(cudaIpcMemHandle_t));

struct opened_memory {
  void* pointer;
  std::size_t bytes;
  int users;
};

struct opened_table {
  std::mutex mutex;
  std::map<std::pair<int, std::uint64_t>, opened_memory> by_origin;  // process and allocation
};

opened_table& opened() {
  static opened_table& only = *new opened_table;
  return only;
}

cudaError_t make_handle(cudaIpcMemHandle_t* handle, void* pointer) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  const auto found = memory::find(pointer);
  const bool can_be_shared =
      found && found->from == memory::origin::device && !found->is_mapped && found->pool == nullptr;
  if (!can_be_shared) return refuse(cudaErrorInvalidValue, pointer);
  if (const cudaError_t fault = synchronize_all(); fault != cudaSuccess) return fault;
  const auto place = memory::share(found->base, found->bytes);
  if (!place) return cudaErrorMemoryAllocation;
  const shared_memory content{handle_magic::memory, {getpid(), place->file},
                              found->device,        place->offset,
                              found->bytes,         found->number};
  std::memset(handle, 0, sizeof *handle);
  std::memcpy(handle, &content, sizeof content);
  return cudaSuccess;
}

// The caller holds the table's mutex.
cudaError_t map_memory(void** pointer, const shared_memory& content) {
  const int file = content.origin.open();
  if (file < 0) return cudaErrorInvalidResourceHandle;
  void* const mapped = memory::map_shared(file, content.offset, content.bytes);
  ::close(file);
  if (mapped == nullptr) return cudaErrorMapBufferObjectFailed;
  memory::allocation made;
  made.base = static_cast<char*>(mapped);
  made.bytes = content.bytes;
  made.device = is_device(content.device) ? content.device : 0;
  made.is_mapped = true;
  made.owner = owner_of_new_objects();
  memory::add(made);
  // The other process may have written all of it.
  if (observer* const watching = current_observer()) {
    watching->bytes_arrive(mapped, nullptr, content.bytes);
  }
  *pointer = mapped;
  return cudaSuccess;
}

cudaError_t open_handle(void** pointer, const cudaIpcMemHandle_t& handle, unsigned flags) {
  shared_memory content;
  std::memcpy(&content, &handle, sizeof content);
  if (pointer == nullptr || flags != cudaIpcMemLazyEnablePeerAccess) return cudaErrorInvalidValue;
  if (content.magic != handle_magic::memory) return cudaErrorInvalidValue;
  if (content.origin.process == getpid()) return cudaErrorDeviceUninitialized;
  const std::lock_guard lock(opened().mutex);
  opened_memory& one = opened().by_origin[{content.origin.process, content.number}];
  if (one.users == 0) {
    const cudaError_t error = map_memory(&one.pointer, content);
    if (error != cudaSuccess) {
      opened().by_origin.erase({content.origin.process, content.number});
      return error;
    }
    one.bytes = content.bytes;
  }
  ++one.users;
  *pointer = one.pointer;
  return cudaSuccess;
}

cudaError_t close_handle(void* pointer) {
  const cudaError_t fault = synchronize_all();
  const std::lock_guard lock(opened().mutex);
  for (auto each = opened().by_origin.begin(); each != opened().by_origin.end(); ++each) {
    opened_memory& one = each->second;
    if (one.pointer != pointer) continue;
    if (--one.users > 0) return fault;
    if (const auto known = memory::take(pointer, {memory::origin::device})) {
      memory::release(*known);
    }
    memory::unmap_shared(pointer, one.bytes);
    opened().by_origin.erase(each);
    return fault;
  }
  return refuse(cudaErrorInvalidValue, pointer);
}

}  // namespace

cudaError_t synchronize_all() {
  const int selected = current_device();
  cudaError_t fault = cudaSuccess;
  for (int device = 0; device < device_count(); ++device) {
    select_device(device);
    fault = synchronize_device();
  }
  select_device(selected);
  return fault;
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return device_call([&] { return api::make_handle(handle, pointer); });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
  return device_call([&] { return api::open_handle(pointer, handle, flags); });
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return device_call([&] { return api::close_handle(pointer); });
}
