// What all driver calls share: checks of initialisation and context, and conversion of results.
#pragma once
#include <utility>

#include <cuda.h>
#include <driver_types.h>

#include "api/driver/contexts.hpp"

namespace heddle_host::api {

bool driver_is_initialized() noexcept;

// The driver's code for a result of the runtime.
CUresult driver_result(cudaError_t error) noexcept;

// During its lifetime this thread's runtime calls are part of a driver call: their failures do not
// become the last error, and they do not count as the runtime's use of the primary context.
class driver_section {
 public:
  driver_section() noexcept;
  ~driver_section();
  driver_section(const driver_section&) = delete;
  driver_section& operator=(const driver_section&) = delete;

 private:
  const cudaError_t error_before_;
  const bool was_in_section_;
};
bool in_driver_section() noexcept;

// The driver's result of `body`, which makes runtime calls.
template <typename Body>
CUresult by_runtime(Body&& body) {
  const driver_section inside;
  return driver_result(std::forward<Body>(body)());
}

// The body of a call that requires cuInit.
template <typename Body>
CUresult driver_call(Body&& body) {
  return driver_is_initialized() ? std::forward<Body>(body)() : CUDA_ERROR_NOT_INITIALIZED;
}

// The error of calls in this context; success if it can be used.
inline CUresult obstacle_in(const context* in) noexcept {
  if (in == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return in->is_alive ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

// The body of a call that requires a current context.
template <typename Body>
CUresult context_call(Body&& body) {
  return driver_call([&] {
    const CUresult obstacle = obstacle_in(current_context());
    return obstacle != CUDA_SUCCESS ? obstacle : std::forward<Body>(body)();
  });
}

// The same, for a body that makes one runtime call.
template <typename Body>
CUresult runtime_call(Body&& body) {
  return context_call([&] { return by_runtime(std::forward<Body>(body)); });
}

// The driver's device pointers are numbers.
inline void* pointer_to(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
inline CUdeviceptr address_of(const void* pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

// A call that allocates. Unlike the runtime, the driver refuses empty allocations.
template <typename Body>
CUresult allocating_call(CUdeviceptr* pointer, size_t bytes, Body&& body) {
  return runtime_call([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = 0;
    if (bytes == 0) return cudaErrorInvalidValue;
    void* allocated = nullptr;
    const cudaError_t error = std::forward<Body>(body)(&allocated);
    if (error == cudaSuccess) *pointer = address_of(allocated);
    return error;
  });
}

inline cudaMemLocation runtime_location(CUmemLocation location) {
  cudaMemLocation same;
  same.type = static_cast<cudaMemLocationType>(location.type);
  same.id = location.id;
  return same;
}

}  // namespace heddle_host::api
