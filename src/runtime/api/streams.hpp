// From a stream's or an event's handle to the thing itself.
#pragma once
#include <memory>

#include <driver_types.h>

#include "stream/event.hpp"
#include "stream/queue.hpp"

namespace heddle_host::api {

// Null: no such stream, or no longer.
stream::queue_pointer find_stream(cudaStream_t handle);
std::shared_ptr<stream::event> find_event(cudaEvent_t handle);

// Hands an operation to a stream; cudaErrorInvalidResourceHandle if there is no such stream.
cudaError_t enqueue(cudaStream_t handle, stream::operation what, stream::urgency how);
// The same, and waits until it has run. A captured operation is not waited for.
cudaError_t enqueue_and_wait(cudaStream_t handle, stream::operation what);

// Waits for all work of the device; the result is a fault, if there is one.
cudaError_t synchronize_device();

// All handles of their kind become invalid.
void forget_streams();
void forget_events();
void forget_graphs();

}  // namespace heddle_host::api
