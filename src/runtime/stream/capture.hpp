// Stream capture: operations become nodes of a graph instead of running.
#pragma once
#include <memory>
#include <thread>
#include <vector>

#include <driver_types.h>

#include "stream/graph.hpp"
#include "stream/queue.hpp"

namespace heddle_host::stream {

struct capture {
  std::shared_ptr<graph> into = std::make_shared<graph>();
  queue_pointer origin;
  std::vector<queue_pointer> joined;  // all streams in it, the origin too
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id begun_by;
  unsigned long long id = 0;
  bool is_invalid = false;
};

cudaError_t begin_capture(const queue_pointer& on, cudaStreamCaptureMode mode);
// `result` is null unless all went well.
cudaError_t end_capture(const queue_pointer& on, std::shared_ptr<graph>& result);

struct capture_state {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
};
capture_state state_of_capture(const queue_pointer& on);

// The error for a call that no captured stream may see (a synchronisation with it); the capture is
// then lost.
cudaError_t forbid_on_capturing(const queue_pointer& on);
// The error for a call that is unsafe while captures go on, by the modes of the captures and of the
// calling thread.
cudaError_t forbid_unsafe_call();
cudaStreamCaptureMode exchange_thread_mode(cudaStreamCaptureMode mode);

// For holders of order():
// The operation becomes a node behind the stream's frontier.
cudaError_t capture_operation(queue& on, operation what);
// The error for work on the legacy stream while a stream is captured that it orders with.
cudaError_t forbid_legacy_work();
// Makes the stream part of the capture, behind `after` as well as behind what it has there.
void join_capture(const queue_pointer& joining, const std::shared_ptr<capture>& to,
                  const std::vector<node*>& after);

}  // namespace heddle_host::stream
