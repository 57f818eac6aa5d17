// The lane that this operating-system thread is running, and the step from one lane to the next.
#pragma once
#include <cstddef>

#include <vector_types.h>

#include <heddle_host/context.hpp>

namespace heddle_host {

// In a checked program lanes cannot change these, as in CUDA: their values stay in registers, and
// the checker need not look at reads of them. In other programs the loop over lanes increments
// `threadIdx`.
#ifdef HEDDLE_CHECKED
template <typename T>
using built_in = const T;
#else
template <typename T>
using built_in = T;
#endif

}  // namespace heddle_host

// CUDA's own names, one set for each thread. The runtime writes them when it switches lanes.
extern __thread heddle_host::built_in<uint3> threadIdx;
extern __thread heddle_host::built_in<uint3> blockIdx;
extern __thread heddle_host::built_in<dim3> blockDim;
extern __thread heddle_host::built_in<dim3> gridDim;

namespace heddle_host {

class block_state;
struct warp_state;

// The scope of a memory operation.
enum class memory_scope : unsigned char { device, block, cluster, system };

// What lanes need quick access to. All but `thread`, `warp` and `stopping` belongs to the block and
// does not change when another of its lanes resumes.
struct lane_state {
  block_state* block;              // null if this thread runs no lane
  warp_state* warp;                // the running lane's; null until a lane has waited
  context* stopping;               // where to store the resume point of a lane that must stop
  runner* starting_on;             // the fiber that is starting to run lanes
  unsigned char* shared;           // the block's static shared memory
  unsigned char* dynamic_shared;   // and the size given at the launch
  unsigned thread;                 // linear index in the block; valid once a lane has waited
  unsigned next_unstarted;         // the first thread that no fiber has started; likewise
  unsigned row_end;                // lanes run in sequence up to this threadIdx.x; 0: one by one
  unsigned threads;                // threads of the block
  unsigned spin_budget;            // failed polls left before the lane yields
  volatile bool may_be_preempted;  // the kernel's own code is running, not the runtime's
  volatile bool runs_row;          // lanes of a row run one by one; threadIdx is the running one's
  volatile bool runs_together;     // lanes of a row run together; threadIdx is the first one's
  volatile bool runs_block;        // the whole block runs as loops; threadIdx is no lane's
  bool repeats_lanes;              // lanes faulted in a loop; they are repeated to find out which
  void* observed;                  // the observer's data for the block
  memory_scope atomic_scope;       // of the current atomic operation, in a checked program
};
extern __thread lane_state lane_now;

inline bool in_lane() { return lane_now.block != nullptr; }

// The running lane's linear index in its block.
inline unsigned linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// A preemption signal must find consistent state: no store may move across these fences.
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

// The running lane has exited. Null: this thread's current lane is now another one, for the same
// fiber to run. Otherwise the fiber must suspend at `mine.idle` and resume what is returned;
// whoever switches back to it has made a lane current for it to run.
context end_lane(runner& mine);

// Ends the running lane in the middle of its code, as PTX's `exit` does.
[[noreturn]] void exit_lane();

// The main loop of a fiber in a checked program, for one grid.
[[noreturn]] void run_one_by_one(void (*run_lane)(const void* closure), const void* closure);

}  // namespace heddle_host
