// The host API that copies boxes of up to three dimensions, between pitched memory and arrays.
#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>

#include "api/arrays.hpp"
#include "api/call.hpp"
#include "api/transfer.hpp"

namespace heddle_host::api {
namespace {

// One side of a copy: where the box begins, and how far apart its rows and slices are.
struct box_side {
  char* begin;
  std::size_t pitch;
  std::size_t slice;
};

box_side side_in_memory(const cudaPitchedPtr& in, const cudaPos& at) {
  const std::size_t slice = in.pitch * in.ysize;
  return {static_cast<char*>(in.ptr) + at.x + at.y * in.pitch + at.z * slice, in.pitch, slice};
}

// `at` is in elements.
box_side side_in_array(const array& in, const cudaPos& at) {
  const std::size_t offset =
      at.x * in.element_bytes + at.y * in.row_bytes() + at.z * in.slice_bytes();
  return {in.memory + offset, in.row_bytes(), in.slice_bytes()};
}

bool holds(const array& in, const cudaPos& at, const cudaExtent& extent) {
  const auto fits = [](std::size_t begin, std::size_t count, std::size_t size) {
    return begin <= size && count <= size - begin;
  };
  return fits(at.x, extent.width, in.extent.width) && fits(at.y, extent.height, in.rows()) &&
         fits(at.z, extent.depth, in.slices());
}

// An array is always device memory, so not every kind of copy is possible.
bool allows_arrays(cudaMemcpyKind kind, bool source_is_array, bool destination_is_array) {
  if (kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice) return true;
  return (!source_is_array || kind == cudaMemcpyDeviceToHost) &&
         (!destination_is_array || kind == cudaMemcpyHostToDevice);
}

}  // namespace

cudaError_t read_parameters(memory::copy& what, const cudaMemcpy3DParms& parameters) {
  const array_pointer from = find_array(parameters.srcArray);
  const array_pointer to = find_array(parameters.dstArray);
  if ((from == nullptr) != (parameters.srcArray == nullptr) ||
      (to == nullptr) != (parameters.dstArray == nullptr)) {
    return cudaErrorInvalidResourceHandle;
  }
  // Each side is either an array or memory.
  if ((from == nullptr) == (parameters.srcPtr.ptr == nullptr) ||
      (to == nullptr) == (parameters.dstPtr.ptr == nullptr)) {
    return cudaErrorInvalidValue;
  }
  if (!allows_arrays(parameters.kind, from != nullptr, to != nullptr)) return cudaErrorInvalidValue;
  if (from != nullptr && to != nullptr && from->element_bytes != to->element_bytes) {
    return cudaErrorInvalidValue;
  }
  // The extent is in elements of the array, or in bytes if there is none.
  const cudaExtent& extent = parameters.extent;
  if ((from != nullptr && !holds(*from, parameters.srcPos, extent)) ||
      (to != nullptr && !holds(*to, parameters.dstPos, extent))) {
    return cudaErrorInvalidValue;
  }
  const box_side source = from != nullptr ? side_in_array(*from, parameters.srcPos)
                                          : side_in_memory(parameters.srcPtr, parameters.srcPos);
  const box_side destination = to != nullptr ? side_in_array(*to, parameters.dstPos)
                                             : side_in_memory(parameters.dstPtr, parameters.dstPos);
  const std::size_t unit = from != nullptr ? from->element_bytes
                           : to != nullptr ? to->element_bytes
                                           : 1;
  what = memory::flat_copy(destination.begin, source.begin, extent.width * unit);
  what.height = extent.height;
  what.depth = extent.depth;
  what.destination_pitch = destination.pitch;
  what.destination_slice = destination.slice;
  what.source_pitch = source.pitch;
  what.source_slice = source.slice;
  return cudaSuccess;
}

namespace {

// Treats a copy between devices as a copy within one, because devices share one memory.
cudaError_t within_device(cudaMemcpy3DParms& plain, const cudaMemcpy3DPeerParms* parameters) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  if (!is_device(parameters->srcDevice) || !is_device(parameters->dstDevice)) {
    return cudaErrorInvalidDevice;
  }
  plain.srcArray = parameters->srcArray;
  plain.srcPos = parameters->srcPos;
  plain.srcPtr = parameters->srcPtr;
  plain.dstArray = parameters->dstArray;
  plain.dstPos = parameters->dstPos;
  plain.dstPtr = parameters->dstPtr;
  plain.extent = parameters->extent;
  plain.kind = cudaMemcpyDeviceToDevice;
  return cudaSuccess;
}

cudaError_t transfer_box(const cudaMemcpy3DParms* parameters) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  memory::copy what;
  const cudaError_t error = read_parameters(what, *parameters);
  return error != cudaSuccess ? error : transfer(what, parameters->kind);
}

cudaError_t transfer_box(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  memory::copy what;
  const cudaError_t error = read_parameters(what, *parameters);
  return error != cudaSuccess ? error : transfer_in_stream(what, parameters->kind, stream);
}

cudaError_t transfer_box_in_lane(const cudaMemcpy3DParms* parameters, cudaStream_t stream,
                                 const void* code) {
  memory::copy what;
  cudaError_t error = cudaErrorInvalidValue;
  leave_lane_code();
  if (parameters != nullptr) error = read_parameters(what, *parameters);
  enter_lane_code();
  if (error != cudaSuccess) return lane_call(code, [&] { return error; });
  return copy_in_lane(what, parameters->kind, stream, code);
}

}  // namespace
}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return device_call([&] { return api::transfer_box(parameters); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (in_lane()) return api::transfer_box_in_lane(parameters, stream, __builtin_return_address(0));
  return device_call([&] { return api::transfer_box(parameters, stream); });
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return device_call([&] {
    cudaMemcpy3DParms plain{};
    if (const cudaError_t error = api::within_device(plain, parameters); error != cudaSuccess) {
      return error;
    }
    memory::copy what;
    if (const cudaError_t error = api::read_parameters(what, plain); error != cudaSuccess) {
      return error;
    }
    return api::transfer_between(parameters->dstDevice, parameters->srcDevice, what);
  });
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return device_call([&] {
    cudaMemcpy3DParms plain{};
    const cudaError_t error = api::within_device(plain, parameters);
    return error != cudaSuccess ? error : api::transfer_box(&plain, stream);
  });
}
