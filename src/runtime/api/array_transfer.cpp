// The host API that copies rectangles and contiguous bytes to and from arrays.
#include <cuda_runtime_api.h>

#include "api/arrays.hpp"
#include "api/call.hpp"
#include "api/transfer.hpp"

namespace heddle_host::api {
namespace {

// Where a copy begins in the first slice of an array: x in bytes, y in rows.
struct array_spot {
  cudaArray_const_t handle;
  std::size_t x_bytes;
  std::size_t y;
};

char* address_of(const array& in, const array_spot& at) {
  return in.memory + at.y * in.row_bytes() + at.x_bytes;
}

cudaError_t find_rectangle(array_pointer& in, const array_spot& at, std::size_t width,
                           std::size_t height) {
  in = find_array(at.handle);
  if (in == nullptr) return cudaErrorInvalidResourceHandle;
  const bool fits = at.x_bytes <= in->row_bytes() && width <= in->row_bytes() - at.x_bytes &&
                    at.y <= in->rows() && height <= in->rows() - at.y;
  return fits ? cudaSuccess : cudaErrorInvalidValue;
}

// Contiguous bytes: at the end of a row they continue in the next one.
cudaError_t find_run(array_pointer& in, const array_spot& at, std::size_t bytes) {
  in = find_array(at.handle);
  if (in == nullptr) return cudaErrorInvalidResourceHandle;
  if (at.x_bytes >= in->row_bytes() || at.y >= in->rows()) return cudaErrorInvalidValue;
  const std::size_t offset = at.y * in->row_bytes() + at.x_bytes;
  return bytes <= in->slice_bytes() - offset ? cudaSuccess : cudaErrorInvalidValue;
}

bool goes_to_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
         kind == cudaMemcpyDefault;
}

bool comes_from_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
         kind == cudaMemcpyDefault;
}

// How a prepared copy is carried out.
using copy_function = cudaError_t (*)(const memory::copy&, cudaMemcpyKind, cudaStream_t);

cudaError_t copy_now(const memory::copy& what, cudaMemcpyKind kind, cudaStream_t) {
  return transfer(what, kind);
}

cudaError_t copy_in_stream(const memory::copy& what, cudaMemcpyKind kind, cudaStream_t stream) {
  return transfer_in_stream(what, kind, stream);
}

cudaError_t copy_to_array(copy_function perform, const array_spot& to, const void* from,
                          std::size_t pitch, std::size_t width, std::size_t height,
                          cudaMemcpyKind kind, cudaStream_t stream) {
  if (!goes_to_device(kind)) return cudaErrorInvalidMemcpyDirection;
  array_pointer array;
  const cudaError_t error = find_rectangle(array, to, width, height);
  if (error != cudaSuccess) return error;
  memory::copy what = memory::flat_copy(address_of(*array, to), from, width);
  what.height = height;
  what.destination_pitch = array->row_bytes();
  what.source_pitch = pitch;
  return perform(what, kind, stream);
}

cudaError_t copy_from_array(copy_function perform, void* to, std::size_t pitch,
                            const array_spot& from, std::size_t width, std::size_t height,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  if (!comes_from_device(kind)) return cudaErrorInvalidMemcpyDirection;
  array_pointer array;
  const cudaError_t error = find_rectangle(array, from, width, height);
  if (error != cudaSuccess) return error;
  memory::copy what = memory::flat_copy(to, address_of(*array, from), width);
  what.height = height;
  what.destination_pitch = pitch;
  what.source_pitch = array->row_bytes();
  return perform(what, kind, stream);
}

cudaError_t copy_run_to_array(copy_function perform, const array_spot& to, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (!goes_to_device(kind)) return cudaErrorInvalidMemcpyDirection;
  array_pointer array;
  const cudaError_t error = find_run(array, to, bytes);
  if (error != cudaSuccess) return error;
  return perform(memory::flat_copy(address_of(*array, to), from, bytes), kind, stream);
}

cudaError_t copy_run_from_array(copy_function perform, void* to, const array_spot& from,
                                std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (!comes_from_device(kind)) return cudaErrorInvalidMemcpyDirection;
  array_pointer array;
  const cudaError_t error = find_run(array, from, bytes);
  if (error != cudaSuccess) return error;
  return perform(memory::flat_copy(to, address_of(*array, from), bytes), kind, stream);
}

bool stays_on_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

}  // namespace
}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;

cudaError_t cudaMemcpy2DToArray(cudaArray_t destination, size_t x_bytes, size_t y,
                                const void* source, size_t source_pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return device_call([&] {
    return api::copy_to_array(api::copy_now, {destination, x_bytes, y}, source, source_pitch, width,
                              height, kind, nullptr);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t destination, size_t x_bytes, size_t y,
                                     const void* source, size_t source_pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return device_call([&] {
    return api::copy_to_array(api::copy_in_stream, {destination, x_bytes, y}, source, source_pitch,
                              width, height, kind, stream);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* destination, size_t destination_pitch,
                                  cudaArray_const_t source, size_t x_bytes, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return device_call([&] {
    return api::copy_from_array(api::copy_now, destination, destination_pitch, {source, x_bytes, y},
                                width, height, kind, nullptr);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, size_t destination_pitch,
                                       cudaArray_const_t source, size_t x_bytes, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return device_call([&] {
    return api::copy_from_array(api::copy_in_stream, destination, destination_pitch,
                                {source, x_bytes, y}, width, height, kind, stream);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t destination, size_t destination_x_bytes,
                                     size_t destination_y, cudaArray_const_t source,
                                     size_t source_x_bytes, size_t source_y, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
  return device_call([&] {
    if (!api::stays_on_device(kind)) return cudaErrorInvalidMemcpyDirection;
    const api::array_spot from{source, source_x_bytes, source_y};
    api::array_pointer array;
    const cudaError_t error = api::find_rectangle(array, from, width, height);
    if (error != cudaSuccess) return error;
    return api::copy_to_array(api::copy_now, {destination, destination_x_bytes, destination_y},
                              api::address_of(*array, from), array->row_bytes(), width, height,
                              kind, nullptr);
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t destination, size_t x_bytes, size_t y, const void* source,
                              size_t bytes, cudaMemcpyKind kind) {
  return device_call([&] {
    return api::copy_run_to_array(api::copy_now, {destination, x_bytes, y}, source, bytes, kind,
                                  nullptr);
  });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t destination, size_t x_bytes, size_t y,
                                   const void* source, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return device_call([&] {
    return api::copy_run_to_array(api::copy_in_stream, {destination, x_bytes, y}, source, bytes,
                                  kind, stream);
  });
}

cudaError_t cudaMemcpyFromArray(void* destination, cudaArray_const_t source, size_t x_bytes,
                                size_t y, size_t bytes, cudaMemcpyKind kind) {
  return device_call([&] {
    return api::copy_run_from_array(api::copy_now, destination, {source, x_bytes, y}, bytes, kind,
                                    nullptr);
  });
}

cudaError_t cudaMemcpyFromArrayAsync(void* destination, cudaArray_const_t source, size_t x_bytes,
                                     size_t y, size_t bytes, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return device_call([&] {
    return api::copy_run_from_array(api::copy_in_stream, destination, {source, x_bytes, y}, bytes,
                                    kind, stream);
  });
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t destination, size_t destination_x_bytes,
                                   size_t destination_y, cudaArray_const_t source,
                                   size_t source_x_bytes, size_t source_y, size_t bytes,
                                   cudaMemcpyKind kind) {
  return device_call([&] {
    if (!api::stays_on_device(kind)) return cudaErrorInvalidMemcpyDirection;
    const api::array_spot from{source, source_x_bytes, source_y};
    api::array_pointer array;
    const cudaError_t error = api::find_run(array, from, bytes);
    if (error != cudaSuccess) return error;
    return api::copy_run_to_array(api::copy_now, {destination, destination_x_bytes, destination_y},
                                  api::address_of(*array, from), bytes, kind, nullptr);
  });
}
