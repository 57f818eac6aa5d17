// Events: marks in streams that others can wait for and that know when they were passed.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include <driver_types.h>

#include "stream/queue.hpp"

namespace heddle_host::stream {

// One use of an event. A second use leaves the waiters of the first alone.
struct mark {
  point where;
  std::atomic<std::int64_t> nanoseconds{0};  // when it was passed
};

class event : public std::enable_shared_from_this<event> {
 public:
  explicit event(unsigned flags) : flags_(flags) {}

  bool measures_time() const { return (flags_ & cudaEventDisableTiming) == 0; }

  // Marks what the stream has been given so far.
  cudaError_t record(const queue_pointer& on);
  // The same; in a capture it becomes a node that marks the event at every run of the graph, while
  // the event lives.
  cudaError_t record_at_every_replay(const queue_pointer& on);
  // Later work of the stream waits for the mark set last.
  cudaError_t make_wait(const queue_pointer& who);
  cudaError_t query();
  cudaError_t synchronize();

  // CUDA's answer for the time between two events.
  static cudaError_t elapsed(event& from, event& to, float& milliseconds);

 private:
  cudaError_t last_mark(std::shared_ptr<mark>& result);
  void pass_now();

  const unsigned flags_;
  // Guarded by order().
  std::shared_ptr<mark> last_;
  std::shared_ptr<capture> captured_in_;
  std::vector<node*> captured_frontier_;
};

}  // namespace heddle_host::stream
