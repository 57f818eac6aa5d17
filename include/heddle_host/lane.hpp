// The lane that this operating-system thread is running now, and the way from one lane to the next.
#pragma once
#include <cstddef>

#include <vector_types.h>

// CUDA's own names, one set for each thread. The machine writes them when another lane goes on.
extern __thread uint3 threadIdx;
extern __thread uint3 blockIdx;
extern __thread dim3 blockDim;
extern __thread dim3 gridDim;

namespace heddle_host {

class block_state;
struct warp_state;
struct fiber;

// What lanes need at once. All but `warp` and `thread` belongs to the block and stays when another
// lane of it goes on.
struct lane_state {
  block_state* block;              // null: this thread runs no lane
  warp_state* warp;                // kept only while the block needs care
  fiber* starting_on;              // the fiber that was taken last to run lanes
  unsigned char* shared;           // the block's static shared memory
  unsigned char* dynamic_shared;   // and what the launch asked for
  unsigned thread;                 // linear index of the lane's thread in its block
  unsigned next_unstarted;         // the first thread of the block that no fiber has picked yet
  unsigned threads;                // threads of the block
  unsigned spin_budget;            // fruitless polls left before the lane lets others run
  bool block_needs_care;           // a lane has waited, or somebody observes: the long way
  volatile bool may_be_preempted;  // the kernel's own code runs, not the machine's
};
extern __thread lane_state lane_now;

inline bool in_lane() { return lane_now.block != nullptr; }

// The first lane for a fiber that has just been taken, and the next one when a lane has ended:
// makes it this thread's lane and tells its thread. Where there is none to begin, the fiber sleeps
// in here until it is taken again, by this block or by another one of the same grid.
unsigned first_lane(fiber& mine);
unsigned next_lane(fiber& mine);
void set_thread_index(unsigned thread);

// Makes `thread` this thread's lane, in a block that needs no care.
inline void start_lane(unsigned thread) {
  lane_now.next_unstarted = thread + 1;
  lane_now.thread = thread;
  if (__builtin_expect(thread < blockDim.x, 1)) {
    threadIdx.x = thread;  // y and z are still 0 in the first row
  } else {
    set_thread_index(thread);
  }
}

// A preemption signal must find the books in order: no store may cross these lines.
inline void enter_lane_code() {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  lane_now.may_be_preempted = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

inline void leave_lane_code() {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  lane_now.may_be_preempted = false;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

}  // namespace heddle_host
