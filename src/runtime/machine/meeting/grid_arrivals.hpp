// The threads of a block that wait at the barrier of their grid.
#pragma once
#include "machine/warp_state.hpp"

namespace heddle_host {

class block_state;

class grid_arrivals {
 public:
  explicit grid_arrivals(block_state& block) : block_(block) {}

  void arrive(const void* where);  // called by the running lane, which waits here
  void thread_has_exited() {
    if (count_ != 0) arrive_if_complete();
  }
  bool try_release();  // true if the grid's barrier has opened for the block
  void clear();

  bool are_any() const { return count_ > 0; }
  unsigned generation() const { return generation_; }  // of the barrier that the block waits for

 private:
  bool are_complete() const;
  void arrive_if_complete();

  block_state& block_;
  unsigned count_ = 0;
  unsigned generation_ = 0;
  lanes_of_warps waiting_{};
};

}  // namespace heddle_host
