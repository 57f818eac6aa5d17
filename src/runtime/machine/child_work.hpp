// What the lanes of a grid have launched. It stays here until the grid's blocks have ended.
#pragma once
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <heddle_host/kernel.hpp>
#include <heddle_host/launch.hpp>

namespace heddle_host {

// A grid, a copy or a fill that a lane has enqueued.
struct child {
  std::uint64_t number = 0;            // unique in the process
  std::vector<std::uint64_t> after;    // children that must run before it
  std::optional<launch_request> grid;  // if empty, `work` is set
  std::function<cudaError_t()> work;
};

// A launch shape that a lane has pushed, and the code that pushed it.
struct child_shape {
  launch_shape shape;
  const void* code;
};

// The state of a lane that uses the device runtime.
struct lane_calls {
  std::vector<child_shape> pushed;
  cudaError_t last_error = cudaSuccess;
  cudaError_t launch_result = cudaSuccess;
};

// A stream of a grid. The handle is one of CUDA's special handles, or that of a stream that a lane
// has created.
struct child_stream {
  std::uint64_t handle;
  std::uint64_t owner;  // null stream: the block; cudaStreamPerThread: the lane; otherwise 0
  auto operator<=>(const child_stream&) const = default;
};

// All functions are thread-safe unless they say otherwise.
class child_work {
 public:
  // Children of the host's grids have depth 1.
  explicit child_work(unsigned depth) : depth_(depth) {}

  // Only the lane itself may use the result.
  lane_calls& calls_of(std::uint64_t lane);

  // Streams and events of this grid.
  std::uint64_t open_stream();
  bool close_stream(std::uint64_t handle);
  bool is_stream(std::uint64_t handle);
  std::uint64_t open_event();
  bool close_event(std::uint64_t handle);
  // False if the event does not exist.
  bool record(std::uint64_t event, const child_stream& on);
  bool make_wait(const child_stream& who, std::uint64_t event);

  // Sets the child's number and what it comes after. Returns the error code for the lane.
  cudaError_t enqueue(const child_stream& on, child what, std::uint64_t& number);

  // Called by the thread that runs the grids, when no lane runs. Return the children in launch
  // order, and those that were launched into cudaStreamTailLaunch.
  std::vector<child> take_children() { return std::exchange(children_, {}); }
  std::vector<child> take_tails() { return std::exchange(tails_, {}); }

 private:
  // Numbers of the children that the next child of a stream comes after.
  using points = std::vector<std::uint64_t>;

  const unsigned depth_;
  std::mutex mutex_;
  std::map<std::uint64_t, lane_calls> lanes_;
  std::map<child_stream, points> streams_;
  std::set<std::uint64_t> open_streams_;
  std::map<std::uint64_t, points> events_;
  std::vector<child> children_;
  std::vector<child> tails_;
};

// How many children may wait at once in the process: cudaLimitDevRuntimePendingLaunchCount.
void set_most_pending_children(std::size_t count);
// Call it when a child begins or is dropped.
void child_is_no_longer_pending();

// The children of the running lane's grid; call only from a lane.
child_work& children_of_running_grid();
// A number for the running lane, unique in its grid.
std::uint64_t number_of_running_lane();
std::uint64_t number_of_running_block();

}  // namespace heddle_host
