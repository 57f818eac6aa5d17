// How the stand-ins for cuda::atomic, cuda::barrier and similar types wait for another thread.
#pragma once
#include <chrono>
#include <cstdint>
#include <thread>

#include <heddle_host/lane.hpp>
#include <heddle_host/progress.hpp>

namespace cuda_on_host {

// Lets other lanes run; on the host, other threads.
inline void let_others_run() {
  if (heddle_host::in_lane()) {
    heddle_host::yield();
  } else {
    std::this_thread::yield();
  }
}

template <typename Condition>
inline void wait_until(Condition condition) {
  while (!condition()) let_others_run();
}

// False if the time limit expired first. The condition is evaluated at least once.
template <typename Condition>
inline bool wait_until_for(Condition condition, std::chrono::nanoseconds timeout) {
  const auto start = std::chrono::steady_clock::now();
  while (!condition()) {
    if (std::chrono::steady_clock::now() - start >= timeout) return false;
    let_others_run();
  }
  return true;
}

}  // namespace cuda_on_host
