// Hands out blocks; keeps the grid's barrier and its first failure.
#include "machine/grid_state.hpp"

#include <algorithm>

#include <heddle_host/options.hpp>

#include "machine/listeners.hpp"

namespace heddle_host {

namespace {
std::atomic<std::uint64_t> grids_so_far{0};
}

grid_state::grid_state(const launch_request& request, child_work& children)
    : request_(request),
      children_(children),
      number_(grids_so_far.fetch_add(1, std::memory_order_relaxed) + 1) {
  blocks_ = std::uint64_t{request.grid.x} * request.grid.y * request.grid.z;
  blocks_per_cluster_ = request.cluster.x * request.cluster.y * request.cluster.z;
  clusters_ = blocks_ / blocks_per_cluster_;
  // So few clusters per claim that all workers finish at nearly the same time.
  constexpr std::uint64_t claims_per_worker = 32;
  clusters_per_claim_ =
      std::clamp<std::uint64_t>(clusters_ / (worker_count() * claims_per_worker), 1, 64);
}

uint3 grid_state::block_index(std::uint64_t linear_block) const {
  const dim3 grid = request_.grid;
  const std::uint64_t row = linear_block / grid.x;
  return {static_cast<unsigned>(linear_block % grid.x), static_cast<unsigned>(row % grid.y),
          static_cast<unsigned>(row / grid.y)};
}

grid_state::range grid_state::claim_clusters() {
  if (!has_unclaimed()) return {};
  const std::uint64_t begin =
      next_cluster_.fetch_add(clusters_per_claim_, std::memory_order_relaxed);
  if (begin >= clusters_) return {};
  return {begin, std::min(begin + clusters_per_claim_, clusters_)};
}

std::uint64_t grid_state::block_of_cluster(std::uint64_t cluster, unsigned rank) const {
  if (blocks_per_cluster_ == 1) return cluster;
  const dim3 size = request_.cluster;
  const dim3 grid = request_.grid;
  const std::uint64_t clusters_x = grid.x / size.x;
  const std::uint64_t clusters_y = grid.y / size.y;
  const std::uint64_t x = cluster % clusters_x * size.x + rank % size.x;
  const std::uint64_t y = cluster / clusters_x % clusters_y * size.y + rank / size.x % size.y;
  const std::uint64_t z = cluster / clusters_x / clusters_y * size.z + rank / size.x / size.y;
  return (z * grid.y + y) * grid.x + x;
}

void grid_state::fail(const finding& what) {
  {
    std::lock_guard lock(mutex_);
    if (failed_.load(std::memory_order_relaxed)) return;
    error_ = what.error;
    failed_.store(true, std::memory_order_release);
  }
  changed_.notify_all();
  deliver(what);
}

void grid_state::leave() {
  std::lock_guard lock(mutex_);
  workers_.fetch_sub(1, std::memory_order_relaxed);
  changed_.notify_all();
}

void grid_state::wait_for_workers() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return workers_.load(std::memory_order_relaxed) == 0; });
}

unsigned grid_state::arrive() {
  std::lock_guard lock(mutex_);
  const unsigned generation = generation_.load(std::memory_order_relaxed);
  if (++arrived_ == blocks_) {
    arrived_ = 0;
    sleepers_ = 0;  // all may resume, though they have not woken yet
    generation_.store(generation + 1, std::memory_order_release);
    changed_.notify_all();
  }
  return generation;
}

bool grid_state::sleep_until_passed(unsigned generation) {
  std::unique_lock lock(mutex_);
  const auto may_go_on = [&] {
    return has_passed(generation) || failed_.load(std::memory_order_relaxed);
  };
  if (may_go_on()) return true;
  ++sleepers_;
  if (sleepers_ == workers_.load(std::memory_order_relaxed)) {
    --sleepers_;
    return false;
  }
  changed_.wait(
      lock, [&] { return may_go_on() || sleepers_ == workers_.load(std::memory_order_relaxed); });
  if (!has_passed(generation)) --sleepers_;
  return may_go_on();
}

}  // namespace heddle_host
