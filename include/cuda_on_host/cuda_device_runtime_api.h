// Runtime functions and stream handles that only device code can use.
#pragma once
#define __CUDA_DEVICE_RUNTIME_API_H__  // programs test for it
#include <driver_types.h>
#include <vector_types.h>

#include <cstddef>

#include <heddle_host/stop.hpp>

#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

// Grids of one stream run one after another here, so the grids that a kernel depends on have always
// finished.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}

// Sets the value that the conditional nodes of a graph read. Defined by the runtime.
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);

// What CUB and Thrust before 2.0 call to wait for the children of a kernel.
inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance() { return cudaErrorNotPermitted; }

// Device-side launches by address. They must compile, because Thrust contains calls of them with
// -rdc=true, in code that seldom runs.
inline void* cudaGetParameterBuffer(std::size_t /*alignment*/, std::size_t /*bytes*/,
                                    const char* where = __builtin_FILE()) {
  heddle_host::stop_program("`cudaGetParameterBuffer`, a launch from device code,", where);
}
inline cudaError_t cudaLaunchDevice(void* /*kernel*/, void* /*parameters*/, dim3 /*grid*/,
                                    dim3 /*block*/, unsigned int /*sharedBytes*/,
                                    cudaStream_t /*stream*/, const char* where = __builtin_FILE()) {
  heddle_host::stop_program("`cudaLaunchDevice`, a launch from device code,", where);
}
