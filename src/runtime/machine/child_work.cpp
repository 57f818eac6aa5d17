// Keeps what lanes launch, with the order that streams and events require.
#include "machine/child_work.hpp"

#include <algorithm>
#include <atomic>

#include <heddle_host/lane.hpp>

#include "machine/block_state.hpp"
#include "machine/grid_state.hpp"

namespace heddle_host {
namespace {

constexpr unsigned deepest_child = 24;
constexpr std::uint64_t tail_launch = 3;  // cudaStreamTailLaunch
constexpr std::uint64_t fire_and_forget = 4;

std::atomic<std::uint64_t> children_so_far{0};
// Differs from all handles that the host gets, and from all addresses.
std::atomic<std::uint64_t> next_handle{0x4000'0000'0000'0001};
std::atomic<std::size_t> pending{0};
std::atomic<std::size_t> most_pending{2048};

}  // namespace

lane_calls& child_work::calls_of(std::uint64_t lane) {
  const std::lock_guard lock(mutex_);
  return lanes_[lane];
}

std::uint64_t child_work::open_stream() {
  const std::lock_guard lock(mutex_);
  return *open_streams_.insert(next_handle.fetch_add(2)).first;
}

// Its pending children still run.
bool child_work::close_stream(std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  return open_streams_.erase(handle) != 0;
}

bool child_work::is_stream(std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  return open_streams_.contains(handle);
}

std::uint64_t child_work::open_event() {
  const std::lock_guard lock(mutex_);
  return events_.emplace(next_handle.fetch_add(2), points()).first->first;
}

bool child_work::close_event(std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  return events_.erase(handle) != 0;
}

bool child_work::record(std::uint64_t event, const child_stream& on) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(event);
  if (found == events_.end()) return false;
  found->second = streams_[on];
  return true;
}

bool child_work::make_wait(const child_stream& who, std::uint64_t event) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(event);
  if (found == events_.end()) return false;
  points& waits = streams_[who];
  for (const std::uint64_t each : found->second) {
    if (std::find(waits.begin(), waits.end(), each) == waits.end()) waits.push_back(each);
  }
  return true;
}

cudaError_t child_work::enqueue(const child_stream& on, child what, std::uint64_t& number) {
  if (depth_ >= deepest_child && what.grid) return cudaErrorLaunchMaxDepthExceeded;
  if (pending.fetch_add(1) >= most_pending) {
    --pending;
    return cudaErrorLaunchPendingCountExceeded;
  }
  const std::lock_guard lock(mutex_);
  what.number = number = ++children_so_far;
  if (on.handle == tail_launch) {
    tails_.push_back(std::move(what));
    return cudaSuccess;
  }
  if (on.handle != fire_and_forget) {
    points& last = streams_[on];
    what.after = std::exchange(last, {what.number});
  }
  children_.push_back(std::move(what));
  return cudaSuccess;
}

void set_most_pending_children(std::size_t count) { most_pending = count; }

void child_is_no_longer_pending() { --pending; }

child_work& children_of_running_grid() { return lane_now.block->grid().children(); }

std::uint64_t number_of_running_block() { return lane_now.block->linear_index(); }

std::uint64_t number_of_running_lane() {
  constexpr unsigned most_threads = 1024;
  return number_of_running_block() * most_threads + lane_now.block->running_thread();
}

}  // namespace heddle_host
