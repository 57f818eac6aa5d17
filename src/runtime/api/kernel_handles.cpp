// The host API that returns handles and descriptions of kernels. A handle is the address of the
// kernel's function.
#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/driver/function.hpp"

using namespace heddle_host;
using api::device_call;

namespace {

// Calls `use` if it is the address of a kernel.
template <typename Use>
cudaError_t with_kernel(const void* kernel, Use&& use) {
  return device_call([&] {
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    const kernel_caller* const caller = api::find_caller(kernel);
    return caller == nullptr ? cudaErrorInvalidResourceHandle : use(*caller);
  });
}

template <typename Handle>
cudaError_t make_handle(Handle* handle, const void* kernel) {
  return with_kernel(kernel, [&](const kernel_caller&) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    *handle = static_cast<Handle>(const_cast<void*>(kernel));
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* kernel) {
  return make_handle(function, kernel);
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* kernel) {
  return make_handle(handle, kernel);
}

cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
  return with_kernel(kernel, [&](const kernel_caller&) {
    if (name == nullptr) return cudaErrorInvalidValue;
    *name = api::name_of(kernel);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* kernel, size_t index, size_t* offset, size_t* bytes) {
  return with_kernel(kernel, [&](const kernel_caller& caller) {
    if (offset == nullptr || index >= caller.parameters) return cudaErrorInvalidValue;
    const api::parameter_place place = api::parameters_of(caller)[index];
    *offset = place.offset;
    if (bytes != nullptr) *bytes = place.bytes;
    return cudaSuccess;
  });
}
