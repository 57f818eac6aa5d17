// A critical section that some lanes of a warp enter together: one of them takes the lock for all.
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle_bench {

// Runs `work` in each of `lanes` while the first of them holds the lock.
//   called by   all of `lanes`; other lanes of the warp may wait for the lock meanwhile
// The unlock is inside the loop, so that the compiler cannot make the holder wait for lanes that
// wait for the lock.
template <typename Lock, typename Work>
__device__ inline void locked_together(Lock& lock, heddle::lane_mask lanes, const Work& work) {
  const bool is_first = heddle::lane_id() == heddle::first_lane(lanes);
  heddle::sync::backoff wait;
  for (bool is_done = false; !is_done;) {
    const bool has_lock = __any_sync(lanes, is_first && lock.try_lock()) != 0;
    if (has_lock) {
      __syncwarp(lanes);  // all lanes see what the first lane has acquired
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
