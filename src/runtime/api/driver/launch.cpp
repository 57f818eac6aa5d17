// The driver API that launches kernels.
#include "api/driver/launch.hpp"

#include <cuda_runtime_api.h>
#include <heddle_host/function.hpp>

#include "api/driver/call.hpp"
#include "api/driver/function.hpp"

namespace heddle_host::api {

// Launch attributes have the same values and layout in both APIs.
static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));

cudaLaunchConfig_t runtime_configuration(const CUlaunchConfig& config) {
  cudaLaunchConfig_t same{};
  same.gridDim = dim3(config.gridDimX, config.gridDimY, config.gridDimZ);
  same.blockDim = dim3(config.blockDimX, config.blockDimY, config.blockDimZ);
  same.dynamicSmemBytes = config.sharedMemBytes;
  same.stream = config.hStream;
  same.attrs = reinterpret_cast<cudaLaunchAttribute*>(config.attrs);
  same.numAttrs = config.numAttrs;
  return same;
}

}  // namespace heddle_host::api

using namespace heddle_host::api;
using heddle_host::launch_shape;

namespace {

// Copies the buffer that `extra` describes, and finds the arguments in the copy.
cudaError_t read_buffer(std::vector<char>& buffer, std::vector<void*>& arguments,
                        const heddle_host::kernel_caller& caller, void** extra) {
  char* begin = nullptr;
  const std::size_t* bytes = nullptr;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      begin = static_cast<char*>(extra[1]);
    } else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      bytes = static_cast<const std::size_t*>(extra[1]);
    } else {
      return cudaErrorInvalidValue;
    }
  }
  if (begin == nullptr) return cudaErrorInvalidValue;
  std::size_t end = 0;
  const std::vector<parameter_place> places = parameters_of(caller);
  if (!places.empty()) end = places.back().offset + places.back().bytes;
  if (bytes != nullptr && *bytes == 0 && end != 0) return cudaErrorInvalidValue;
  // The driver counts no padding after the last argument.
  if (bytes != nullptr && *bytes > end) return cudaErrorLaunchOutOfResources;
  // Arguments that the buffer does not contain are 0.
  buffer.assign(begin, begin + (bytes == nullptr ? end : *bytes));
  buffer.resize(end);
  for (const parameter_place& place : places) arguments.push_back(buffer.data() + place.offset);
  return cudaSuccess;
}

CUresult launch(CUfunction function, const launch_shape& shape, void** arguments, void** extra) {
  return runtime_call([&] {
    const heddle_host::kernel_caller* const caller =
        function == nullptr ? nullptr : find_caller(function);
    if (caller == nullptr) return cudaErrorInvalidResourceHandle;
    std::vector<char> buffer;
    std::vector<void*> from_buffer;
    // If both are given, CUDA uses the array of arguments.
    if (extra != nullptr && arguments == nullptr) {
      const cudaError_t error = read_buffer(buffer, from_buffer, *caller, extra);
      if (error != cudaSuccess) return error;
      arguments = from_buffer.data();
    }
    return heddle_host::launch(function, caller, shape, arguments);
  });
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** arguments, void** extra) {
  return launch(function,
                {dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared_bytes,
                 stream, false, dim3(0, 0, 0)},
                arguments, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void** arguments) {
  return launch(function,
                {dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared_bytes,
                 stream, true, dim3(0, 0, 0)},
                arguments, nullptr);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments,
                          void** extra) {
  return context_call([&] {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaLaunchConfig_t same = runtime_configuration(*config);
    launch_shape shape;
    const CUresult result =
        by_runtime([&] { return heddle_host::read_configuration(shape, &same); });
    return result != CUDA_SUCCESS ? result : launch(function, shape, arguments, extra);
  });
}
