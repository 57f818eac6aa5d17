// The lane that this operating-system thread is running now, and the way from one lane to the next.
#pragma once
#include <cstddef>

#include <vector_types.h>

#include <heddle_host/context.hpp>

namespace heddle_host {

// A lane of a checked program cannot change these, as in CUDA: their values stay in registers, and
// reading one is not an access to memory that the checker would have to look at. In other programs
// the loop over lanes counts `threadIdx` on.
#ifdef HEDDLE_CHECKED
template <typename T>
using built_in = const T;
#else
template <typename T>
using built_in = T;
#endif

}  // namespace heddle_host

// CUDA's own names, one set for each thread. The machine writes them when another lane goes on.
extern __thread heddle_host::built_in<uint3> threadIdx;
extern __thread heddle_host::built_in<uint3> blockIdx;
extern __thread heddle_host::built_in<dim3> blockDim;
extern __thread heddle_host::built_in<dim3> gridDim;

namespace heddle_host {

class block_state;
struct warp_state;

// Whom an operation on memory is meant for.
enum class memory_scope : unsigned char { device, block, cluster, system };

// What lanes need at once. All but `thread`, `warp` and `stopping` belongs to the block and stays
// when another lane of it goes on.
struct lane_state {
  block_state* block;              // null: this thread runs no lane
  warp_state* warp;                // the running lane's; null as long as no lane has waited
  context* stopping;               // where a lane that has been told to stop will go on
  runner* starting_on;             // the fiber that begins to run lanes
  unsigned char* shared;           // the block's static shared memory
  unsigned char* dynamic_shared;   // and what the launch asked for
  unsigned thread;                 // linear index in the block; known once a lane has waited
  unsigned next_unstarted;         // the first thread that no fiber has picked; likewise
  unsigned row_end;                // lanes follow each other up to this threadIdx.x; 0: one by one
  unsigned threads;                // threads of the block
  unsigned spin_budget;            // fruitless polls left before the lane lets others run
  volatile bool may_be_preempted;  // the kernel's own code runs, not the machine's
  void* observed;                  // what the observer keeps of the block
  memory_scope atomic_scope;       // of the atomic operation that runs, in a checked program
};
extern __thread lane_state lane_now;

inline bool in_lane() { return lane_now.block != nullptr; }

// The running lane's linear index in its block.
inline unsigned linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
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

// The running lane has ended. Null: another one is this thread's lane now, to be run by the same
// fiber. Else the fiber has to stop at `mine.idle` and go on at what is returned; when somebody
// switches to it again, he has made a lane this thread's lane for it to run.
context end_lane(runner& mine);

// What a fiber does all its life in a checked program, as long as the same grid runs.
[[noreturn]] void run_one_by_one(void (*run_lane)(const void* closure), const void* closure);

}  // namespace heddle_host
