// Marks for an external profiler, of which there is none here.
#pragma once
#include <driver_types.h>

inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
