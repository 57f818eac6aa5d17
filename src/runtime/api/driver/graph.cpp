// The driver API for graphs and captures: the functions that work like the runtime's. Handles are
// the same in both APIs.
#include <cuda_runtime_api.h>

#include "api/driver/call.hpp"

using namespace heddle_host::api;

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  const auto same = static_cast<cudaStreamCaptureMode>(mode);
  return runtime_call([&] { return cudaStreamBeginCapture(stream, same); });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return runtime_call([&] { return cudaStreamEndCapture(stream, graph); });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return runtime_call([&] {
    if (status == nullptr) return cudaErrorInvalidValue;
    cudaStreamCaptureStatus same = cudaStreamCaptureStatusNone;
    const cudaError_t error = cudaStreamIsCapturing(stream, &same);
    if (error == cudaSuccess) *status = static_cast<CUstreamCaptureStatus>(same);
    return error;
  });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return runtime_call([&] {
    if (mode == nullptr) return cudaErrorInvalidValue;
    auto same = static_cast<cudaStreamCaptureMode>(*mode);
    const cudaError_t error = cudaThreadExchangeStreamCaptureMode(&same);
    *mode = static_cast<CUstreamCaptureMode>(same);
    return error;
  });
}

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return runtime_call([&] { return cudaGraphCreate(graph, flags); });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return runtime_call([&] { return cudaGraphDestroy(graph); });
}

CUresult cuGraphClone(CUgraph* clone, CUgraph original) {
  return runtime_call([&] { return cudaGraphClone(clone, original); });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return runtime_call([&] { return cudaGraphGetNodes(graph, nodes, count); });
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return runtime_call([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph,
                                     unsigned long long flags) {
  return runtime_call([&] { return cudaGraphInstantiateWithFlags(executable, graph, flags); });
}

CUresult cuGraphUpload(CUgraphExec executable, CUstream stream) {
  return runtime_call([&] { return cudaGraphUpload(executable, stream); });
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return runtime_call([&] { return cudaGraphLaunch(executable, stream); });
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return runtime_call([&] { return cudaGraphExecDestroy(executable); });
}
