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
  std::vector<node*> captured;        // without nodes that the program has added itself
  std::vector<queue_pointer> joined;  // all its streams, including the origin
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id begun_by;
  unsigned long long id = 0;
  bool is_invalid = false;
};

cudaError_t begin_capture(const queue_pointer& on, cudaStreamCaptureMode mode);
// Captures into an existing graph. The first operation depends on the nodes in `after`.
cudaError_t begin_capture(const queue_pointer& on, cudaStreamCaptureMode mode,
                          std::shared_ptr<graph> into, const std::vector<node*>& after);
// `result` is null unless the capture succeeded.
cudaError_t end_capture(const queue_pointer& on, std::shared_ptr<graph>& result);

struct capture_state {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  std::shared_ptr<graph> into;
  std::vector<node*> frontier;
};
// Adds to the dependencies of the next captured operation, or replaces them.
cudaError_t change_frontier(const queue_pointer& on, const std::vector<node*>& nodes,
                            bool replaces);
capture_state state_of_capture(const queue_pointer& on);

// The error for a call that is forbidden on a captured stream (a synchronisation with it), which
// also invalidates the capture.
cudaError_t forbid_on_capturing(const queue_pointer& on);
// The error for a call that is unsafe during a capture, given the modes of the captures and of the
// calling thread.
cudaError_t forbid_unsafe_call();
cudaStreamCaptureMode exchange_thread_mode(cudaStreamCaptureMode mode);

// For holders of order():
// Adds the operation as a node after the stream's frontier.
cudaError_t capture_operation(queue& on, operation what);
// The error for work on the legacy stream while a stream that it orders with is captured.
cudaError_t forbid_legacy_work();
// Adds the stream to the capture, ordered after `after` and after its own captured work.
void join_capture(const queue_pointer& joining, const std::shared_ptr<capture>& to,
                  const std::vector<node*>& after);

}  // namespace heddle_host::stream
