// The host API that shares memory pools with other processes.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>
#include <heddle_host/observer.hpp>

#include "api/call.hpp"
#include "api/driver/contexts.hpp"
#include "api/memory_pools.hpp"
#include "api/other_process.hpp"
#include "memory/registry.hpp"
#include "memory/sharing.hpp"

namespace heddle_host::api {
namespace {

// What one process tells the other about memory of an exported pool.
struct pool_memory {
  handle_magic magic;
  std::int32_t device;
  std::uint64_t offset;
  std::uint64_t bytes;
};
static_assert(sizeof(pool_memory) <= sizeof(cudaMemPoolPtrExportData));

// All exported memory of a process lies in one file.
cudaError_t export_pool(void* handle, cudaMemPool_t pool, cudaMemAllocationHandleType type,
                        unsigned flags) {
  if (handle == nullptr || type != cudaMemHandleTypePosixFileDescriptor || flags != 0) {
    return cudaErrorInvalidValue;
  }
  if (!can_be_exported(pool)) return cudaErrorInvalidValue;
  const int file = memory::file_for_sharing();
  const int exported = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (exported < 0) return cudaErrorMemoryAllocation;
  *static_cast<int*>(handle) = exported;
  return cudaSuccess;
}

// The handle is a file descriptor, which stays the caller's.
cudaError_t import_pool(cudaMemPool_t* pool, void* handle, cudaMemAllocationHandleType type,
                        unsigned flags) {
  if (pool == nullptr || type != cudaMemHandleTypePosixFileDescriptor || flags != 0) {
    return cudaErrorInvalidValue;
  }
  const auto file = static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
  struct stat facts;
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) return cudaErrorInvalidValue;
  const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return cudaErrorInvalidValue;
  *pool = add_imported_pool(own);
  return cudaSuccess;
}

cudaError_t export_pointer(cudaMemPoolPtrExportData* data, void* pointer) {
  if (data == nullptr) return cudaErrorInvalidValue;
  const auto found = memory::find(pointer);
  if (!found || found->base != pointer || !can_be_exported(found->pool)) {
    return refuse(cudaErrorInvalidValue, pointer);
  }
  if (const cudaError_t fault = synchronize_all(); fault != cudaSuccess) return fault;
  const auto place = memory::share(found->base, found->bytes);
  if (!place) return cudaErrorMemoryAllocation;
  const pool_memory content{handle_magic::pool_memory, found->device, place->offset, found->bytes};
  std::memset(data, 0, sizeof *data);
  std::memcpy(data, &content, sizeof content);
  return cudaSuccess;
}

cudaError_t import_pointer(void** pointer, cudaMemPool_t pool,
                           const cudaMemPoolPtrExportData* data) {
  if (pointer == nullptr || data == nullptr) return cudaErrorInvalidValue;
  pool_memory content;
  std::memcpy(&content, data, sizeof content);
  const int file = file_of_imported(pool);
  if (content.magic != handle_magic::pool_memory || file < 0) return cudaErrorInvalidValue;
  void* const mapped = memory::map_shared(file, content.offset, content.bytes);
  if (mapped == nullptr) return cudaErrorMapBufferObjectFailed;
  memory::allocation made;
  made.base = static_cast<char*>(mapped);
  made.bytes = content.bytes;
  made.device = is_device(content.device) ? content.device : 0;
  made.pool = pool;
  made.is_imported = true;
  made.owner = owner_of_new_objects();
  memory::add(made);
  count_allocation(pool, content.bytes);
  // The other process may have written all of it.
  if (observer* const watching = current_observer()) {
    watching->bytes_arrive(mapped, nullptr, content.bytes);
  }
  *pointer = mapped;
  return cudaSuccess;
}

}  // namespace
}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;

cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool,
                                               cudaMemAllocationHandleType type, unsigned flags) {
  return device_call([&] { return api::export_pool(handle, pool, type, flags); });
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle,
                                                 cudaMemAllocationHandleType type, unsigned flags) {
  return device_call([&] { return api::import_pool(pool, handle, type, flags); });
}

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* data, void* pointer) {
  return device_call([&] { return api::export_pointer(data, pointer); });
}

cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool,
                                     cudaMemPoolPtrExportData* data) {
  return device_call([&] { return api::import_pointer(pointer, pool, data); });
}
