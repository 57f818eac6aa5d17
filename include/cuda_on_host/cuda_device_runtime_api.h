// The runtime calls that a kernel may make; kernels cannot launch kernels on the CPU.
#pragma once
#define __CUDA_DEVICE_RUNTIME_API_H__  // programs test for it
#include <driver_types.h>

// Grids of one stream run one after another here, so the grids that a kernel depends on have always
// finished.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
