// CUDA's name and description of every error code.
#include <algorithm>
#include <iterator>

#include <cuda_runtime_api.h>

namespace {

struct description {
  cudaError_t code;
  const char* name;
  const char* text;
};

// In the order of the codes.
#define HEDDLE_ERROR(code, text) \
  { code, #code, text }
constexpr description descriptions[] = {
    HEDDLE_ERROR(cudaSuccess, "no error"),
    HEDDLE_ERROR(cudaErrorInvalidValue, "invalid argument"),
    HEDDLE_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    HEDDLE_ERROR(cudaErrorInitializationError, "initialization error"),
    HEDDLE_ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    HEDDLE_ERROR(cudaErrorProfilerDisabled,
                 "profiler disabled while using external profiling tool"),
    HEDDLE_ERROR(cudaErrorProfilerNotInitialized,
                 "profiler not initialized: call cudaProfilerInitialize()"),
    HEDDLE_ERROR(cudaErrorProfilerAlreadyStarted, "profiler already started"),
    HEDDLE_ERROR(cudaErrorProfilerAlreadyStopped, "profiler already stopped"),
    HEDDLE_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    HEDDLE_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    HEDDLE_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    HEDDLE_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    HEDDLE_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    HEDDLE_ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    HEDDLE_ERROR(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
    HEDDLE_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    HEDDLE_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    HEDDLE_ERROR(cudaErrorAddressOfConstant, "invalid address of constant"),
    HEDDLE_ERROR(cudaErrorTextureFetchFailed, "fetch from texture failed"),
    HEDDLE_ERROR(cudaErrorTextureNotBound, "cannot fetch from a texture that is not bound"),
    HEDDLE_ERROR(cudaErrorSynchronizationError, "incorrect use of __syncthreads()"),
    HEDDLE_ERROR(cudaErrorInvalidFilterSetting,
                 "linear filtering not supported for non-float type"),
    HEDDLE_ERROR(cudaErrorInvalidNormSetting,
                 "read as normalized float not supported for data type"),
    HEDDLE_ERROR(cudaErrorMixedDeviceExecution,
                 "device emulation mode and device execution mode cannot be mixed"),
    HEDDLE_ERROR(cudaErrorNotYetImplemented, "feature not yet implemented"),
    HEDDLE_ERROR(cudaErrorMemoryValueTooLarge,
                 "memory size or pointer value too large to fit in 32 bit"),
    HEDDLE_ERROR(cudaErrorStubLibrary, "CUDA driver is a stub library"),
    HEDDLE_ERROR(cudaErrorInsufficientDriver,
                 "CUDA driver version is insufficient for CUDA runtime version"),
    HEDDLE_ERROR(cudaErrorCallRequiresNewerDriver,
                 "API call is not supported in the installed CUDA driver"),
    HEDDLE_ERROR(cudaErrorInvalidSurface, "invalid surface reference"),
    HEDDLE_ERROR(cudaErrorDuplicateVariableName,
                 "duplicate global variable looked up by string name"),
    HEDDLE_ERROR(cudaErrorDuplicateTextureName, "duplicate texture looked up by string name"),
    HEDDLE_ERROR(cudaErrorDuplicateSurfaceName, "duplicate surface looked up by string name"),
    HEDDLE_ERROR(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    HEDDLE_ERROR(cudaErrorIncompatibleDriverContext, "incompatible driver context"),
    HEDDLE_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    HEDDLE_ERROR(cudaErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    HEDDLE_ERROR(cudaErrorLaunchMaxDepthExceeded,
                 "launch would exceed maximum depth of nested launches"),
    HEDDLE_ERROR(cudaErrorLaunchFileScopedTex,
                 "launch failed because kernel uses unsupported, file-scoped textures (texture "
                 "objects are supported)"),
    HEDDLE_ERROR(cudaErrorLaunchFileScopedSurf,
                 "launch failed because kernel uses unsupported, file-scoped surfaces (surface "
                 "objects are supported)"),
    HEDDLE_ERROR(cudaErrorSyncDepthExceeded,
                 "cudaDeviceSynchronize failed because caller's grid depth exceeds "
                 "cudaLimitDevRuntimeSyncDepth"),
    HEDDLE_ERROR(cudaErrorLaunchPendingCountExceeded,
                 "launch failed because launch would exceed "
                 "cudaLimitDevRuntimePendingLaunchCount"),
    HEDDLE_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    HEDDLE_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    HEDDLE_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    HEDDLE_ERROR(cudaErrorDeviceNotLicensed, "device doesn't have valid Grid license"),
    HEDDLE_ERROR(cudaErrorSoftwareValidityNotEstablished, "integrity checks failed"),
    HEDDLE_ERROR(cudaErrorStartupFailure, "startup failure in cuda runtime"),
    HEDDLE_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    HEDDLE_ERROR(cudaErrorDeviceUninitialized, "invalid device context"),
    HEDDLE_ERROR(cudaErrorMapBufferObjectFailed, "mapping of buffer object failed"),
    HEDDLE_ERROR(cudaErrorUnmapBufferObjectFailed, "unmapping of buffer object failed"),
    HEDDLE_ERROR(cudaErrorArrayIsMapped, "array is mapped"),
    HEDDLE_ERROR(cudaErrorAlreadyMapped, "resource already mapped"),
    HEDDLE_ERROR(cudaErrorNoKernelImageForDevice,
                 "no kernel image is available for execution on the device"),
    HEDDLE_ERROR(cudaErrorAlreadyAcquired, "resource already acquired"),
    HEDDLE_ERROR(cudaErrorNotMapped, "resource not mapped"),
    HEDDLE_ERROR(cudaErrorNotMappedAsArray, "resource not mapped as array"),
    HEDDLE_ERROR(cudaErrorNotMappedAsPointer, "resource not mapped as pointer"),
    HEDDLE_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    HEDDLE_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    HEDDLE_ERROR(cudaErrorDeviceAlreadyInUse,
                 "exclusive-thread device already in use by a different thread"),
    HEDDLE_ERROR(cudaErrorPeerAccessUnsupported,
                 "peer access is not supported between these two devices"),
    HEDDLE_ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    HEDDLE_ERROR(cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    HEDDLE_ERROR(cudaErrorNvlinkUncorrectable,
                 "uncorrectable NVLink error detected during the execution"),
    HEDDLE_ERROR(cudaErrorJitCompilerNotFound, "PTX JIT compiler library not found"),
    HEDDLE_ERROR(cudaErrorUnsupportedPtxVersion,
                 "the provided PTX was compiled with an unsupported toolchain."),
    HEDDLE_ERROR(cudaErrorJitCompilationDisabled, "PTX JIT compilation was disabled"),
    HEDDLE_ERROR(cudaErrorUnsupportedExecAffinity,
                 "the provided execution affinity is not supported"),
    HEDDLE_ERROR(cudaErrorUnsupportedDevSideSync,
                 "the provided PTX contains unsupported call to cudaDeviceSynchronize"),
    HEDDLE_ERROR(cudaErrorContained,
                 "Invalid access of peer GPU memory over nvlink or a hardware error"),
    HEDDLE_ERROR(cudaErrorInvalidSource, "device kernel image is invalid"),
    HEDDLE_ERROR(cudaErrorFileNotFound, "file not found"),
    HEDDLE_ERROR(cudaErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    HEDDLE_ERROR(cudaErrorSharedObjectInitFailed, "shared object initialization failed"),
    HEDDLE_ERROR(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    HEDDLE_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    HEDDLE_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    HEDDLE_ERROR(cudaErrorLossyQuery, "attempted introspection would be semantically lossy"),
    HEDDLE_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    HEDDLE_ERROR(cudaErrorNotReady, "device not ready"),
    HEDDLE_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    HEDDLE_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    HEDDLE_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    HEDDLE_ERROR(cudaErrorLaunchIncompatibleTexturing, "launch uses incompatible texturing mode"),
    HEDDLE_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    HEDDLE_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    HEDDLE_ERROR(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    HEDDLE_ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
    HEDDLE_ERROR(cudaErrorAssert, "device-side assert triggered"),
    HEDDLE_ERROR(cudaErrorTooManyPeers, "peer mapping resources exhausted"),
    HEDDLE_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                 "part or all of the requested memory range is already mapped"),
    HEDDLE_ERROR(cudaErrorHostMemoryNotRegistered,
                 "pointer does not correspond to a registered memory region"),
    HEDDLE_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    HEDDLE_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    HEDDLE_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    HEDDLE_ERROR(cudaErrorInvalidAddressSpace,
                 "operation not supported on global/shared address space"),
    HEDDLE_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    HEDDLE_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    HEDDLE_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    HEDDLE_ERROR(cudaErrorTensorMemoryLeak, "tensor memory not completely freed"),
    HEDDLE_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    HEDDLE_ERROR(cudaErrorNotSupported, "operation not supported"),
    HEDDLE_ERROR(cudaErrorSystemNotReady, "system not yet initialized"),
    HEDDLE_ERROR(cudaErrorSystemDriverMismatch,
                 "system has unsupported display driver / cuda driver combination"),
    HEDDLE_ERROR(cudaErrorCompatNotSupportedOnDevice,
                 "forward compatibility was attempted on non supported HW"),
    HEDDLE_ERROR(cudaErrorMpsConnectionFailed,
                 "MPS client failed to connect to the MPS control daemon or the MPS server"),
    HEDDLE_ERROR(cudaErrorMpsRpcFailure,
                 "the remote procedural call between the MPS server and the MPS client failed"),
    HEDDLE_ERROR(cudaErrorMpsServerNotReady,
                 "MPS server is not ready to accept new MPS client requests"),
    HEDDLE_ERROR(cudaErrorMpsMaxClientsReached,
                 "the hardware resources required to create MPS client have been exhausted"),
    HEDDLE_ERROR(cudaErrorMpsMaxConnectionsReached,
                 "the hardware resources required to support device connections have been "
                 "exhausted"),
    HEDDLE_ERROR(cudaErrorMpsClientTerminated, "the MPS client has been terminated by the server"),
    HEDDLE_ERROR(cudaErrorCdpNotSupported,
                 "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, "
                 "does not support it"),
    HEDDLE_ERROR(cudaErrorCdpVersionMismatch,
                 "unsupported interaction between different versions of CUDA Dynamic "
                 "Parallelism"),
    HEDDLE_ERROR(cudaErrorStreamCaptureUnsupported,
                 "operation not permitted when stream is capturing"),
    HEDDLE_ERROR(cudaErrorStreamCaptureInvalidated,
                 "operation failed due to a previous error during capture"),
    HEDDLE_ERROR(cudaErrorStreamCaptureMerge,
                 "operation would result in a merge of separate capture sequences"),
    HEDDLE_ERROR(cudaErrorStreamCaptureUnmatched,
                 "capture was not ended in the same stream as it began"),
    HEDDLE_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    HEDDLE_ERROR(cudaErrorStreamCaptureIsolation,
                 "dependency created on uncaptured work in another stream"),
    HEDDLE_ERROR(cudaErrorStreamCaptureImplicit,
                 "operation would make the legacy stream depend on a capturing blocking stream"),
    HEDDLE_ERROR(cudaErrorCapturedEvent,
                 "operation not permitted on an event last recorded in a capturing stream"),
    HEDDLE_ERROR(cudaErrorStreamCaptureWrongThread,
                 "attempt to terminate a thread-local capture sequence from another thread"),
    HEDDLE_ERROR(cudaErrorTimeout, "wait operation timed out"),
    HEDDLE_ERROR(cudaErrorGraphExecUpdateFailure,
                 "the graph update was not performed because it included changes which violated "
                 "constraints specific to instantiated graph update"),
    HEDDLE_ERROR(cudaErrorExternalDevice,
                 "an async error has occured in external entity outside of CUDA"),
    HEDDLE_ERROR(cudaErrorInvalidClusterSize,
                 "a kernel launch error has occurred due to cluster misconfiguration"),
    HEDDLE_ERROR(cudaErrorFunctionNotLoaded,
                 "the function handle is not loaded when calling an API that requires a loaded "
                 "function"),
    HEDDLE_ERROR(cudaErrorInvalidResourceType,
                 "one or more resources passed in are not valid resource types for the "
                 "operation"),
    HEDDLE_ERROR(cudaErrorInvalidResourceConfiguration,
                 "one or more resources are insufficient or non-applicable for the operation"),
    HEDDLE_ERROR(cudaErrorUnknown, "unknown error"),
    HEDDLE_ERROR(cudaErrorApiFailureBase, "api failure base"),
};
#undef HEDDLE_ERROR

const description* describe(cudaError_t code) {
  const auto* const found = std::lower_bound(
      std::begin(descriptions), std::end(descriptions), code,
      [](const description& each, cudaError_t wanted) { return each.code < wanted; });
  return found != std::end(descriptions) && found->code == code ? found : nullptr;
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) {
  const description* const known = describe(error);
  return known != nullptr ? known->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const description* const known = describe(error);
  return known != nullptr ? known->text : "unrecognized error code";
}
