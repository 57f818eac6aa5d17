// Pointer types for the driver's functions. Each name ends in the version of CUDA that introduced
// this form of the function.
#pragma once
#define CUDATYPEDEFS_H  // programs test for it
#include <cuda.h>

#define HEDDLE_DRIVER_CALL(version, name, parameters) \
  typedef CUresult(*PFN_##name##_v##version) parameters;
#include <detail/driver_calls.inc>
#include <detail/driver_stops.inc>
#undef HEDDLE_DRIVER_CALL

// Newer forms of functions, which cuda.h declares with the suffix `_v2`.
typedef PFN_cuCtxGetDevice_v2_v13000 PFN_cuCtxGetDevice_v13000;
typedef PFN_cuCtxSynchronize_v2_v13000 PFN_cuCtxSynchronize_v13000;
typedef PFN_cuStreamGetCtx_v2_v12050 PFN_cuStreamGetCtx_v12050;

// Older forms that cuGetProcAddress still finds.
typedef CUresult (*PFN_cuCtxCreate_v3020)(CUcontext*, unsigned, CUdevice);
typedef CUresult (*PFN_cuCtxCreate_v11040)(CUcontext*, CUexecAffinityParam*, int, unsigned,
                                           CUdevice);
typedef CUresult (*PFN_cuGetProcAddress_v11030)(const char*, void**, int, cuuint64_t);
typedef CUresult (*PFN_cuMemAdvise_v8000)(CUdeviceptr, size_t, CUmem_advise, CUdevice);
typedef CUresult (*PFN_cuMemPrefetchAsync_v8000)(CUdeviceptr, size_t, CUdevice, CUstream);
typedef CUresult (*PFN_cuStreamBeginCapture_v10000)(CUstream);
typedef PFN_cuDeviceGetUuid_v11040 PFN_cuDeviceGetUuid_v9020;
typedef PFN_cuDevicePrimaryCtxRelease_v11000 PFN_cuDevicePrimaryCtxRelease_v7000;
typedef PFN_cuDevicePrimaryCtxReset_v11000 PFN_cuDevicePrimaryCtxReset_v7000;
typedef PFN_cuDevicePrimaryCtxSetFlags_v11000 PFN_cuDevicePrimaryCtxSetFlags_v7000;
typedef PFN_cuEventElapsedTime_v12080 PFN_cuEventElapsedTime_v2000;
typedef PFN_cuMemHostRegister_v6050 PFN_cuMemHostRegister_v4000;
