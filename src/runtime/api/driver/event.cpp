// The driver API for events. It has the same handles and flags as the runtime API.
#include <cuda_runtime_api.h>

#include "api/driver/call.hpp"

using namespace heddle_host::api;

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return runtime_call([&] { return cudaEventCreateWithFlags(event, flags); });
}

CUresult cuEventDestroy(CUevent event) {
  return runtime_call([&] { return cudaEventDestroy(event); });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return runtime_call([&] { return cudaEventRecord(event, stream); });
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return runtime_call([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuEventQuery(CUevent event) {
  return runtime_call([&] { return cudaEventQuery(event); });
}

CUresult cuEventSynchronize(CUevent event) {
  return runtime_call([&] { return cudaEventSynchronize(event); });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return runtime_call([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}
