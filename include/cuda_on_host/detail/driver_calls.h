// The calls of CUDA's driver: those that work on the CPU, and all others, whose use is an error.
#pragma once
#include <detail/driver_structures.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// To support another call, define it in src/runtime/api and move its line up.
#define HEDDLE_SUPPORTED(name, parameters) CUresult name parameters
#define HEDDLE_REFUSED(name, parameters)                                                         \
  CUresult name parameters                                                                       \
      __attribute__((__error__("the driver call " #name " is not supported on the CPU: use the " \
                               "runtime API")))

// ---- Supported
HEDDLE_SUPPORTED(cuGetErrorString, (CUresult, const char**));
HEDDLE_SUPPORTED(cuGetErrorName, (CUresult, const char**));
HEDDLE_SUPPORTED(cuInit, (unsigned));
HEDDLE_SUPPORTED(cuDriverGetVersion, (int*));
HEDDLE_SUPPORTED(cuDeviceGet, (CUdevice*, int));
HEDDLE_SUPPORTED(cuDeviceGetCount, (int*));
HEDDLE_SUPPORTED(cuDeviceGetName, (char*, int, CUdevice));
HEDDLE_SUPPORTED(cuDeviceGetUuid, (CUuuid*, CUdevice));
HEDDLE_SUPPORTED(cuDeviceTotalMem, (size_t*, CUdevice));
HEDDLE_SUPPORTED(cuDeviceGetAttribute, (int*, CUdevice_attribute, CUdevice));
HEDDLE_SUPPORTED(cuDeviceGetProperties, (CUdevprop*, CUdevice));
HEDDLE_SUPPORTED(cuDeviceComputeCapability, (int*, int*, CUdevice));
HEDDLE_SUPPORTED(cuDeviceGetPCIBusId, (char*, int, CUdevice));
HEDDLE_SUPPORTED(cuDeviceGetByPCIBusId, (CUdevice*, const char*));
HEDDLE_SUPPORTED(cuDeviceCanAccessPeer, (int*, CUdevice, CUdevice));

// ---- Rejected at the point of use; a call in an unused inline function does no harm

// Devices.
HEDDLE_REFUSED(cuDeviceGetLuid, (char*, unsigned*, CUdevice));
HEDDLE_REFUSED(cuDeviceGetTexture1DLinearMaxWidth, (size_t*, CUarray_format, unsigned, CUdevice));
HEDDLE_REFUSED(cuDeviceGetHostAtomicCapabilities,
               (unsigned*, const CUatomicOperation*, unsigned, CUdevice));
HEDDLE_REFUSED(cuDeviceGetNvSciSyncAttributes, (void*, CUdevice, int));
HEDDLE_REFUSED(cuDeviceSetMemPool, (CUdevice, CUmemoryPool));
HEDDLE_REFUSED(cuDeviceGetMemPool, (CUmemoryPool*, CUdevice));
HEDDLE_REFUSED(cuDeviceGetDefaultMemPool, (CUmemoryPool*, CUdevice));
HEDDLE_REFUSED(cuDeviceGetExecAffinitySupport, (int*, CUexecAffinityType, CUdevice));
HEDDLE_REFUSED(cuFlushGPUDirectRDMAWrites,
               (CUflushGPUDirectRDMAWritesTarget, CUflushGPUDirectRDMAWritesScope));
HEDDLE_REFUSED(cuDevicePrimaryCtxRetain, (CUcontext*, CUdevice));
HEDDLE_REFUSED(cuDevicePrimaryCtxRelease, (CUdevice));
HEDDLE_REFUSED(cuDevicePrimaryCtxSetFlags, (CUdevice, unsigned));
HEDDLE_REFUSED(cuDevicePrimaryCtxGetState, (CUdevice, unsigned*, int*));
HEDDLE_REFUSED(cuDevicePrimaryCtxReset, (CUdevice));
HEDDLE_REFUSED(cuDeviceRegisterAsyncNotification,
               (CUdevice, CUasyncCallback, void*, CUasyncCallbackHandle*));
HEDDLE_REFUSED(cuDeviceUnregisterAsyncNotification, (CUdevice, CUasyncCallbackHandle));
HEDDLE_REFUSED(cuDeviceGraphMemTrim, (CUdevice));
HEDDLE_REFUSED(cuDeviceGetGraphMemAttribute, (CUdevice, CUgraphMem_attribute, void*));
HEDDLE_REFUSED(cuDeviceSetGraphMemAttribute, (CUdevice, CUgraphMem_attribute, void*));
HEDDLE_REFUSED(cuDeviceGetP2PAttribute, (int*, CUdevice_P2PAttribute, CUdevice, CUdevice));
HEDDLE_REFUSED(cuDeviceGetP2PAtomicCapabilities,
               (unsigned*, const CUatomicOperation*, unsigned, CUdevice, CUdevice));
HEDDLE_REFUSED(cuDeviceGetDevResource, (CUdevice, CUdevResource*, CUdevResourceType));

// Contexts.
HEDDLE_REFUSED(cuCtxCreate, (CUcontext*, CUctxCreateParams*, unsigned, CUdevice));
HEDDLE_REFUSED(cuCtxDestroy, (CUcontext));
HEDDLE_REFUSED(cuCtxPushCurrent, (CUcontext));
HEDDLE_REFUSED(cuCtxPopCurrent, (CUcontext*));
HEDDLE_REFUSED(cuCtxSetCurrent, (CUcontext));
HEDDLE_REFUSED(cuCtxGetCurrent, (CUcontext*));
HEDDLE_REFUSED(cuCtxGetDevice, (CUdevice*));
HEDDLE_REFUSED(cuCtxGetDevice_v2, (CUdevice*, CUcontext));
HEDDLE_REFUSED(cuCtxGetFlags, (unsigned*));
HEDDLE_REFUSED(cuCtxSetFlags, (unsigned));
HEDDLE_REFUSED(cuCtxGetId, (CUcontext, unsigned long long*));
HEDDLE_REFUSED(cuCtxSynchronize, (void));
HEDDLE_REFUSED(cuCtxSynchronize_v2, (CUcontext));
HEDDLE_REFUSED(cuCtxSetLimit, (CUlimit, size_t));
HEDDLE_REFUSED(cuCtxGetLimit, (size_t*, CUlimit));
HEDDLE_REFUSED(cuCtxGetCacheConfig, (CUfunc_cache*));
HEDDLE_REFUSED(cuCtxSetCacheConfig, (CUfunc_cache));
HEDDLE_REFUSED(cuCtxGetApiVersion, (CUcontext, unsigned*));
HEDDLE_REFUSED(cuCtxGetStreamPriorityRange, (int*, int*));
HEDDLE_REFUSED(cuCtxResetPersistingL2Cache, (void));
HEDDLE_REFUSED(cuCtxGetExecAffinity, (CUexecAffinityParam*, CUexecAffinityType));
HEDDLE_REFUSED(cuCtxRecordEvent, (CUcontext, CUevent));
HEDDLE_REFUSED(cuCtxWaitEvent, (CUcontext, CUevent));
HEDDLE_REFUSED(cuCtxAttach, (CUcontext*, unsigned));
HEDDLE_REFUSED(cuCtxDetach, (CUcontext));
HEDDLE_REFUSED(cuCtxGetSharedMemConfig, (CUsharedconfig*));
HEDDLE_REFUSED(cuCtxSetSharedMemConfig, (CUsharedconfig));
HEDDLE_REFUSED(cuCtxEnablePeerAccess, (CUcontext, unsigned));
HEDDLE_REFUSED(cuCtxDisablePeerAccess, (CUcontext));
HEDDLE_REFUSED(cuCtxFromGreenCtx, (CUcontext*, CUgreenCtx));
HEDDLE_REFUSED(cuCtxGetDevResource, (CUcontext, CUdevResource*, CUdevResourceType));

// Modules.
HEDDLE_REFUSED(cuModuleLoad, (CUmodule*, const char*));
HEDDLE_REFUSED(cuModuleLoadData, (CUmodule*, const void*));
HEDDLE_REFUSED(cuModuleLoadDataEx, (CUmodule*, const void*, unsigned, CUjit_option*, void**));
HEDDLE_REFUSED(cuModuleLoadFatBinary, (CUmodule*, const void*));
HEDDLE_REFUSED(cuModuleUnload, (CUmodule));
HEDDLE_REFUSED(cuModuleGetLoadingMode, (CUmoduleLoadingMode*));
HEDDLE_REFUSED(cuModuleGetFunction, (CUfunction*, CUmodule, const char*));
HEDDLE_REFUSED(cuModuleGetFunctionCount, (unsigned*, CUmodule));
HEDDLE_REFUSED(cuModuleEnumerateFunctions, (CUfunction*, unsigned, CUmodule));
HEDDLE_REFUSED(cuModuleGetGlobal, (CUdeviceptr*, size_t*, CUmodule, const char*));
HEDDLE_REFUSED(cuModuleGetTexRef, (CUtexref*, CUmodule, const char*));
HEDDLE_REFUSED(cuModuleGetSurfRef, (CUsurfref*, CUmodule, const char*));

// Linking at run time.
HEDDLE_REFUSED(cuLinkCreate, (unsigned, CUjit_option*, void**, CUlinkState*));
HEDDLE_REFUSED(cuLinkAddData, (CUlinkState, CUjitInputType, void*, size_t, const char*, unsigned,
                               CUjit_option*, void**));
HEDDLE_REFUSED(cuLinkAddFile,
               (CUlinkState, CUjitInputType, const char*, unsigned, CUjit_option*, void**));
HEDDLE_REFUSED(cuLinkComplete, (CUlinkState, void**, size_t*));
HEDDLE_REFUSED(cuLinkDestroy, (CUlinkState));

// Libraries of kernels.
HEDDLE_REFUSED(cuLibraryLoadData, (CUlibrary*, const void*, CUjit_option*, void**, unsigned,
                                   CUlibraryOption*, void**, unsigned));
HEDDLE_REFUSED(cuLibraryLoadFromFile, (CUlibrary*, const char*, CUjit_option*, void**, unsigned,
                                       CUlibraryOption*, void**, unsigned));
HEDDLE_REFUSED(cuLibraryUnload, (CUlibrary));
HEDDLE_REFUSED(cuLibraryGetKernel, (CUkernel*, CUlibrary, const char*));
HEDDLE_REFUSED(cuLibraryGetKernelCount, (unsigned*, CUlibrary));
HEDDLE_REFUSED(cuLibraryEnumerateKernels, (CUkernel*, unsigned, CUlibrary));
HEDDLE_REFUSED(cuLibraryGetModule, (CUmodule*, CUlibrary));
HEDDLE_REFUSED(cuLibraryGetGlobal, (CUdeviceptr*, size_t*, CUlibrary, const char*));
HEDDLE_REFUSED(cuLibraryGetManaged, (CUdeviceptr*, size_t*, CUlibrary, const char*));
HEDDLE_REFUSED(cuLibraryGetUnifiedFunction, (void**, CUlibrary, const char*));

// Kernels.
HEDDLE_REFUSED(cuKernelGetFunction, (CUfunction*, CUkernel));
HEDDLE_REFUSED(cuKernelGetLibrary, (CUlibrary*, CUkernel));
HEDDLE_REFUSED(cuKernelGetAttribute, (int*, CUfunction_attribute, CUkernel, CUdevice));
HEDDLE_REFUSED(cuKernelSetAttribute, (CUfunction_attribute, int, CUkernel, CUdevice));
HEDDLE_REFUSED(cuKernelSetCacheConfig, (CUkernel, CUfunc_cache, CUdevice));
HEDDLE_REFUSED(cuKernelGetName, (const char**, CUkernel));
HEDDLE_REFUSED(cuKernelGetParamInfo, (CUkernel, size_t, size_t*, size_t*));

// Memory.
HEDDLE_REFUSED(cuMemGetInfo, (size_t*, size_t*));
HEDDLE_REFUSED(cuMemAlloc, (CUdeviceptr*, size_t));
HEDDLE_REFUSED(cuMemAllocPitch, (CUdeviceptr*, size_t*, size_t, size_t, unsigned));
HEDDLE_REFUSED(cuMemFree, (CUdeviceptr));
HEDDLE_REFUSED(cuMemGetAddressRange, (CUdeviceptr*, size_t*, CUdeviceptr));
HEDDLE_REFUSED(cuMemAllocHost, (void**, size_t));
HEDDLE_REFUSED(cuMemFreeHost, (void*));
HEDDLE_REFUSED(cuMemHostAlloc, (void**, size_t, unsigned));
HEDDLE_REFUSED(cuMemHostGetDevicePointer, (CUdeviceptr*, void*, unsigned));
HEDDLE_REFUSED(cuMemHostGetFlags, (unsigned*, void*));
HEDDLE_REFUSED(cuMemAllocManaged, (CUdeviceptr*, size_t, unsigned));
HEDDLE_REFUSED(cuMemHostRegister, (void*, size_t, unsigned));
HEDDLE_REFUSED(cuMemHostUnregister, (void*));
HEDDLE_REFUSED(cuMemGetHandleForAddressRange,
               (void*, CUdeviceptr, size_t, CUmemRangeHandleType, unsigned long long));
HEDDLE_REFUSED(cuMemBatchDecompressAsync,
               (CUmemDecompressParams*, size_t, unsigned, size_t*, CUstream));
HEDDLE_REFUSED(cuMemAddressReserve,
               (CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long));
HEDDLE_REFUSED(cuMemAddressFree, (CUdeviceptr, size_t));
HEDDLE_REFUSED(cuMemCreate, (CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*,
                             unsigned long long));
HEDDLE_REFUSED(cuMemRelease, (CUmemGenericAllocationHandle));
HEDDLE_REFUSED(cuMemMap,
               (CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long));
HEDDLE_REFUSED(cuMemMapArrayAsync, (CUarrayMapInfo*, unsigned, CUstream));
HEDDLE_REFUSED(cuMemUnmap, (CUdeviceptr, size_t));
HEDDLE_REFUSED(cuMemSetAccess, (CUdeviceptr, size_t, const CUmemAccessDesc*, size_t));
HEDDLE_REFUSED(cuMemGetAccess, (unsigned long long*, const CUmemLocation*, CUdeviceptr));
HEDDLE_REFUSED(cuMemExportToShareableHandle, (void*, CUmemGenericAllocationHandle,
                                              CUmemAllocationHandleType, unsigned long long));
HEDDLE_REFUSED(cuMemImportFromShareableHandle,
               (CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType));
HEDDLE_REFUSED(cuMemGetAllocationGranularity,
               (size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags));
HEDDLE_REFUSED(cuMemGetAllocationPropertiesFromHandle,
               (CUmemAllocationProp*, CUmemGenericAllocationHandle));
HEDDLE_REFUSED(cuMemRetainAllocationHandle, (CUmemGenericAllocationHandle*, void*));
HEDDLE_REFUSED(cuMemFreeAsync, (CUdeviceptr, CUstream));
HEDDLE_REFUSED(cuMemAllocAsync, (CUdeviceptr*, size_t, CUstream));
HEDDLE_REFUSED(cuMemPoolTrimTo, (CUmemoryPool, size_t));
HEDDLE_REFUSED(cuMemPoolSetAttribute, (CUmemoryPool, CUmemPool_attribute, void*));
HEDDLE_REFUSED(cuMemPoolGetAttribute, (CUmemoryPool, CUmemPool_attribute, void*));
HEDDLE_REFUSED(cuMemPoolSetAccess, (CUmemoryPool, const CUmemAccessDesc*, size_t));
HEDDLE_REFUSED(cuMemPoolGetAccess, (CUmemAccess_flags*, CUmemoryPool, CUmemLocation*));
HEDDLE_REFUSED(cuMemPoolCreate, (CUmemoryPool*, const CUmemPoolProps*));
HEDDLE_REFUSED(cuMemPoolDestroy, (CUmemoryPool));
HEDDLE_REFUSED(cuMemGetDefaultMemPool, (CUmemoryPool*, CUmemLocation*, CUmemAllocationType));
HEDDLE_REFUSED(cuMemGetMemPool, (CUmemoryPool*, CUmemLocation*, CUmemAllocationType));
HEDDLE_REFUSED(cuMemSetMemPool, (CUmemLocation*, CUmemAllocationType, CUmemoryPool));
HEDDLE_REFUSED(cuMemAllocFromPoolAsync, (CUdeviceptr*, size_t, CUmemoryPool, CUstream));
HEDDLE_REFUSED(cuMemPoolExportToShareableHandle,
               (void*, CUmemoryPool, CUmemAllocationHandleType, unsigned long long));
HEDDLE_REFUSED(cuMemPoolImportFromShareableHandle,
               (CUmemoryPool*, void*, CUmemAllocationHandleType, unsigned long long));
HEDDLE_REFUSED(cuMemPoolExportPointer, (CUmemPoolPtrExportData*, CUdeviceptr));
HEDDLE_REFUSED(cuMemPoolImportPointer, (CUdeviceptr*, CUmemoryPool, CUmemPoolPtrExportData*));
HEDDLE_REFUSED(cuMemPrefetchAsync, (CUdeviceptr, size_t, CUmemLocation, unsigned, CUstream));
HEDDLE_REFUSED(cuMemAdvise, (CUdeviceptr, size_t, CUmem_advise, CUmemLocation));
HEDDLE_REFUSED(cuMemPrefetchBatchAsync, (CUdeviceptr*, size_t*, size_t, CUmemLocation*, size_t*,
                                         size_t, unsigned long long, CUstream));
HEDDLE_REFUSED(cuMemDiscardBatchAsync,
               (CUdeviceptr*, size_t*, size_t, unsigned long long, CUstream));
HEDDLE_REFUSED(cuMemDiscardAndPrefetchBatchAsync, (CUdeviceptr*, size_t*, size_t, CUmemLocation*,
                                                   size_t*, size_t, unsigned long long, CUstream));
HEDDLE_REFUSED(cuMemRangeGetAttribute, (void*, size_t, CUmem_range_attribute, CUdeviceptr, size_t));
HEDDLE_REFUSED(cuMemRangeGetAttributes,
               (void**, size_t*, CUmem_range_attribute*, size_t, CUdeviceptr, size_t));

// Interprocess communication.
HEDDLE_REFUSED(cuIpcGetEventHandle, (CUipcEventHandle*, CUevent));
HEDDLE_REFUSED(cuIpcOpenEventHandle, (CUevent*, CUipcEventHandle));
HEDDLE_REFUSED(cuIpcGetMemHandle, (CUipcMemHandle*, CUdeviceptr));
HEDDLE_REFUSED(cuIpcOpenMemHandle, (CUdeviceptr*, CUipcMemHandle, unsigned));
HEDDLE_REFUSED(cuIpcCloseMemHandle, (CUdeviceptr));

// Copies.
HEDDLE_REFUSED(cuMemcpy, (CUdeviceptr, CUdeviceptr, size_t));
HEDDLE_REFUSED(cuMemcpyPeer, (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t));
HEDDLE_REFUSED(cuMemcpyHtoD, (CUdeviceptr, const void*, size_t));
HEDDLE_REFUSED(cuMemcpyDtoH, (void*, CUdeviceptr, size_t));
HEDDLE_REFUSED(cuMemcpyDtoD, (CUdeviceptr, CUdeviceptr, size_t));
HEDDLE_REFUSED(cuMemcpyDtoA, (CUarray, size_t, CUdeviceptr, size_t));
HEDDLE_REFUSED(cuMemcpyAtoD, (CUdeviceptr, CUarray, size_t, size_t));
HEDDLE_REFUSED(cuMemcpyHtoA, (CUarray, size_t, const void*, size_t));
HEDDLE_REFUSED(cuMemcpyAtoH, (void*, CUarray, size_t, size_t));
HEDDLE_REFUSED(cuMemcpyAtoA, (CUarray, size_t, CUarray, size_t, size_t));
HEDDLE_REFUSED(cuMemcpy2D, (const CUDA_MEMCPY2D*));
HEDDLE_REFUSED(cuMemcpy2DUnaligned, (const CUDA_MEMCPY2D*));
HEDDLE_REFUSED(cuMemcpy3D, (const CUDA_MEMCPY3D*));
HEDDLE_REFUSED(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER*));
HEDDLE_REFUSED(cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream));
HEDDLE_REFUSED(cuMemcpyPeerAsync,
               (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream));
HEDDLE_REFUSED(cuMemcpyHtoDAsync, (CUdeviceptr, const void*, size_t, CUstream));
HEDDLE_REFUSED(cuMemcpyDtoHAsync, (void*, CUdeviceptr, size_t, CUstream));
HEDDLE_REFUSED(cuMemcpyDtoDAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream));
HEDDLE_REFUSED(cuMemcpyHtoAAsync, (CUarray, size_t, const void*, size_t, CUstream));
HEDDLE_REFUSED(cuMemcpyAtoHAsync, (void*, CUarray, size_t, size_t, CUstream));
HEDDLE_REFUSED(cuMemcpy2DAsync, (const CUDA_MEMCPY2D*, CUstream));
HEDDLE_REFUSED(cuMemcpy3DAsync, (const CUDA_MEMCPY3D*, CUstream));
HEDDLE_REFUSED(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER*, CUstream));
HEDDLE_REFUSED(cuMemcpyBatchAsync, (CUdeviceptr*, CUdeviceptr*, size_t*, size_t,
                                    CUmemcpyAttributes*, size_t*, size_t, CUstream));
HEDDLE_REFUSED(cuMemcpy3DBatchAsync,
               (size_t, CUDA_MEMCPY3D_BATCH_OP*, unsigned long long, CUstream));

// Fills.
HEDDLE_REFUSED(cuMemsetD8, (CUdeviceptr, unsigned char, size_t));
HEDDLE_REFUSED(cuMemsetD16, (CUdeviceptr, unsigned short, size_t));
HEDDLE_REFUSED(cuMemsetD32, (CUdeviceptr, unsigned, size_t));
HEDDLE_REFUSED(cuMemsetD2D8, (CUdeviceptr, size_t, unsigned char, size_t, size_t));
HEDDLE_REFUSED(cuMemsetD2D16, (CUdeviceptr, size_t, unsigned short, size_t, size_t));
HEDDLE_REFUSED(cuMemsetD2D32, (CUdeviceptr, size_t, unsigned, size_t, size_t));
HEDDLE_REFUSED(cuMemsetD8Async, (CUdeviceptr, unsigned char, size_t, CUstream));
HEDDLE_REFUSED(cuMemsetD16Async, (CUdeviceptr, unsigned short, size_t, CUstream));
HEDDLE_REFUSED(cuMemsetD32Async, (CUdeviceptr, unsigned, size_t, CUstream));
HEDDLE_REFUSED(cuMemsetD2D8Async, (CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream));
HEDDLE_REFUSED(cuMemsetD2D16Async, (CUdeviceptr, size_t, unsigned short, size_t, size_t, CUstream));
HEDDLE_REFUSED(cuMemsetD2D32Async, (CUdeviceptr, size_t, unsigned, size_t, size_t, CUstream));

// Arrays.
HEDDLE_REFUSED(cuArrayCreate, (CUarray*, const CUDA_ARRAY_DESCRIPTOR*));
HEDDLE_REFUSED(cuArrayGetDescriptor, (CUDA_ARRAY_DESCRIPTOR*, CUarray));
HEDDLE_REFUSED(cuArrayGetSparseProperties, (CUDA_ARRAY_SPARSE_PROPERTIES*, CUarray));
HEDDLE_REFUSED(cuMipmappedArrayGetSparseProperties,
               (CUDA_ARRAY_SPARSE_PROPERTIES*, CUmipmappedArray));
HEDDLE_REFUSED(cuArrayGetMemoryRequirements, (CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUarray, CUdevice));
HEDDLE_REFUSED(cuMipmappedArrayGetMemoryRequirements,
               (CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUmipmappedArray, CUdevice));
HEDDLE_REFUSED(cuArrayGetPlane, (CUarray*, CUarray, unsigned));
HEDDLE_REFUSED(cuArrayDestroy, (CUarray));
HEDDLE_REFUSED(cuArray3DCreate, (CUarray*, const CUDA_ARRAY3D_DESCRIPTOR*));
HEDDLE_REFUSED(cuArray3DGetDescriptor, (CUDA_ARRAY3D_DESCRIPTOR*, CUarray));
HEDDLE_REFUSED(cuMipmappedArrayCreate,
               (CUmipmappedArray*, const CUDA_ARRAY3D_DESCRIPTOR*, unsigned));
HEDDLE_REFUSED(cuMipmappedArrayGetLevel, (CUarray*, CUmipmappedArray, unsigned));
HEDDLE_REFUSED(cuMipmappedArrayDestroy, (CUmipmappedArray));

// Multicast.
HEDDLE_REFUSED(cuMulticastCreate, (CUmemGenericAllocationHandle*, const CUmulticastObjectProp*));
HEDDLE_REFUSED(cuMulticastAddDevice, (CUmemGenericAllocationHandle, CUdevice));
HEDDLE_REFUSED(cuMulticastBindMem,
               (CUmemGenericAllocationHandle, size_t, CUmemGenericAllocationHandle, size_t, size_t,
                unsigned long long));
HEDDLE_REFUSED(cuMulticastBindAddr,
               (CUmemGenericAllocationHandle, size_t, CUdeviceptr, size_t, unsigned long long));
HEDDLE_REFUSED(cuMulticastUnbind, (CUmemGenericAllocationHandle, CUdevice, size_t, size_t));
HEDDLE_REFUSED(cuMulticastGetGranularity,
               (size_t*, const CUmulticastObjectProp*, CUmulticastGranularity_flags));

// Pointer attributes.
HEDDLE_REFUSED(cuPointerGetAttribute, (void*, CUpointer_attribute, CUdeviceptr));
HEDDLE_REFUSED(cuPointerSetAttribute, (const void*, CUpointer_attribute, CUdeviceptr));
HEDDLE_REFUSED(cuPointerGetAttributes, (unsigned, CUpointer_attribute*, void**, CUdeviceptr));

// Streams.
HEDDLE_REFUSED(cuStreamCreate, (CUstream*, unsigned));
HEDDLE_REFUSED(cuStreamCreateWithPriority, (CUstream*, unsigned, int));
HEDDLE_REFUSED(cuStreamGetPriority, (CUstream, int*));
HEDDLE_REFUSED(cuStreamGetDevice, (CUstream, CUdevice*));
HEDDLE_REFUSED(cuStreamGetFlags, (CUstream, unsigned*));
HEDDLE_REFUSED(cuStreamGetId, (CUstream, unsigned long long*));
HEDDLE_REFUSED(cuStreamGetCtx, (CUstream, CUcontext*));
HEDDLE_REFUSED(cuStreamGetCtx_v2, (CUstream, CUcontext*, CUgreenCtx*));
HEDDLE_REFUSED(cuStreamWaitEvent, (CUstream, CUevent, unsigned));
HEDDLE_REFUSED(cuStreamAddCallback, (CUstream, CUstreamCallback, void*, unsigned));
HEDDLE_REFUSED(cuStreamBeginCapture, (CUstream, CUstreamCaptureMode));
HEDDLE_REFUSED(cuStreamBeginCaptureToGraph, (CUstream, CUgraph, const CUgraphNode*,
                                             const CUgraphEdgeData*, size_t, CUstreamCaptureMode));
HEDDLE_REFUSED(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode*));
HEDDLE_REFUSED(cuStreamEndCapture, (CUstream, CUgraph*));
HEDDLE_REFUSED(cuStreamIsCapturing, (CUstream, CUstreamCaptureStatus*));
HEDDLE_REFUSED(cuStreamGetCaptureInfo, (CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                        const CUgraphNode**, const CUgraphEdgeData**, size_t*));
HEDDLE_REFUSED(cuStreamUpdateCaptureDependencies,
               (CUstream, CUgraphNode*, const CUgraphEdgeData*, size_t, unsigned));
HEDDLE_REFUSED(cuStreamAttachMemAsync, (CUstream, CUdeviceptr, size_t, unsigned));
HEDDLE_REFUSED(cuStreamQuery, (CUstream));
HEDDLE_REFUSED(cuStreamSynchronize, (CUstream));
HEDDLE_REFUSED(cuStreamDestroy, (CUstream));
HEDDLE_REFUSED(cuStreamCopyAttributes, (CUstream, CUstream));
HEDDLE_REFUSED(cuStreamGetAttribute, (CUstream, CUstreamAttrID, CUstreamAttrValue*));
HEDDLE_REFUSED(cuStreamSetAttribute, (CUstream, CUstreamAttrID, const CUstreamAttrValue*));
HEDDLE_REFUSED(cuStreamWaitValue32, (CUstream, CUdeviceptr, cuuint32_t, unsigned));
HEDDLE_REFUSED(cuStreamWaitValue64, (CUstream, CUdeviceptr, cuuint64_t, unsigned));
HEDDLE_REFUSED(cuStreamWriteValue32, (CUstream, CUdeviceptr, cuuint32_t, unsigned));
HEDDLE_REFUSED(cuStreamWriteValue64, (CUstream, CUdeviceptr, cuuint64_t, unsigned));
HEDDLE_REFUSED(cuStreamBatchMemOp, (CUstream, unsigned, CUstreamBatchMemOpParams*, unsigned));
HEDDLE_REFUSED(cuStreamGetGreenCtx, (CUstream, CUgreenCtx*));

// Events.
HEDDLE_REFUSED(cuEventCreate, (CUevent*, unsigned));
HEDDLE_REFUSED(cuEventRecord, (CUevent, CUstream));
HEDDLE_REFUSED(cuEventRecordWithFlags, (CUevent, CUstream, unsigned));
HEDDLE_REFUSED(cuEventQuery, (CUevent));
HEDDLE_REFUSED(cuEventSynchronize, (CUevent));
HEDDLE_REFUSED(cuEventDestroy, (CUevent));
HEDDLE_REFUSED(cuEventElapsedTime, (float*, CUevent, CUevent));

// External memory and semaphores.
HEDDLE_REFUSED(cuImportExternalMemory,
               (CUexternalMemory*, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC*));
HEDDLE_REFUSED(cuExternalMemoryGetMappedBuffer,
               (CUdeviceptr*, CUexternalMemory, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC*));
HEDDLE_REFUSED(cuExternalMemoryGetMappedMipmappedArray,
               (CUmipmappedArray*, CUexternalMemory,
                const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC*));
HEDDLE_REFUSED(cuDestroyExternalMemory, (CUexternalMemory));
HEDDLE_REFUSED(cuImportExternalSemaphore,
               (CUexternalSemaphore*, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC*));
HEDDLE_REFUSED(cuSignalExternalSemaphoresAsync,
               (const CUexternalSemaphore*, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS*, unsigned,
                CUstream));
HEDDLE_REFUSED(cuWaitExternalSemaphoresAsync,
               (const CUexternalSemaphore*, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS*, unsigned,
                CUstream));
HEDDLE_REFUSED(cuDestroyExternalSemaphore, (CUexternalSemaphore));

// Functions.
HEDDLE_REFUSED(cuFuncGetAttribute, (int*, CUfunction_attribute, CUfunction));
HEDDLE_REFUSED(cuFuncSetAttribute, (CUfunction, CUfunction_attribute, int));
HEDDLE_REFUSED(cuFuncSetCacheConfig, (CUfunction, CUfunc_cache));
HEDDLE_REFUSED(cuFuncGetModule, (CUmodule*, CUfunction));
HEDDLE_REFUSED(cuFuncGetName, (const char**, CUfunction));
HEDDLE_REFUSED(cuFuncGetParamInfo, (CUfunction, size_t, size_t*, size_t*));
HEDDLE_REFUSED(cuFuncIsLoaded, (CUfunctionLoadingState*, CUfunction));
HEDDLE_REFUSED(cuFuncLoad, (CUfunction));
HEDDLE_REFUSED(cuFuncSetBlockShape, (CUfunction, int, int, int));
HEDDLE_REFUSED(cuFuncSetSharedSize, (CUfunction, unsigned));
HEDDLE_REFUSED(cuFuncSetSharedMemConfig, (CUfunction, CUsharedconfig));

// Launches.
HEDDLE_REFUSED(cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                unsigned, unsigned, CUstream, void**, void**));
HEDDLE_REFUSED(cuLaunchKernelEx, (const CUlaunchConfig*, CUfunction, void**, void**));
HEDDLE_REFUSED(cuLaunchCooperativeKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned,
                                           unsigned, unsigned, unsigned, CUstream, void**));
HEDDLE_REFUSED(cuLaunchCooperativeKernelMultiDevice, (CUDA_LAUNCH_PARAMS*, unsigned, unsigned));
HEDDLE_REFUSED(cuLaunchHostFunc, (CUstream, CUhostFn, void*));
HEDDLE_REFUSED(cuParamSetSize, (CUfunction, unsigned));
HEDDLE_REFUSED(cuParamSeti, (CUfunction, int, unsigned));
HEDDLE_REFUSED(cuParamSetf, (CUfunction, int, float));
HEDDLE_REFUSED(cuParamSetv, (CUfunction, int, void*, unsigned));
HEDDLE_REFUSED(cuLaunch, (CUfunction));
HEDDLE_REFUSED(cuLaunchGrid, (CUfunction, int, int));
HEDDLE_REFUSED(cuLaunchGridAsync, (CUfunction, int, int, CUstream));
HEDDLE_REFUSED(cuParamSetTexRef, (CUfunction, int, CUtexref));

// Graphs.
HEDDLE_REFUSED(cuGraphCreate, (CUgraph*, unsigned));
HEDDLE_REFUSED(cuGraphAddKernelNode,
               (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_KERNEL_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphKernelNodeGetParams, (CUgraphNode, CUDA_KERNEL_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphKernelNodeSetParams, (CUgraphNode, const CUDA_KERNEL_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphAddMemcpyNode, (CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                      const CUDA_MEMCPY3D*, CUcontext));
HEDDLE_REFUSED(cuGraphMemcpyNodeGetParams, (CUgraphNode, CUDA_MEMCPY3D*));
HEDDLE_REFUSED(cuGraphMemcpyNodeSetParams, (CUgraphNode, const CUDA_MEMCPY3D*));
HEDDLE_REFUSED(cuGraphAddMemsetNode, (CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                      const CUDA_MEMSET_NODE_PARAMS*, CUcontext));
HEDDLE_REFUSED(cuGraphMemsetNodeGetParams, (CUgraphNode, CUDA_MEMSET_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphMemsetNodeSetParams, (CUgraphNode, const CUDA_MEMSET_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphAddHostNode,
               (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_HOST_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphHostNodeGetParams, (CUgraphNode, CUDA_HOST_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphHostNodeSetParams, (CUgraphNode, const CUDA_HOST_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphAddChildGraphNode,
               (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUgraph));
HEDDLE_REFUSED(cuGraphChildGraphNodeGetGraph, (CUgraphNode, CUgraph*));
HEDDLE_REFUSED(cuGraphAddEmptyNode, (CUgraphNode*, CUgraph, const CUgraphNode*, size_t));
HEDDLE_REFUSED(cuGraphAddEventRecordNode,
               (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUevent));
HEDDLE_REFUSED(cuGraphEventRecordNodeGetEvent, (CUgraphNode, CUevent*));
HEDDLE_REFUSED(cuGraphEventRecordNodeSetEvent, (CUgraphNode, CUevent));
HEDDLE_REFUSED(cuGraphAddEventWaitNode,
               (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUevent));
HEDDLE_REFUSED(cuGraphEventWaitNodeGetEvent, (CUgraphNode, CUevent*));
HEDDLE_REFUSED(cuGraphEventWaitNodeSetEvent, (CUgraphNode, CUevent));
HEDDLE_REFUSED(cuGraphAddExternalSemaphoresSignalNode,
               (CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphExternalSemaphoresSignalNodeGetParams,
               (CUgraphNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphExternalSemaphoresSignalNodeSetParams,
               (CUgraphNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphAddExternalSemaphoresWaitNode,
               (CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                const CUDA_EXT_SEM_WAIT_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphExternalSemaphoresWaitNodeGetParams,
               (CUgraphNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphExternalSemaphoresWaitNodeSetParams,
               (CUgraphNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphAddBatchMemOpNode, (CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                          const CUDA_BATCH_MEM_OP_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphBatchMemOpNodeGetParams, (CUgraphNode, CUDA_BATCH_MEM_OP_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphBatchMemOpNodeSetParams, (CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphExecBatchMemOpNodeSetParams,
               (CUgraphExec, CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphAddMemAllocNode,
               (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUDA_MEM_ALLOC_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphMemAllocNodeGetParams, (CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphAddMemFreeNode,
               (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUdeviceptr));
HEDDLE_REFUSED(cuGraphMemFreeNodeGetParams, (CUgraphNode, CUdeviceptr*));
HEDDLE_REFUSED(cuGraphClone, (CUgraph*, CUgraph));
HEDDLE_REFUSED(cuGraphNodeFindInClone, (CUgraphNode*, CUgraphNode, CUgraph));
HEDDLE_REFUSED(cuGraphNodeGetType, (CUgraphNode, CUgraphNodeType*));
HEDDLE_REFUSED(cuGraphGetNodes, (CUgraph, CUgraphNode*, size_t*));
HEDDLE_REFUSED(cuGraphGetRootNodes, (CUgraph, CUgraphNode*, size_t*));
HEDDLE_REFUSED(cuGraphGetEdges, (CUgraph, CUgraphNode*, CUgraphNode*, CUgraphEdgeData*, size_t*));
HEDDLE_REFUSED(cuGraphNodeGetDependencies, (CUgraphNode, CUgraphNode*, CUgraphEdgeData*, size_t*));
HEDDLE_REFUSED(cuGraphNodeGetDependentNodes,
               (CUgraphNode, CUgraphNode*, CUgraphEdgeData*, size_t*));
HEDDLE_REFUSED(cuGraphAddDependencies,
               (CUgraph, const CUgraphNode*, const CUgraphNode*, const CUgraphEdgeData*, size_t));
HEDDLE_REFUSED(cuGraphRemoveDependencies,
               (CUgraph, const CUgraphNode*, const CUgraphNode*, const CUgraphEdgeData*, size_t));
HEDDLE_REFUSED(cuGraphDestroyNode, (CUgraphNode));
HEDDLE_REFUSED(cuGraphInstantiateWithFlags, (CUgraphExec*, CUgraph, unsigned long long));
HEDDLE_REFUSED(cuGraphInstantiateWithParams,
               (CUgraphExec*, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS*));
HEDDLE_REFUSED(cuGraphExecGetFlags, (CUgraphExec, cuuint64_t*));
HEDDLE_REFUSED(cuGraphExecKernelNodeSetParams,
               (CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphExecMemcpyNodeSetParams,
               (CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D*, CUcontext));
HEDDLE_REFUSED(cuGraphExecMemsetNodeSetParams,
               (CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS*, CUcontext));
HEDDLE_REFUSED(cuGraphExecHostNodeSetParams,
               (CUgraphExec, CUgraphNode, const CUDA_HOST_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphExecChildGraphNodeSetParams, (CUgraphExec, CUgraphNode, CUgraph));
HEDDLE_REFUSED(cuGraphExecEventRecordNodeSetEvent, (CUgraphExec, CUgraphNode, CUevent));
HEDDLE_REFUSED(cuGraphExecEventWaitNodeSetEvent, (CUgraphExec, CUgraphNode, CUevent));
HEDDLE_REFUSED(cuGraphExecExternalSemaphoresSignalNodeSetParams,
               (CUgraphExec, CUgraphNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphExecExternalSemaphoresWaitNodeSetParams,
               (CUgraphExec, CUgraphNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS*));
HEDDLE_REFUSED(cuGraphNodeSetEnabled, (CUgraphExec, CUgraphNode, unsigned));
HEDDLE_REFUSED(cuGraphNodeGetEnabled, (CUgraphExec, CUgraphNode, unsigned*));
HEDDLE_REFUSED(cuGraphUpload, (CUgraphExec, CUstream));
HEDDLE_REFUSED(cuGraphLaunch, (CUgraphExec, CUstream));
HEDDLE_REFUSED(cuGraphExecDestroy, (CUgraphExec));
HEDDLE_REFUSED(cuGraphDestroy, (CUgraph));
HEDDLE_REFUSED(cuGraphExecUpdate, (CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo*));
HEDDLE_REFUSED(cuGraphKernelNodeCopyAttributes, (CUgraphNode, CUgraphNode));
HEDDLE_REFUSED(cuGraphKernelNodeGetAttribute,
               (CUgraphNode, CUkernelNodeAttrID, CUkernelNodeAttrValue*));
HEDDLE_REFUSED(cuGraphKernelNodeSetAttribute,
               (CUgraphNode, CUkernelNodeAttrID, const CUkernelNodeAttrValue*));
HEDDLE_REFUSED(cuGraphDebugDotPrint, (CUgraph, const char*, unsigned));
HEDDLE_REFUSED(cuUserObjectCreate, (CUuserObject*, void*, CUhostFn, unsigned, unsigned));
HEDDLE_REFUSED(cuUserObjectRetain, (CUuserObject, unsigned));
HEDDLE_REFUSED(cuUserObjectRelease, (CUuserObject, unsigned));
HEDDLE_REFUSED(cuGraphRetainUserObject, (CUgraph, CUuserObject, unsigned, unsigned));
HEDDLE_REFUSED(cuGraphReleaseUserObject, (CUgraph, CUuserObject, unsigned));
HEDDLE_REFUSED(cuGraphAddNode, (CUgraphNode*, CUgraph, const CUgraphNode*, const CUgraphEdgeData*,
                                size_t, CUgraphNodeParams*));
HEDDLE_REFUSED(cuGraphNodeSetParams, (CUgraphNode, CUgraphNodeParams*));
HEDDLE_REFUSED(cuGraphExecNodeSetParams, (CUgraphExec, CUgraphNode, CUgraphNodeParams*));
HEDDLE_REFUSED(cuGraphConditionalHandleCreate,
               (CUgraphConditionalHandle*, CUgraph, CUcontext, unsigned, unsigned));

// Occupancy.
HEDDLE_REFUSED(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int*, CUfunction, int, size_t));
HEDDLE_REFUSED(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
               (int*, CUfunction, int, size_t, unsigned));
HEDDLE_REFUSED(cuOccupancyMaxPotentialBlockSize,
               (int*, int*, CUfunction, CUoccupancyB2DSize, size_t, int));
HEDDLE_REFUSED(cuOccupancyMaxPotentialBlockSizeWithFlags,
               (int*, int*, CUfunction, CUoccupancyB2DSize, size_t, int, unsigned));
HEDDLE_REFUSED(cuOccupancyAvailableDynamicSMemPerBlock, (size_t*, CUfunction, int, int));
HEDDLE_REFUSED(cuOccupancyMaxPotentialClusterSize, (int*, CUfunction, const CUlaunchConfig*));
HEDDLE_REFUSED(cuOccupancyMaxActiveClusters, (int*, CUfunction, const CUlaunchConfig*));

// Texture references and objects.
HEDDLE_REFUSED(cuTexRefSetArray, (CUtexref, CUarray, unsigned));
HEDDLE_REFUSED(cuTexRefSetMipmappedArray, (CUtexref, CUmipmappedArray, unsigned));
HEDDLE_REFUSED(cuTexRefSetAddress, (size_t*, CUtexref, CUdeviceptr, size_t));
HEDDLE_REFUSED(cuTexRefSetAddress2D, (CUtexref, const CUDA_ARRAY_DESCRIPTOR*, CUdeviceptr, size_t));
HEDDLE_REFUSED(cuTexRefSetFormat, (CUtexref, CUarray_format, int));
HEDDLE_REFUSED(cuTexRefSetAddressMode, (CUtexref, int, CUaddress_mode));
HEDDLE_REFUSED(cuTexRefSetFilterMode, (CUtexref, CUfilter_mode));
HEDDLE_REFUSED(cuTexRefSetMipmapFilterMode, (CUtexref, CUfilter_mode));
HEDDLE_REFUSED(cuTexRefSetMipmapLevelBias, (CUtexref, float));
HEDDLE_REFUSED(cuTexRefSetMipmapLevelClamp, (CUtexref, float, float));
HEDDLE_REFUSED(cuTexRefSetMaxAnisotropy, (CUtexref, unsigned));
HEDDLE_REFUSED(cuTexRefSetBorderColor, (CUtexref, float*));
HEDDLE_REFUSED(cuTexRefSetFlags, (CUtexref, unsigned));
HEDDLE_REFUSED(cuTexRefGetAddress, (CUdeviceptr*, CUtexref));
HEDDLE_REFUSED(cuTexRefGetArray, (CUarray*, CUtexref));
HEDDLE_REFUSED(cuTexRefGetMipmappedArray, (CUmipmappedArray*, CUtexref));
HEDDLE_REFUSED(cuTexRefGetAddressMode, (CUaddress_mode*, CUtexref, int));
HEDDLE_REFUSED(cuTexRefGetFilterMode, (CUfilter_mode*, CUtexref));
HEDDLE_REFUSED(cuTexRefGetFormat, (CUarray_format*, int*, CUtexref));
HEDDLE_REFUSED(cuTexRefGetMipmapFilterMode, (CUfilter_mode*, CUtexref));
HEDDLE_REFUSED(cuTexRefGetMipmapLevelBias, (float*, CUtexref));
HEDDLE_REFUSED(cuTexRefGetMipmapLevelClamp, (float*, float*, CUtexref));
HEDDLE_REFUSED(cuTexRefGetMaxAnisotropy, (int*, CUtexref));
HEDDLE_REFUSED(cuTexRefGetBorderColor, (float*, CUtexref));
HEDDLE_REFUSED(cuTexRefGetFlags, (unsigned*, CUtexref));
HEDDLE_REFUSED(cuTexRefCreate, (CUtexref*));
HEDDLE_REFUSED(cuTexRefDestroy, (CUtexref));
HEDDLE_REFUSED(cuSurfRefSetArray, (CUsurfref, CUarray, unsigned));
HEDDLE_REFUSED(cuSurfRefGetArray, (CUarray*, CUsurfref));
HEDDLE_REFUSED(cuTexObjectCreate, (CUtexObject*, const CUDA_RESOURCE_DESC*,
                                   const CUDA_TEXTURE_DESC*, const CUDA_RESOURCE_VIEW_DESC*));
HEDDLE_REFUSED(cuTexObjectDestroy, (CUtexObject));
HEDDLE_REFUSED(cuTexObjectGetResourceDesc, (CUDA_RESOURCE_DESC*, CUtexObject));
HEDDLE_REFUSED(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC*, CUtexObject));
HEDDLE_REFUSED(cuTexObjectGetResourceViewDesc, (CUDA_RESOURCE_VIEW_DESC*, CUtexObject));
HEDDLE_REFUSED(cuSurfObjectCreate, (CUsurfObject*, const CUDA_RESOURCE_DESC*));
HEDDLE_REFUSED(cuSurfObjectDestroy, (CUsurfObject));
HEDDLE_REFUSED(cuSurfObjectGetResourceDesc, (CUDA_RESOURCE_DESC*, CUsurfObject));

// Tensor maps.
HEDDLE_REFUSED(cuTensorMapEncodeTiled,
               (CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill));
HEDDLE_REFUSED(cuTensorMapEncodeIm2col,
               (CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                const cuuint64_t*, const int*, const int*, cuuint32_t, cuuint32_t,
                const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                CUtensorMapL2promotion, CUtensorMapFloatOOBfill));
HEDDLE_REFUSED(cuTensorMapEncodeIm2colWide,
               (CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                const cuuint64_t*, int, int, cuuint32_t, cuuint32_t, const cuuint32_t*,
                CUtensorMapInterleave, CUtensorMapIm2ColWideMode, CUtensorMapSwizzle,
                CUtensorMapL2promotion, CUtensorMapFloatOOBfill));
HEDDLE_REFUSED(cuTensorMapReplaceAddress, (CUtensorMap*, void*));

// Graphics.
HEDDLE_REFUSED(cuGraphicsUnregisterResource, (CUgraphicsResource));
HEDDLE_REFUSED(cuGraphicsSubResourceGetMappedArray,
               (CUarray*, CUgraphicsResource, unsigned, unsigned));
HEDDLE_REFUSED(cuGraphicsResourceGetMappedMipmappedArray, (CUmipmappedArray*, CUgraphicsResource));
HEDDLE_REFUSED(cuGraphicsResourceGetMappedPointer, (CUdeviceptr*, size_t*, CUgraphicsResource));
HEDDLE_REFUSED(cuGraphicsResourceSetMapFlags, (CUgraphicsResource, unsigned));
HEDDLE_REFUSED(cuGraphicsMapResources, (unsigned, CUgraphicsResource*, CUstream));
HEDDLE_REFUSED(cuGraphicsUnmapResources, (unsigned, CUgraphicsResource*, CUstream));

// Core dumps.
HEDDLE_REFUSED(cuCoredumpGetAttribute, (CUcoredumpSettings, void*, size_t*));
HEDDLE_REFUSED(cuCoredumpGetAttributeGlobal, (CUcoredumpSettings, void*, size_t*));
HEDDLE_REFUSED(cuCoredumpSetAttribute, (CUcoredumpSettings, void*, size_t*));
HEDDLE_REFUSED(cuCoredumpSetAttributeGlobal, (CUcoredumpSettings, void*, size_t*));

// Green contexts.
HEDDLE_REFUSED(cuGreenCtxCreate, (CUgreenCtx*, CUdevResourceDesc, CUdevice, unsigned));
HEDDLE_REFUSED(cuGreenCtxDestroy, (CUgreenCtx));
HEDDLE_REFUSED(cuGreenCtxGetDevResource, (CUgreenCtx, CUdevResource*, CUdevResourceType));
HEDDLE_REFUSED(cuDevSmResourceSplitByCount, (CUdevResource*, unsigned*, const CUdevResource*,
                                             CUdevResource*, unsigned, unsigned));
HEDDLE_REFUSED(cuDevResourceGenerateDesc, (CUdevResourceDesc*, CUdevResource*, unsigned));
HEDDLE_REFUSED(cuGreenCtxRecordEvent, (CUgreenCtx, CUevent));
HEDDLE_REFUSED(cuGreenCtxWaitEvent, (CUgreenCtx, CUevent));
HEDDLE_REFUSED(cuGreenCtxStreamCreate, (CUstream*, CUgreenCtx, unsigned, int));
HEDDLE_REFUSED(cuGreenCtxGetId, (CUgreenCtx, unsigned long long*));

// Logs.
HEDDLE_REFUSED(cuLogsRegisterCallback, (CUlogsCallback, void*, CUlogsCallbackHandle*));
HEDDLE_REFUSED(cuLogsUnregisterCallback, (CUlogsCallbackHandle));
HEDDLE_REFUSED(cuLogsCurrent, (CUlogIterator*, unsigned));
HEDDLE_REFUSED(cuLogsDumpToFile, (CUlogIterator*, const char*, unsigned));
HEDDLE_REFUSED(cuLogsDumpToMemory, (CUlogIterator*, char*, size_t*, unsigned));

// Checkpoints.
HEDDLE_REFUSED(cuCheckpointProcessGetRestoreThreadId, (int, int*));
HEDDLE_REFUSED(cuCheckpointProcessGetState, (int, CUprocessState*));
HEDDLE_REFUSED(cuCheckpointProcessLock, (int, CUcheckpointLockArgs*));
HEDDLE_REFUSED(cuCheckpointProcessCheckpoint, (int, CUcheckpointCheckpointArgs*));
HEDDLE_REFUSED(cuCheckpointProcessRestore, (int, CUcheckpointRestoreArgs*));
HEDDLE_REFUSED(cuCheckpointProcessUnlock, (int, CUcheckpointUnlockArgs*));

// Other calls.
HEDDLE_REFUSED(cuGetProcAddress,
               (const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*));
HEDDLE_REFUSED(cuGetExportTable, (const void**, const CUuuid*));

#define cuGraphInstantiate cuGraphInstantiateWithFlags

#undef HEDDLE_SUPPORTED
#undef HEDDLE_REFUSED

#ifdef __cplusplus
}
#endif
