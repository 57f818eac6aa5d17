// A critical section that some lanes of a warp enter together: one of them takes the lock for all.
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle_bench {

// Runs `work` in each of `lanes` while the first of them holds the lock.
//   called by   all of `lanes`; lanes of the same warp beyond them may wait for the lock meanwhile
// The lock is given back inside of the loop, so that a compiler cannot make the holder wait for
// lanes that wait for it.
template <typename Lock, typename Work>
__device__ inline void locked_together(Lock& lock, heddle::lane_mask lanes, const Work& work) {
  const bool is_first = heddle::lane_id() == heddle::first_lane(lanes);
  heddle::sync::backoff wait;
  for (bool is_done = false; !is_done;) {
    const bool has_lock = __any_sync(lanes, is_first && lock.try_lock()) != 0;
    if (has_lock) {
      __syncwarp(lanes);  // what the first lane may see now, all may
      work();
      __syncwarp(lanes);
      if (is_first) lock.unlock();
      is_done = true;
    } else {
      wait.pause();
    }
  }
}

}  // namespace heddle_bench
