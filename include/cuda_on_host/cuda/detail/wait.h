// How the stand-ins for cuda::atomic, cuda::barrier and similar types wait for another thread.
#pragma once
#include <sched.h>

#include <heddle_host/lane.hpp>
#include <heddle_host/progress.hpp>

namespace cuda_on_host {

// Lets other lanes run; on the host, other threads.
inline void let_others_run() {
  if (heddle_host::in_lane()) {
    heddle_host::yield();
  } else {
    sched_yield();
  }
}

template <typename Condition>
inline void wait_until(Condition condition) {
  while (!condition()) let_others_run();
}

}  // namespace cuda_on_host
