// Tracks which streams are being captured and which calls that forbids.
#include "stream/capture.hpp"

#include <algorithm>
#include <utility>

namespace heddle_host::stream {
namespace {

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

// Lists each capture once. The caller holds order().
std::vector<std::shared_ptr<capture>> captures() {
  std::vector<std::shared_ptr<capture>> found;
  for (const queue_pointer& each : all_queues()) {
    if (each->capturing != nullptr && each->capturing->origin == each) {
      found.push_back(each->capturing);
    }
  }
  return found;
}

bool forbids_unsafe_call(const capture& one) {
  if (thread_mode == cudaStreamCaptureModeRelaxed || one.mode == cudaStreamCaptureModeRelaxed) {
    return false;
  }
  const bool is_own = one.begun_by == std::this_thread::get_id();
  return is_own ||
         (one.mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal);
}

void leave_all(capture& over) {
  for (const queue_pointer& each : over.joined) {
    each->capturing = nullptr;
    each->frontier.clear();
  }
  over.joined.clear();
  over.origin = nullptr;
}

}  // namespace

cudaError_t begin_capture(const queue_pointer& on, cudaStreamCaptureMode mode) {
  return begin_capture(on, mode, std::make_shared<graph>(), {});
}

cudaError_t begin_capture(const queue_pointer& on, cudaStreamCaptureMode mode,
                          std::shared_ptr<graph> into, const std::vector<node*>& after) {
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
    return cudaErrorInvalidValue;
  }
  if (on->is_legacy) return cudaErrorStreamCaptureUnsupported;
  static std::atomic<unsigned long long> captures_begun{0};
  const std::lock_guard lock(order());
  if (on->capturing != nullptr) return cudaErrorIllegalState;
  auto fresh = std::make_shared<capture>();
  fresh->into = std::move(into);
  fresh->origin = on;
  fresh->mode = mode;
  fresh->begun_by = std::this_thread::get_id();
  fresh->id = ++captures_begun;
  join_capture(on, fresh, after);
  return cudaSuccess;
}

cudaError_t end_capture(const queue_pointer& on, std::shared_ptr<graph>& result) {
  result = nullptr;
  const std::lock_guard lock(order());
  const std::shared_ptr<capture> over = on->capturing;
  if (over == nullptr) return cudaErrorIllegalState;
  if (over->origin != on) return cudaErrorStreamCaptureUnmatched;
  if (over->mode != cudaStreamCaptureModeRelaxed && over->begun_by != std::this_thread::get_id()) {
    return cudaErrorStreamCaptureWrongThread;
  }
  const bool is_joined = all_lead_to(over->captured, on->frontier);
  leave_all(*over);
  if (over->is_invalid) return cudaErrorStreamCaptureInvalidated;
  if (!is_joined) return cudaErrorStreamCaptureUnjoined;
  result = over->into;
  return cudaSuccess;
}

capture_state state_of_capture(const queue_pointer& on) {
  const std::lock_guard lock(order());
  if (on->capturing == nullptr) return {};
  const auto status = on->capturing->is_invalid ? cudaStreamCaptureStatusInvalidated
                                                : cudaStreamCaptureStatusActive;
  return {status, on->capturing->id, on->capturing->into, on->frontier};
}

cudaError_t change_frontier(const queue_pointer& on, const std::vector<node*>& nodes,
                            bool replaces) {
  const std::lock_guard lock(order());
  if (on->capturing == nullptr) return cudaErrorIllegalState;
  if (replaces) on->frontier.clear();
  join_capture(on, on->capturing, nodes);
  return cudaSuccess;
}

cudaError_t forbid_on_capturing(const queue_pointer& on) {
  const std::lock_guard lock(order());
  if (on->is_legacy) return forbid_legacy_work();
  if (on->capturing == nullptr) return cudaSuccess;
  on->capturing->is_invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t forbid_unsafe_call() {
  const std::lock_guard lock(order());
  cudaError_t error = cudaSuccess;
  for (const auto& one : captures()) {
    if (!forbids_unsafe_call(*one)) continue;
    one->is_invalid = true;
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

cudaStreamCaptureMode exchange_thread_mode(cudaStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

cudaError_t capture_operation(queue& on, operation what) {
  capture& in = *on.capturing;
  if (in.is_invalid) return cudaErrorStreamCaptureInvalidated;
  node fresh;
  fresh.type = what.type;
  fresh.run = std::move(what.run);
  fresh.is_host_code = what.is_host_code;
  if (what.label != nullptr) fresh.label = what.label;
  fresh.memory = std::move(what.memory);
  fresh.dependencies = on.frontier;
  on.frontier = {in.into->add(std::move(fresh))};
  in.captured.push_back(on.frontier.front());
  return cudaSuccess;
}

cudaError_t forbid_legacy_work() {
  cudaError_t error = cudaSuccess;
  for (const queue_pointer& each : all_queues()) {
    if (each->capturing == nullptr || !each->orders_with_legacy()) continue;
    each->capturing->is_invalid = true;
    error = cudaErrorStreamCaptureImplicit;
  }
  return error;
}

void join_capture(const queue_pointer& joining, const std::shared_ptr<capture>& to,
                  const std::vector<node*>& after) {
  if (joining->capturing == nullptr) {
    joining->capturing = to;
    joining->frontier.clear();
    to->joined.push_back(joining);
  }
  for (node* each : after) {
    auto& frontier = joining->frontier;
    if (std::find(frontier.begin(), frontier.end(), each) == frontier.end()) {
      frontier.push_back(each);
    }
  }
}

}  // namespace heddle_host::stream
