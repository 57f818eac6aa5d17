// How the stand-ins for cuda::barrier and cuda::counting_semaphore wait with a time limit.
#pragma once
#include <chrono>

#include <cuda/detail/wait.h>

namespace cuda_on_host {

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
