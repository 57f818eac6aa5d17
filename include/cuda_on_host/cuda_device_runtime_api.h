// The calls that a kernel may make to the runtime; kernels that launch kernels are not offered.
#pragma once
#define __CUDA_DEVICE_RUNTIME_API_H__  // programs ask for it
#include <driver_types.h>

// Grids of one stream run one after another here, so what a kernel depends on is always over.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
