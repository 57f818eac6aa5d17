// A stream: operations that run in order, each on the stream's thread or on one that waits for it.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include <driver_types.h>

namespace heddle_host::api {
struct graph_memory;
}

namespace heddle_host::stream {

struct capture;
struct node;
class queue;
using queue_pointer = std::shared_ptr<queue>;

// The moment when a stream has completed its first `number` operations.
struct point {
  queue_pointer on;
  std::uint64_t number = 0;

  bool is_reached() const;
};

struct operation {
  std::function<cudaError_t()> run;  // an error is a device fault; empty if it only waits
  std::vector<point> waits;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;  // its node type when captured
  const char* label = nullptr;                      // a kernel's name
  std::shared_ptr<api::graph_memory> memory;        // what it allocates or frees when captured
  bool runs_after_fault = false;
  bool is_host_code = false;       // a user's function: runs only on the stream's own thread
  std::uint64_t submitted_as = 0;  // the observer's name for the moment of the call
};

enum class urgency {
  background,      // run by the stream's thread
  inline_if_idle,  // short: run by the caller if nothing is before it
  caller_waits,    // the caller waits at once, and runs it if it can
};

struct submission {
  cudaError_t error = cudaSuccess;
  bool was_captured = false;
  point done;  // reached when the operation has run; unset if it was captured
};

class queue {
 public:
  queue(int device, unsigned flags, int priority, bool is_legacy)
      : device(device), flags(flags), priority(priority), is_legacy(is_legacy) {}

  // Whether the legacy default stream of its device and this stream wait for each other.
  bool orders_with_legacy() const { return !is_legacy && (flags & cudaStreamNonBlocking) == 0; }
  bool is_idle() const { return completed.load(std::memory_order_acquire) == submitted; }

  const int device;
  const unsigned flags;
  const int priority;
  const bool is_legacy;
  const std::uint64_t name = next_name++;  // unique, even among destroyed queues
  std::uint64_t owner = 0;                 // the driver context; 0 for the device's primary context
  std::atomic<std::uint64_t> completed{0};

  // Everything below is guarded by order().
  std::uint64_t submitted = 0;
  std::deque<operation> waiting;
  bool has_runner = false;  // some thread is running this stream's operations
  bool has_thread = false;
  bool is_closing = false;
  std::condition_variable work_arrived;
  std::condition_variable progressed;
  std::shared_ptr<capture> capturing;
  std::vector<node*> frontier;  // what the next captured operation depends on

 private:
  static inline std::atomic<std::uint64_t> next_name{0};
};

// Guards the order of submissions. There is one lock for all streams, because a legacy stream is
// ordered with all others of its device, and events connect devices.
std::mutex& order();
// All existing streams. The caller holds order().
const std::vector<queue_pointer>& all_queues();

// The next three apply to the calling thread's device.
queue_pointer legacy_queue();
// The thread's own default stream.
queue_pointer thread_queue();
queue_pointer open_queue(unsigned flags, int priority);
// Its remaining work is still done; then its thread exits.
void close_queue(const queue_pointer& which);

submission submit(const queue_pointer& to, operation what, urgency how);

// Returns when the point is reached. Runs the stream's work itself if no other thread does. In a
// checked run no other thread ever does, so that work happens as late as possible.
void wait_for(const point& where);

// What a synchronisation with the stream waits for; for the legacy stream, this includes all
// streams that it orders with. In a checked run it also includes completed work, since the wait
// orders the caller after it.
std::vector<point> pending_work(const queue_pointer& of);
std::vector<point> pending_work_of(int device);

// True on a thread that runs a user's function for a stream.
bool in_host_code();

}  // namespace heddle_host::stream
