// The host API that shares events with other processes.
#include <unistd.h>

#include <cstring>
#include <utility>

#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/other_process.hpp"
#include "api/streams.hpp"
#include "stream/event.hpp"

namespace heddle_host::api {
namespace {

// The content of a handle.
struct shared_event {
  handle_magic magic;
  file_of_process origin;
};
static_assert(sizeof(shared_event) <= sizeof(cudaIpcEventHandle_t));

cudaError_t make_handle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  const auto found = find_event(event);
  if (found == nullptr || found->shared == nullptr) {
    return refuse(cudaErrorInvalidResourceHandle, event);
  }
  const shared_event content{handle_magic::event, {getpid(), found->shared->file()}};
  std::memset(handle, 0, sizeof *handle);
  std::memcpy(handle, &content, sizeof content);
  return cudaSuccess;
}

cudaError_t open_handle(cudaEvent_t* event, const cudaIpcEventHandle_t& handle) {
  shared_event content;
  std::memcpy(&content, &handle, sizeof content);
  if (event == nullptr || content.magic != handle_magic::event) return cudaErrorInvalidValue;
  if (content.origin.process == getpid()) return cudaErrorDeviceUninitialized;
  const int file = content.origin.open();
  if (file < 0) return cudaErrorInvalidResourceHandle;
  auto shared = stream::shared_marks::open(file);
  close(file);
  if (shared == nullptr) return cudaErrorMapBufferObjectFailed;
  *event = add_event(cudaEventInterprocess | cudaEventDisableTiming, std::move(shared));
  return cudaSuccess;
}

}  // namespace
}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return device_call([&] { return api::make_handle(handle, event); });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return device_call([&] { return api::open_handle(event, handle); });
}
