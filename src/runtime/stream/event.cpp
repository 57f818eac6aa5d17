// Records marks in streams, waits for them and compares them.
#include "stream/event.hpp"

#include <chrono>

#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>

#include "stream/capture.hpp"

namespace heddle_host::stream {
namespace {

std::int64_t nanoseconds_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Passes the mark, and the one with this number if several processes share the event.
operation pass(const std::shared_ptr<mark>& which, const std::shared_ptr<shared_marks>& shared,
               std::uint64_t number) {
  operation what;
  what.run = [which, shared, number] {
    which->nanoseconds = nanoseconds_now();
    if (shared != nullptr) shared->pass(number);
    return cudaSuccess;
  };
  what.type = cudaGraphNodeTypeEventRecord;
  what.runs_after_fault = true;
  return what;
}

}  // namespace

cudaError_t event::record(const queue_pointer& on) {
  {
    const std::lock_guard lock(order());
    if (on->capturing != nullptr) {
      if (on->capturing->is_invalid) return cudaErrorStreamCaptureInvalidated;
      if (shared != nullptr) return cudaErrorStreamCaptureUnsupported;
      captured_in_ = on->capturing;
      captured_frontier_ = on->frontier;
      return cudaSuccess;
    }
  }
  const auto fresh = std::make_shared<mark>();
  const std::uint64_t number = shared == nullptr ? 0 : shared->add();
  const submission sent = submit(on, pass(fresh, shared, number), urgency::inline_if_idle);
  if (sent.error != cudaSuccess) {
    if (shared != nullptr) shared->pass(number);
    return sent.error;
  }
  const std::lock_guard lock(order());
  fresh->where = sent.done;
  last_ = fresh;
  number_of_last_ = number;
  captured_in_ = nullptr;
  captured_frontier_.clear();
  return cudaSuccess;
}

cudaError_t event::record_at_every_replay(const queue_pointer& on) {
  {
    const std::lock_guard lock(order());
    if (on->capturing != nullptr) {
      if (shared != nullptr) return cudaErrorStreamCaptureUnsupported;
      operation what;
      what.run = [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->pass_now();
        return cudaSuccess;
      };
      what.type = cudaGraphNodeTypeEventRecord;
      return capture_operation(*on, std::move(what));
    }
  }
  return record(on);
}

void event::pass_now() {
  const auto fresh = std::make_shared<mark>();
  fresh->nanoseconds = nanoseconds_now();
  const std::lock_guard lock(order());
  last_ = fresh;
  captured_in_ = nullptr;
}

point event::last_point() {
  const std::lock_guard lock(order());
  return last_ == nullptr || captured_in_ != nullptr ? point() : last_->where;
}

std::uint64_t event::foreign_mark() {
  if (shared == nullptr) return 0;
  const std::lock_guard lock(order());
  const std::uint64_t number = shared->last();
  return number == number_of_last_ ? 0 : number;
}

cudaError_t event::make_wait_for_foreign(std::uint64_t number, const queue_pointer& who) {
  {
    const std::lock_guard lock(order());
    if (who->capturing != nullptr) {
      who->capturing->is_invalid = true;
      return cudaErrorStreamCaptureIsolation;
    }
  }
  operation what;
  what.run = [shared = shared, number] {
    shared->wait_for(number);
    return cudaSuccess;
  };
  what.type = cudaGraphNodeTypeWaitEvent;
  return submit(who, std::move(what), urgency::background).error;
}

cudaError_t event::make_wait(const queue_pointer& who) {
  if (const std::uint64_t number = foreign_mark(); number != 0) {
    return make_wait_for_foreign(number, who);
  }
  operation what;
  {
    const std::lock_guard lock(order());
    if (captured_in_ != nullptr) {
      if (captured_in_->origin == nullptr) return cudaErrorCapturedEvent;
      if (who->is_legacy) {
        captured_in_->is_invalid = true;
        return cudaErrorStreamCaptureImplicit;
      }
      if (who->capturing != nullptr && who->capturing != captured_in_) {
        captured_in_->is_invalid = who->capturing->is_invalid = true;
        return cudaErrorStreamCaptureMerge;
      }
      if (captured_in_->is_invalid) return cudaErrorStreamCaptureInvalidated;
      join_capture(who, captured_in_, captured_frontier_);
      return cudaSuccess;
    }
    if (last_ == nullptr) return cudaSuccess;
    if (who->capturing != nullptr) {
      // A captured operation can only wait for events recorded in the same capture.
      who->capturing->is_invalid = true;
      return cudaErrorStreamCaptureIsolation;
    }
    if (last_->where.is_reached() && !policy().works_when_awaited) return cudaSuccess;
    what.waits.push_back(last_->where);
  }
  what.type = cudaGraphNodeTypeWaitEvent;
  return submit(who, std::move(what), urgency::background).error;
}

cudaError_t event::last_mark(std::shared_ptr<mark>& result) {
  const std::lock_guard lock(order());
  if (captured_in_ != nullptr) {
    captured_in_->is_invalid = true;
    return cudaErrorCapturedEvent;
  }
  result = last_;
  return cudaSuccess;
}

cudaError_t event::query() {
  if (const std::uint64_t number = foreign_mark(); number != 0) {
    return shared->is_passed(number) ? cudaSuccess : cudaErrorNotReady;
  }
  std::shared_ptr<mark> last;
  if (const cudaError_t error = last_mark(last); error != cudaSuccess) return error;
  if (last != nullptr && policy().works_when_awaited) wait_for(last->where);
  return last == nullptr || last->where.is_reached() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t event::synchronize() {
  if (const std::uint64_t number = foreign_mark(); number != 0) {
    shared->wait_for(number);
    return cudaSuccess;
  }
  std::shared_ptr<mark> last;
  if (const cudaError_t error = last_mark(last); error != cudaSuccess) return error;
  if (last != nullptr) wait_for(last->where);
  return cudaSuccess;
}

cudaError_t event::elapsed(event& from, event& to, float& milliseconds) {
  if (!from.measures_time() || !to.measures_time()) return cudaErrorInvalidResourceHandle;
  std::shared_ptr<mark> begin;
  std::shared_ptr<mark> end;
  if (const cudaError_t error = from.last_mark(begin); error != cudaSuccess) return error;
  if (const cudaError_t error = to.last_mark(end); error != cudaSuccess) return error;
  if (begin == nullptr || end == nullptr) return cudaErrorInvalidResourceHandle;
  if (!begin->where.is_reached() || !end->where.is_reached()) return cudaErrorNotReady;
  const std::int64_t nanoseconds = end->nanoseconds - begin->nanoseconds;
  milliseconds = static_cast<float>(static_cast<double>(nanoseconds) * 1e-6);
  return cudaSuccess;
}

}  // namespace heddle_host::stream
