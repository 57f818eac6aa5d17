// A barrier for any set of blocks of one grid.
//   strategy    one thread of each block counts up a word and looks at it; barriers of the block
//               around that
//   needs       sm_75; all blocks of the set resident
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle::sync {

// Memory that is all zero is a barrier. It can be passed any number of times, always by the same
// number of blocks; several barriers part a grid into sets that wait for each other.
//   called by   every thread of each of `blocks` blocks
//   progress    the blocks must run at the same time: a cooperative launch, or a grid that is known
//               to fit the device
//   order       what any thread of these blocks wrote before is seen by all of them behind it
//   cost        two block barriers, and two trips to the second-level cache after the last arrival
class block_barrier {
 public:
  // Returns when all threads of `blocks` blocks have come.
  __device__ void wait(unsigned blocks) {
    __syncthreads();
    if (thread_rank() == 0) {
      // The sense turns only when this block has arrived, too: what is read here is the old one.
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
