// Enqueues what lanes launch as children of their grid, and keeps the lanes' errors.
#include "api/device_runtime.hpp"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include <cuda_device_runtime_api.h>
#include <heddle_host/observer.hpp>

#include "api/call.hpp"
#include "api/transfer.hpp"
#include "machine/grid_state.hpp"
#include "memory/registry.hpp"

namespace heddle_host::api {
namespace {

template <typename Handle>
Handle handle_of(std::uint64_t number) {
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(number));
}

template <typename Handle>
std::uint64_t number_of(Handle handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

// False if the running grid has no such stream.
bool find_child_stream(child_stream& found, cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) {
    found = {0, number_of_running_block()};
    return true;
  }
  if (handle == cudaStreamPerThread) {
    found = {number_of(handle), number_of_running_lane()};
    return true;
  }
  found = {number_of(handle), 0};
  return handle == cudaStreamTailLaunch || handle == cudaStreamFireAndForget ||
         children_of_running_grid().is_stream(found.handle);
}

// False also for streams that cannot be used with events.
bool find_ordered_stream(child_stream& found, cudaStream_t handle) {
  return handle != cudaStreamTailLaunch && handle != cudaStreamFireAndForget &&
         find_child_stream(found, handle);
}

}  // namespace

cudaError_t note_in_lane(cudaError_t error, const void* code) noexcept {
  if (error == cudaSuccess) return error;
  children_of_running_grid().calls_of(number_of_running_lane()).last_error = error;
  if (observer* const watching = current_observer()) {
    failed_call what{};
    what.error = error;
    what.lane_code = code;
    what.limit = take_exceeded_limit();
    watching->call_fails(what);
  }
  return error;
}

cudaError_t last_error_of_lane(bool clears) {
  const machine_section inside;
  cudaError_t& last = children_of_running_grid().calls_of(number_of_running_lane()).last_error;
  return clears ? std::exchange(last, cudaSuccess) : last;
}

cudaError_t enqueue_child(child what, cudaStream_t on, const void* code) {
  child_stream to{};
  if (!find_child_stream(to, on)) return cudaErrorInvalidResourceHandle;
  std::uint64_t number = 0;
  const cudaError_t error = children_of_running_grid().enqueue(to, std::move(what), number);
  if (error != cudaSuccess) return error;
  if (observer* const watching = current_observer()) watching->child_is_launched(number, code);
  lane_now.block->grid().progress.fetch_add(1, std::memory_order_relaxed);
  return cudaSuccess;
}

cudaError_t create_stream_in_lane(cudaStream_t* handle, unsigned flags, const void* code) {
  return lane_call(code, [&] {
    const bool is_known = flags == cudaStreamDefault || flags == cudaStreamNonBlocking;
    if (handle == nullptr || !is_known) return cudaErrorInvalidValue;
    *handle = handle_of<cudaStream_t>(children_of_running_grid().open_stream());
    return cudaSuccess;
  });
}

cudaError_t destroy_stream_in_lane(cudaStream_t handle, const void* code) {
  return lane_call(code, [&] {
    const bool was_there = children_of_running_grid().close_stream(number_of(handle));
    return was_there ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t create_event_in_lane(cudaEvent_t* handle, unsigned flags, const void* code) {
  return lane_call(code, [&] {
    if (handle == nullptr || flags != cudaEventDisableTiming) return cudaErrorInvalidValue;
    *handle = handle_of<cudaEvent_t>(children_of_running_grid().open_event());
    return cudaSuccess;
  });
}

cudaError_t destroy_event_in_lane(cudaEvent_t handle, const void* code) {
  return lane_call(code, [&] {
    const bool was_there = children_of_running_grid().close_event(number_of(handle));
    return was_there ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t record_event_in_lane(cudaEvent_t handle, cudaStream_t on, const void* code) {
  return lane_call(code, [&] {
    child_stream of{};
    const bool is_valid =
        find_ordered_stream(of, on) && children_of_running_grid().record(number_of(handle), of);
    return is_valid ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t wait_event_in_lane(cudaStream_t who, cudaEvent_t handle, const void* code) {
  return lane_call(code, [&] {
    child_stream waiting{};
    const bool is_valid = find_ordered_stream(waiting, who) &&
                          children_of_running_grid().make_wait(waiting, number_of(handle));
    return is_valid ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t copy_in_lane(const memory::copy& what, cudaMemcpyKind kind, cudaStream_t on,
                         const void* code) {
  return lane_call(code, [&] {
    // Only memory of the device, as CUDA's guide says; the device heap is not registered.
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return cudaErrorInvalidValue;
    if (what.is_empty()) return cudaSuccess;
    child made;
    made.work = operation_for(what).run;
    return enqueue_child(std::move(made), on, code);
  });
}

cudaError_t fill_in_lane(const memory::fill& what, cudaStream_t on, const void* code) {
  return lane_call(code, [&] {
    if (what.is_empty()) return cudaSuccess;
    child made;
    made.work = operation_for(what).run;
    return enqueue_child(std::move(made), on, code);
  });
}

// The next two call malloc and free as lane code, so that the checker sees the allocation.
cudaError_t allocate_in_lane(void** pointer, std::size_t bytes, const void* code) {
  if (pointer == nullptr) return lane_call(code, [] { return cudaErrorInvalidValue; });
  *pointer = bytes == 0 ? nullptr : std::malloc(bytes);
  const bool has_failed = bytes != 0 && *pointer == nullptr;
  return lane_call(code, [&] { return has_failed ? cudaErrorMemoryAllocation : cudaSuccess; });
}

cudaError_t free_in_lane(void* pointer, const void* code) {
  leave_lane_code();
  const bool is_of_host = memory::find(pointer).has_value();
  enter_lane_code();
  if (is_of_host) return lane_call(code, [] { return cudaErrorInvalidValue; });
  std::free(pointer);
  return cudaSuccess;
}

}  // namespace heddle_host::api
