// CUDA's device runtime: the calls that kernels can make.
#pragma once
#include <cstddef>

#include <driver_types.h>
#include <heddle_host/lane.hpp>

#include "machine/block_state.hpp"
#include "machine/child_work.hpp"
#include "memory/copy.hpp"

namespace heddle_host::api {

// Records a failure as the running lane's last error; returns its argument.
cudaError_t note_in_lane(cudaError_t error, const void* code) noexcept;
cudaError_t last_error_of_lane(bool clears);

// The body of a call that a lane makes at `code`. The lane is not preempted during it.
template <typename Body>
cudaError_t lane_call(const void* code, Body&& body) {
  const machine_section inside;
  return note_in_lane(body(), code);
}

// Each implements CUDA's function of a similar name, called by the running lane at `code`.
cudaError_t create_stream_in_lane(cudaStream_t* handle, unsigned flags, const void* code);
cudaError_t destroy_stream_in_lane(cudaStream_t handle, const void* code);
cudaError_t create_event_in_lane(cudaEvent_t* handle, unsigned flags, const void* code);
cudaError_t destroy_event_in_lane(cudaEvent_t handle, const void* code);
cudaError_t record_event_in_lane(cudaEvent_t handle, cudaStream_t on, const void* code);
cudaError_t wait_event_in_lane(cudaStream_t who, cudaEvent_t handle, const void* code);
cudaError_t copy_in_lane(const memory::copy& what, cudaMemcpyKind kind, cudaStream_t on,
                         const void* code);
cudaError_t fill_in_lane(const memory::fill& what, cudaStream_t on, const void* code);
// Enqueues a launch, copy or fill.
cudaError_t enqueue_child(child what, cudaStream_t on, const void* code);
// Use the device heap, like malloc and free.
cudaError_t allocate_in_lane(void** pointer, std::size_t bytes, const void* code);
cudaError_t free_in_lane(void* pointer, const void* code);

}  // namespace heddle_host::api
