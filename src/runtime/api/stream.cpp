// The host API of streams.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>
#include <heddle_host/function.hpp>
#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>

#include "api/call.hpp"
#include "api/driver/contexts.hpp"
#include "api/graphs.hpp"
#include "api/handles.hpp"
#include "api/streams.hpp"
#include "stream/capture.hpp"
#include "stream/fault.hpp"

namespace heddle_host {

namespace {
std::atomic<bool> null_is_per_thread{false};
}  // namespace

bool use_per_thread_default_stream() {
  null_is_per_thread = true;
  return true;
}

namespace api {
namespace {

using stream::queue_pointer;

constexpr int greatest_priority = -5;

// Never destroyed: streams may be used while the program exits.
handle_table<cudaStream_t, stream::queue, handle_kind::stream>& streams() {
  static auto& table = *new handle_table<cudaStream_t, stream::queue, handle_kind::stream>;
  return table;
}

// Calls `use` with the stream of this handle.
template <typename Use>
cudaError_t with_stream(cudaStream_t handle, Use&& use) {
  const queue_pointer found = find_stream(handle);
  return found == nullptr ? refuse(cudaErrorInvalidResourceHandle, handle) : use(found);
}

cudaError_t create(cudaStream_t* handle, unsigned flags, int priority) {
  if (handle == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) {
    return cudaErrorInvalidValue;
  }
  const int clamped = std::min(0, std::max(greatest_priority, priority));
  const queue_pointer fresh = stream::open_queue(flags, clamped);
  fresh->owner = owner_of_new_objects();
  *handle = streams().add(fresh);
  return cudaSuccess;
}

}  // namespace

queue_pointer find_stream(cudaStream_t handle) {
  if (handle == nullptr) {
    return null_is_per_thread ? stream::thread_queue() : stream::legacy_queue();
  }
  if (handle == cudaStreamLegacy) return stream::legacy_queue();
  if (handle == cudaStreamPerThread) return stream::thread_queue();
  return streams().find(handle);
}

cudaError_t enqueue(cudaStream_t handle, stream::operation what, stream::urgency how) {
  return with_stream(handle, [&](const queue_pointer& to) {
    return stream::submit(to, std::move(what), how).error;
  });
}

cudaError_t enqueue_and_wait(cudaStream_t handle, stream::operation what) {
  return with_stream(handle, [&](const queue_pointer& to) {
    const stream::submission sent =
        stream::submit(to, std::move(what), stream::urgency::caller_waits);
    if (sent.error != cudaSuccess || sent.was_captured) return sent.error;
    stream::wait_for(sent.done);
    return outcome();
  });
}

namespace {

template <typename Predicate>
void forget_streams_if(Predicate is_wanted) {
  for (const queue_pointer& each : streams().take_if(is_wanted)) stream::close_queue(each);
}

}  // namespace

void forget_streams(int device) {
  forget_streams_if([&](const stream::queue& each) { return each.device == device; });
}

void forget_streams_owned_by(std::uint64_t owner) {
  forget_streams_if([&](const stream::queue& each) { return each.owner == owner; });
}

cudaError_t synchronize_device() {
  for (const stream::point& each : stream::pending_work_of(current_device()))
    stream::wait_for(each);
  return outcome();
}

}  // namespace api
}  // namespace heddle_host

using namespace heddle_host;
using api::device_call;
using api::with_stream;
using stream::queue_pointer;

cudaError_t cudaStreamCreate(cudaStream_t* handle) {
  return device_call([&] { return api::create(handle, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* handle, unsigned int flags) {
  if (in_lane()) return api::create_stream_in_lane(handle, flags, __builtin_return_address(0));
  return device_call([&] { return api::create(handle, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* handle, unsigned int flags, int priority) {
  return device_call([&] { return api::create(handle, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  if (in_lane()) return api::destroy_stream_in_lane(handle, __builtin_return_address(0));
  return device_call([&] {
    const queue_pointer found = api::streams().take(handle);
    if (found == nullptr) return api::refuse(cudaErrorInvalidResourceHandle, handle);
    stream::close_queue(found);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return device_call([&] {
    return with_stream(handle, [](const queue_pointer& which) {
      const cudaError_t error = stream::forbid_on_capturing(which);
      if (error != cudaSuccess) return error;
      for (const stream::point& each : stream::pending_work(which)) stream::wait_for(each);
      return api::outcome();
    });
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return device_call([&] {
    return with_stream(handle, [](const queue_pointer& which) {
      const cudaError_t error = stream::forbid_on_capturing(which);
      if (error != cudaSuccess) return error;
      for (const stream::point& each : stream::pending_work(which)) {
        if (policy().works_when_awaited)
          stream::wait_for(each);  // no other thread will do the work
        if (!each.is_reached()) return cudaErrorNotReady;
      }
      return api::outcome();
    });
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int flags) {
  if (in_lane()) return api::wait_event_in_lane(handle, event, __builtin_return_address(0));
  return device_call([&] {
    if ((flags & ~unsigned{cudaEventWaitExternal}) != 0) return cudaErrorInvalidValue;
    const auto awaited = api::find_event(event);
    if (awaited == nullptr) return api::refuse(cudaErrorInvalidResourceHandle, event);
    return with_stream(handle, [&](const queue_pointer& who) { return awaited->make_wait(who); });
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* user_data) {
  return device_call([&] {
    if (function == nullptr) return cudaErrorInvalidValue;
    stream::operation what;
    what.run = [function, user_data] {
      function(user_data);
      return cudaSuccess;
    };
    what.type = cudaGraphNodeTypeHost;
    what.is_host_code = true;
    return api::enqueue(handle, std::move(what), stream::urgency::background);
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags) {
  return device_call([&] {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    const queue_pointer to = api::find_stream(handle);
    if (to == nullptr) return cudaErrorInvalidResourceHandle;
    if (stream::state_of_capture(to).status != cudaStreamCaptureStatusNone) {
      return stream::forbid_on_capturing(to);
    }
    stream::operation what;
    what.run = [handle, callback, user_data] {
      callback(handle, stream::fault(), user_data);
      return cudaSuccess;
    };
    what.is_host_code = true;
    what.runs_after_fault = true;  // its arguments include the fault
    return stream::submit(to, std::move(what), stream::urgency::background).error;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return device_call([&] {
    return with_stream(handle, [&](const queue_pointer& which) {
      if (priority == nullptr) return cudaErrorInvalidValue;
      *priority = which->priority;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  return device_call([&] {
    return with_stream(handle, [&](const queue_pointer& which) {
      if (flags == nullptr) return cudaErrorInvalidValue;
      *flags = which->flags;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return device_call([&] {
    return with_stream(handle, [&](const queue_pointer& which) {
      if (id == nullptr) return cudaErrorInvalidValue;
      *id = reinterpret_cast<std::uintptr_t>(which.get());
      return cudaSuccess;
    });
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return device_call([&] {
    return with_stream(handle, [&](const queue_pointer& which) {
      if (device == nullptr) return cudaErrorInvalidValue;
      *device = which->device;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void*, size_t, unsigned int) {
  return device_call(
      [&] { return with_stream(handle, [](const queue_pointer&) { return cudaSuccess; }); });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID,
                                   const cudaStreamAttrValue* value) {
  return device_call([&] {
    return with_stream(handle, [&](const queue_pointer&) {
      return value == nullptr ? cudaErrorInvalidValue : cudaSuccess;
    });
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least_priority, int* greatest_priority) {
  return api::query([&] {
    if (least_priority != nullptr) *least_priority = 0;
    if (greatest_priority != nullptr) *greatest_priority = api::greatest_priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return device_call([&] {
    return with_stream(handle,
                       [&](const queue_pointer& on) { return stream::begin_capture(on, mode); });
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(handle, status, nullptr);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  return device_call([&] {
    return with_stream(handle, [&](const queue_pointer& which) {
      if (status == nullptr) return cudaErrorInvalidValue;
      const stream::capture_state state = stream::state_of_capture(which);
      *status = state.status;
      if (id != nullptr) *id = state.id;
      if (state.into == nullptr) return cudaSuccess;
      if (graph != nullptr) *graph = api::graphs().lend(state.into);
      // Valid until this thread's next call of this function.
      thread_local std::vector<cudaGraphNode_t> frontier;
      frontier.clear();
      for (stream::node* each : state.frontier) frontier.push_back(api::handle_of(each));
      if (dependencies != nullptr) *dependencies = frontier.data();
      if (edges != nullptr) *edges = nullptr;
      if (count != nullptr) *count = frontier.size();
      return cudaSuccess;
    });
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
  return device_call([&] {
    const auto into = api::graphs().find(graph);
    std::vector<stream::node*> after;
    if (into == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = api::find_nodes(after, *into, dependencies, count);
    if (error != cudaSuccess) return error;
    return with_stream(handle, [&](const queue_pointer& on) {
      return stream::begin_capture(on, mode, into, after);
    });
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned int flags) {
  return device_call([&] {
    if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
    return with_stream(handle, [&](const queue_pointer& on) {
      const stream::capture_state state = stream::state_of_capture(on);
      if (state.into == nullptr) return cudaErrorIllegalState;
      std::vector<stream::node*> nodes;
      const cudaError_t error = api::find_nodes(nodes, *state.into, dependencies, count);
      if (error != cudaSuccess) return error;
      return stream::change_frontier(on, nodes, flags == cudaStreamSetCaptureDependencies);
    });
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return device_call([&] {
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal ||
        *mode > cudaStreamCaptureModeRelaxed) {
      return cudaErrorInvalidValue;
    }
    *mode = stream::exchange_thread_mode(*mode);
    return cudaSuccess;
  });
}
