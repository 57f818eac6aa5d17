// A block as a member of its cluster: the other blocks, and the cluster's barrier.
#pragma once
#include <array>
#include <vector>

#include "machine/warp_state.hpp"

namespace heddle_host {

class block_state;

class cluster_member {
 public:
  explicit cluster_member(block_state& block) : block_(block) {}

  // The blocks of the cluster in rank order; just this block if it is in none.
  void begin(block_state* const* blocks, unsigned rank);
  void report_begin() const;  // to the observer, once all blocks have started
  block_state& block(unsigned rank) const { return *blocks_[rank]; }
  unsigned rank() const { return rank_; }

  // Called by the running lane.
  void arrive();
  void wait(const void* where);

  void thread_has_exited() {
    if (!is_alone_ || arrivals_ != 0) release_if_complete();
  }
  void block_has_finished();
  void clear();

 private:
  unsigned blocks() const;
  bool has_arrived() const;
  void release_if_complete();
  [[nodiscard]] std::vector<void*> observed() const;

  block_state& block_;
  block_state* const* blocks_ = nullptr;
  unsigned rank_ = 0;
  bool is_alone_ = true;
  unsigned arrivals_ = 0;  // threads that have arrived in the current phase
  unsigned phase_ = 0;     // phases that the cluster has completed
  lanes_of_warps waiting_{};
  std::array<unsigned char, max_threads_per_block> phase_of_thread_{};
};

}  // namespace heddle_host
