// The host API of events.
#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>
#include <heddle_host/options.hpp>
#include <heddle_host/reporter.hpp>

#include "api/call.hpp"
#include "api/driver/contexts.hpp"
#include "api/handles.hpp"
#include "api/streams.hpp"
#include "memory/physical.hpp"
#include "stream/capture.hpp"
#include "stream/event.hpp"

namespace heddle_host::api {
namespace {

// Never destroyed: events may be used while the program exits.
handle_table<cudaEvent_t, stream::event, handle_kind::event>& events() {
  static auto& table = *new handle_table<cudaEvent_t, stream::event, handle_kind::event>;
  return table;
}

cudaError_t create(cudaEvent_t* handle, unsigned flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (handle == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
  std::shared_ptr<stream::shared_marks> shared;
  if ((flags & cudaEventInterprocess) != 0) {
    if ((flags & cudaEventDisableTiming) == 0) return cudaErrorInvalidValue;
    const int file = memory::create_memory_file(stream::shared_marks::file_bytes);
    if (file >= 0) shared = stream::shared_marks::create(file);
    if (shared == nullptr) return cudaErrorMemoryAllocation;
  }
  *handle = add_event(flags, std::move(shared));
  return cudaSuccess;
}

cudaError_t record(cudaEvent_t handle, cudaStream_t on, bool at_every_replay) {
  const auto found = find_event(handle);
  const stream::queue_pointer queue = find_stream(on);
  if (found == nullptr) return refuse(cudaErrorInvalidResourceHandle, handle);
  if (queue == nullptr) return refuse(cudaErrorInvalidResourceHandle, on);
  if (found->device != queue->device) return refuse(cudaErrorInvalidResourceHandle, handle);
  return at_every_replay ? found->record_at_every_replay(queue) : found->record(queue);
}

// Once in a program, if the user asked for notes.
void explain_event_times() {
  static const bool was_explained =
      wants_notes() && (reporter::instance().report_event_times(), true);
  static_cast<void>(was_explained);
}

}  // namespace

std::shared_ptr<stream::event> find_event(cudaEvent_t handle) { return events().find(handle); }

cudaEvent_t add_event(unsigned flags, std::shared_ptr<stream::shared_marks> shared) {
  const auto fresh = std::make_shared<stream::event>(current_device(), flags, std::move(shared));
  fresh->owner = owner_of_new_objects();
  return events().add(fresh);
}

void forget_events(int device) {
  events().take_if([&](const stream::event& each) { return each.device == device; });
}

void forget_events_owned_by(std::uint64_t owner) {
  events().take_if([&](const stream::event& each) { return each.owner == owner; });
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;

cudaError_t cudaEventCreate(cudaEvent_t* handle) {
  return device_call([&] { return api::create(handle, cudaEventDefault); });
}

cudaError_t cudaEventCreate(cudaEvent_t* handle, unsigned int flags) {
  return device_call([&] { return api::create(handle, flags); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned int flags) {
  if (in_lane()) return api::create_event_in_lane(handle, flags, __builtin_return_address(0));
  return device_call([&] { return api::create(handle, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  if (in_lane()) return api::destroy_event_in_lane(handle, __builtin_return_address(0));
  return device_call([&] {
    const bool was_there = api::events().take(handle) != nullptr;
    return was_there ? cudaSuccess : api::refuse(cudaErrorInvalidResourceHandle, handle);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
  if (in_lane()) return api::record_event_in_lane(handle, stream, __builtin_return_address(0));
  return device_call([&] { return api::record(handle, stream, false); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned int flags) {
  if (in_lane()) return api::record_event_in_lane(handle, stream, __builtin_return_address(0));
  return device_call([&] {
    if ((flags & ~unsigned{cudaEventRecordExternal}) != 0) return cudaErrorInvalidValue;
    return api::record(handle, stream, flags == cudaEventRecordExternal);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return device_call([&] {
    const auto found = api::find_event(handle);
    if (found == nullptr) return api::refuse(cudaErrorInvalidResourceHandle, handle);
    const cudaError_t error = stream::forbid_unsafe_call();
    if (error != cudaSuccess) return error;
    const cudaError_t state = found->query();
    return state == cudaSuccess ? api::outcome() : state;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return device_call([&] {
    const auto found = api::find_event(handle);
    if (found == nullptr) return api::refuse(cudaErrorInvalidResourceHandle, handle);
    const cudaError_t error = found->synchronize();
    return error == cudaSuccess ? api::outcome() : error;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return device_call([&] {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    const auto from = api::find_event(start);
    const auto to = api::find_event(end);
    if (from == nullptr) return api::refuse(cudaErrorInvalidResourceHandle, start);
    if (to == nullptr) return api::refuse(cudaErrorInvalidResourceHandle, end);
    if (from->device != to->device) return api::refuse(cudaErrorInvalidResourceHandle, end);
    const cudaError_t error = stream::event::elapsed(*from, *to, *milliseconds);
    if (error == cudaSuccess) api::explain_event_times();
    return error;
  });
}
