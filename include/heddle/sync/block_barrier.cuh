// A barrier for any set of blocks of one grid.
//   strategy    between two block barriers, one thread of each block increments a word and polls
//               another
//   needs       sm_75; all blocks of the set resident
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle::sync {

// Zeroed memory is a ready barrier. It can be used any number of times, always by the same number
// of blocks. Several barriers divide a grid into sets of blocks that synchronise independently.
//   called by   every thread of each of `blocks` blocks
//   progress    the blocks must run at the same time: a cooperative launch, or a grid that is known
//               to fit the device
//   order       what any thread of these blocks wrote before the barrier is seen by all of them
//               after it
//   cost        two block barriers, and two round trips to L2 after the last arrival
class block_barrier {
 public:
  // Returns when all threads of `blocks` blocks have arrived.
  __device__ void wait(unsigned blocks) {
    __syncthreads();
    if (thread_rank() == 0) {
      // The sense cannot flip before this block has arrived, so this reads the old value.
      const unsigned sense = load(&sense_);
      fence();
      if (add(&arrived_, 1u) == blocks - 1) {
        store(&arrived_, 0);
        fence();  // behind all arrivals, and before the sense turns
        store(&sense_, sense + 1);
      } else {
        for (backoff pause; load_acquire(&sense_) == sense;) pause.pause();
      }
    }
    __syncthreads();
  }

 private:
  unsigned arrived_;
  unsigned sense_;
};

}  // namespace heddle::sync
