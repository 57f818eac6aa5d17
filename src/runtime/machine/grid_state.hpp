// A grid while it runs: the remaining blocks, its result, and its barrier.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include <heddle_host/finding.hpp>
#include <heddle_host/launch.hpp>

namespace heddle_host {

class child_work;

class grid_state {
 public:
  // `children` gets what the grid's lanes launch.
  grid_state(const launch_request& request, child_work& children);

  const launch_request& request() const { return request_; }
  child_work& children() const { return children_; }
  std::uint64_t number() const { return number_; }  // unique in the process
  uint3 block_index(std::uint64_t linear_block) const;

  // Blocks are handed out in order, in whole clusters. Large grids hand out several clusters at
  // once, so that workers seldom contend. An empty range means that none is left.
  struct range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  range claim_clusters();
  bool has_unclaimed() const { return claimed() < clusters_; }
  std::uint64_t claimed() const { return next_cluster_.load(std::memory_order_relaxed); }
  std::uint64_t clusters() const { return clusters_; }
  unsigned blocks_per_cluster() const { return blocks_per_cluster_; }
  std::uint64_t block_of_cluster(std::uint64_t cluster, unsigned rank) const;

  // The listener gets the first failure; the others are dropped.
  void fail(const finding& what);
  bool has_failed() const { return failed_.load(std::memory_order_relaxed); }
  cudaError_t error() const { return error_; }

  // A worker starts or stops running this grid.
  void join() { workers_.fetch_add(1, std::memory_order_relaxed); }
  void leave();
  void wait_for_workers();

  // The grid's barrier. `arrive` returns the generation that the block waits for.
  unsigned arrive();
  bool has_passed(unsigned generation) const {
    return generation_.load(std::memory_order_acquire) != generation;
  }
  // Sleeps until the generation completes or the grid fails. False if every worker sleeps, so that
  // it never will.
  bool sleep_until_passed(unsigned generation);

  // Counts signs of progress other than threads that start and exit.
  std::atomic<std::uint64_t> progress{0};
  // Set by the watchdog; the next lane that can be interrupted ends the grid.
  std::atomic<bool> has_timed_out{false};

 private:
  const launch_request& request_;
  child_work& children_;
  std::uint64_t number_;
  std::uint64_t blocks_;
  std::uint64_t clusters_;
  unsigned blocks_per_cluster_;
  std::uint64_t clusters_per_claim_;
  std::atomic<std::uint64_t> next_cluster_{0};
  std::atomic<bool> failed_{false};
  std::atomic<unsigned> generation_{0};

  std::mutex mutex_;
  std::condition_variable changed_;
  cudaError_t error_ = cudaSuccess;
  std::atomic<unsigned> workers_{0};
  unsigned sleepers_ = 0;
  std::uint64_t arrived_ = 0;
};

}  // namespace heddle_host
