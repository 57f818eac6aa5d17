// The host API that copies and fills memory.
#include "api/transfer.hpp"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>
#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>

#include "api/call.hpp"
#include "api/streams.hpp"
#include "memory/registry.hpp"
#include "stream/capture.hpp"

namespace heddle_host::api {
namespace {

using memory::copy;
using memory::fill;
using stream::urgency;

// Up to this size the copy is cheaper than waking a thread for it.
constexpr std::size_t small_bytes = std::size_t{64} << 10;
// For larger pageable sources, waiting beats copying twice.
constexpr std::size_t largest_staged = std::size_t{64} << 20;

urgency urgency_of(std::size_t bytes) {
  return bytes <= small_bytes ? urgency::inline_if_idle : urgency::background;
}

// Submits the copy with a private snapshot of its source.
cudaError_t submit_staged(const copy& what, cudaStream_t stream) {
  const std::shared_ptr<char[]> image(new char[what.bytes()]);
  copy in = what;
  in.destination = image.get();
  in.destination_pitch = what.width;
  in.destination_slice = what.width * what.height;
  memory::perform(in);
  copy out = what;
  out.source = image.get();
  out.source_pitch = in.destination_pitch;
  out.source_slice = in.destination_slice;
  stream::operation operation = operation_for(out);
  operation.run = [image, copies = std::move(operation.run)] { return copies(); };
  return enqueue(stream, std::move(operation), urgency_of(what.bytes()));
}

fill flat_fill(void* pointer, int value, std::size_t bytes) {
  fill what;
  what.destination = pointer;
  what.value = value;
  what.width = bytes;
  return what;
}

fill fill_of_rows(void* pointer, std::size_t pitch, int value, std::size_t width,
                  std::size_t height) {
  fill what = flat_fill(pointer, value, width);
  what.height = height;
  what.pitch = pitch;
  return what;
}

fill fill_of_slices(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  fill what = fill_of_rows(pointer.ptr, pointer.pitch, value, extent.width, extent.height);
  what.depth = extent.depth;
  what.slice = pointer.pitch * pointer.ysize;
  return what;
}

copy copy_of_rows(void* destination, std::size_t destination_pitch, const void* source,
                  std::size_t source_pitch, std::size_t width, std::size_t height) {
  copy what = memory::flat_copy(destination, source, width);
  what.height = height;
  what.destination_pitch = destination_pitch;
  what.source_pitch = source_pitch;
  return what;
}

}  // namespace

stream::operation operation_for(const copy& what) {
  stream::operation operation;
  operation.run = [what] {
    memory::perform(what);
    return cudaSuccess;
  };
  operation.type = cudaGraphNodeTypeMemcpy;
  return operation;
}

stream::operation operation_for(const fill& what) {
  stream::operation operation;
  operation.run = [what] {
    memory::perform(what);
    return cudaSuccess;
  };
  operation.type = cudaGraphNodeTypeMemset;
  return operation;
}

namespace {

bool is_of_device(const void* address) {
  const auto found = memory::find(address);
  return found && (found->from == memory::origin::device || found->from == memory::origin::symbol);
}

// CUDA's result; in a checked run also reports pointers that are not in the memory `kind` names.
cudaError_t check_copy(const copy& what, cudaMemcpyKind kind) {
  const cudaError_t error = memory::check(what, kind);
  if (!policy().checks_copy_kinds || what.is_empty() || kind == cudaMemcpyDefault) return error;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const auto is_wrong = [](const void* address, bool should_be_device) {
    return should_be_device ? !memory::find(address) : is_of_device(address);
  };
  // If both are wrong, report the one in device memory: it says more.
  const bool is_source_wrong = is_wrong(what.source, from_device);
  const bool is_destination_wrong = is_wrong(what.destination, to_device);
  if (is_source_wrong && (is_of_device(what.source) || !is_destination_wrong)) {
    refuse(error, what.source, is_of_device(what.source));
  } else if (is_destination_wrong) {
    refuse(error, what.destination, is_of_device(what.destination));
  } else if (error != cudaSuccess) {
    refuse(error, to_device ? what.destination : what.source);
  }
  if (error == cudaSuccess && (is_source_wrong || is_destination_wrong)) report_failure(error);
  return error;
}

}  // namespace

namespace {

cudaError_t transfer_after(std::vector<stream::point> before, const copy& what,
                           cudaMemcpyKind kind) {
  if (const cudaError_t error = check_copy(what, kind); error != cudaSuccess) return error;
  if (what.is_empty()) return cudaSuccess;
  const stream::queue_pointer on = find_stream(nullptr);
  if (const cudaError_t error = stream::forbid_on_capturing(on); error != cudaSuccess) return error;
  if (const cudaError_t error = stream::forbid_unsafe_call(); error != cudaSuccess) return error;
  stream::operation operation = operation_for(what);
  operation.waits = std::move(before);
  return enqueue_and_wait(nullptr, std::move(operation));
}

}  // namespace

cudaError_t transfer(const copy& what, cudaMemcpyKind kind) {
  return transfer_after({}, what, kind);
}

cudaError_t transfer_between(int destination_device, int source_device, const copy& what) {
  std::vector<stream::point> before = stream::pending_work_of(destination_device);
  if (source_device != destination_device) {
    const std::vector<stream::point> others = stream::pending_work_of(source_device);
    before.insert(before.end(), others.begin(), others.end());
  }
  return transfer_after(std::move(before), what, cudaMemcpyDeviceToDevice);
}

cudaError_t transfer_in_stream(const copy& what, cudaMemcpyKind kind, cudaStream_t handle) {
  if (const cudaError_t error = check_copy(what, kind); error != cudaSuccess) return error;
  const stream::queue_pointer on = find_stream(handle);
  if (on == nullptr) return cudaErrorInvalidResourceHandle;
  if (what.is_empty()) return cudaSuccess;
  const bool is_captured = stream::state_of_capture(on).status != cudaStreamCaptureStatusNone;
  if (is_captured) return enqueue(handle, operation_for(what), urgency::background);
  if (memory::writes_pageable_memory(what)) return enqueue_and_wait(handle, operation_for(what));
  if (memory::reads_pageable_memory(what)) {
    const bool waits_little = what.bytes() > small_bytes && stream::pending_work(on).empty();
    return waits_little || what.bytes() > largest_staged
               ? enqueue_and_wait(handle, operation_for(what))
               : submit_staged(what, handle);
  }
  return enqueue(handle, operation_for(what), urgency_of(what.bytes()));
}

cudaError_t transfer_in_stream(const fill& what, cudaStream_t handle) {
  if (const cudaError_t error = memory::check(what); error != cudaSuccess) {
    return refuse(error, what.destination);
  }
  if (find_stream(handle) == nullptr) return cudaErrorInvalidResourceHandle;
  if (what.is_empty()) return cudaSuccess;
  return enqueue(handle, operation_for(what), urgency_of(what.bytes()));
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;

cudaError_t cudaMemcpy(void* destination, const void* source, size_t bytes, cudaMemcpyKind kind) {
  return device_call(
      [&] { return api::transfer(memory::flat_copy(destination, source, bytes), kind); });
}

cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  if (in_lane()) {
    return api::copy_in_lane(memory::flat_copy(destination, source, bytes), kind, stream,
                             __builtin_return_address(0));
  }
  return device_call([&] {
    return api::transfer_in_stream(memory::flat_copy(destination, source, bytes), kind, stream);
  });
}

cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                         size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return device_call([&] {
    return api::transfer(
        api::copy_of_rows(destination, destination_pitch, source, source_pitch, width, height),
        kind);
  });
}

cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
                              size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (in_lane()) {
    return api::copy_in_lane(
        api::copy_of_rows(destination, destination_pitch, source, source_pitch, width, height),
        kind, stream, __builtin_return_address(0));
  }
  return device_call([&] {
    return api::transfer_in_stream(
        api::copy_of_rows(destination, destination_pitch, source, source_pitch, width, height),
        kind, stream);
  });
}

cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, size_t bytes) {
  return device_call([&] {
    if (!is_device(destination_device) || !is_device(source_device)) return cudaErrorInvalidDevice;
    return api::transfer_between(destination_device, source_device,
                                 memory::flat_copy(destination, source, bytes));
  });
}

cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, size_t bytes, cudaStream_t stream) {
  return device_call([&] {
    if (!is_device(destination_device) || !is_device(source_device)) return cudaErrorInvalidDevice;
    return api::transfer_in_stream(memory::flat_copy(destination, source, bytes),
                                   cudaMemcpyDeviceToDevice, stream);
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return cudaMemsetAsync(pointer, value, bytes, nullptr);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  if (in_lane()) {
    return api::fill_in_lane(api::flat_fill(pointer, value, bytes), stream,
                             __builtin_return_address(0));
  }
  return device_call(
      [&] { return api::transfer_in_stream(api::flat_fill(pointer, value, bytes), stream); });
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr);
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  if (in_lane()) {
    return api::fill_in_lane(api::fill_of_rows(pointer, pitch, value, width, height), stream,
                             __builtin_return_address(0));
  }
  return device_call([&] {
    return api::transfer_in_stream(api::fill_of_rows(pointer, pitch, value, width, height), stream);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return cudaMemset3DAsync(pointer, value, extent, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  if (in_lane()) {
    return api::fill_in_lane(api::fill_of_slices(pointer, value, extent), stream,
                             __builtin_return_address(0));
  }
  return device_call(
      [&] { return api::transfer_in_stream(api::fill_of_slices(pointer, value, extent), stream); });
}
