// Driver calls that control an external profiler. They do nothing: there is none here.
#pragma once
#define cuda_profiler_H  // programs test for it
#include <cuda.h>

static inline CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
static inline CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }
