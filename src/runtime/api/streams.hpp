// Finds streams and events by their handles.
#pragma once
#include <cstdint>
#include <memory>

#include <driver_types.h>

#include "stream/event.hpp"
#include "stream/queue.hpp"

namespace heddle_host::api {

// Null if the stream does not exist or has been destroyed.
stream::queue_pointer find_stream(cudaStream_t handle);
std::shared_ptr<stream::event> find_event(cudaEvent_t handle);
// For the current device. `shared` is null unless several processes use the event.
cudaEvent_t add_event(unsigned flags, std::shared_ptr<stream::shared_marks> shared);

// Submits an operation to a stream; cudaErrorInvalidResourceHandle if there is no such stream.
cudaError_t enqueue(cudaStream_t handle, stream::operation what, stream::urgency how);
// The same, and waits until the operation has run. Does not wait for a captured operation.
cudaError_t enqueue_and_wait(cudaStream_t handle, stream::operation what);

// Waits for all work of the calling thread's device; returns the fault, if any.
cudaError_t synchronize_device();

// Invalidate all handles of streams or events that belong to the device.
void forget_streams(int device);
void forget_events(int device);
// The same for those that belong to a driver context, which is not a primary one.
void forget_streams_owned_by(std::uint64_t owner);
void forget_events_owned_by(std::uint64_t owner);
// Graphs belong to no device.
void forget_graphs();

}  // namespace heddle_host::api
