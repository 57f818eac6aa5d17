// Events: marks in streams that others can wait for and that record when they were passed.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <driver_types.h>

#include "stream/queue.hpp"
#include "stream/shared_marks.hpp"

namespace heddle_host::stream {

// One recording of an event. Recording it again does not affect those that wait for the first.
struct mark {
  point where;
  std::atomic<std::int64_t> nanoseconds{0};  // when it was passed
};

class event : public std::enable_shared_from_this<event> {
 public:
  // `shared` is null unless several processes use the event.
  event(int device, unsigned flags, std::shared_ptr<shared_marks> shared = nullptr)
      : device(device), shared(std::move(shared)), flags_(flags) {}

  bool measures_time() const { return (flags_ & cudaEventDisableTiming) == 0; }

  // Marks the work submitted to the stream so far.
  cudaError_t record(const queue_pointer& on);
  // The same; in a capture, adds a node that marks the event at every run of the graph while the
  // event lives.
  cudaError_t record_at_every_replay(const queue_pointer& on);
  // What a node of a graph does when it runs.
  void pass_now();
  // What the launch of a graph that waits for the event has to wait for.
  point last_point();
  // Later work of the stream waits for the last mark.
  cudaError_t make_wait(const queue_pointer& who);
  cudaError_t query();
  cudaError_t synchronize();

  // CUDA's result for the time between two events.
  static cudaError_t elapsed(event& from, event& to, float& milliseconds);

  const int device;
  const std::shared_ptr<shared_marks> shared;
  std::uint64_t owner = 0;  // the driver context; 0 for the device's primary context

 private:
  cudaError_t last_mark(std::shared_ptr<mark>& result);
  // The number of the last mark if another process has recorded it; otherwise 0.
  std::uint64_t foreign_mark();
  cudaError_t make_wait_for_foreign(std::uint64_t number, const queue_pointer& who);

  const unsigned flags_;
  // Guarded by order().
  std::shared_ptr<mark> last_;
  std::uint64_t number_of_last_ = 0;  // among the shared marks
  std::shared_ptr<capture> captured_in_;
  std::vector<node*> captured_frontier_;
};

}  // namespace heddle_host::stream
