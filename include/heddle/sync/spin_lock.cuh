// A lock of one word: whoever exchanges it first has it.
//   strategy    an exchange with acquire, repeated after pauses that double
//   needs       sm_75
#pragma once
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle::sync {

// Memory that is all zero is a free lock. Who comes first is open, and nobody is sure to come at
// all while others take turns: see ticket_lock.
//   called by   single threads, also several lanes of one warp: those that wait sleep, and the one
//               that has the lock goes on. Do not wait for lanes of the warp (a collective) while
//               holding it.
//   order       what was written before unlock() is seen behind the next lock(), within `reach`
template <scope reach = scope::device>
class spin_lock {
 public:
  // Makes any memory a free lock, such as shared memory: by one thread, before a barrier.
  __device__ void clear() { is_taken_ = 0; }

  // True if the caller has the lock now.
  [[nodiscard]] __device__ bool try_lock() {
    // A lock that is seen to be taken is left alone: loads do not disturb its holder.
    if (load<reach>(&is_taken_) != 0 || exchange<reach>(&is_taken_, 1) != 0) return false;
    fence<reach>();
    return true;
  }
  // Returns when the caller has the lock.
  __device__ void lock() {
    for (backoff wait; !try_lock(); wait.pause()) {
    }
  }
  // False if that took longer than allowed.
  [[nodiscard]] __device__ bool try_lock_for(std::uint64_t nanoseconds) {
    const deadline end(nanoseconds);
    for (backoff wait; !try_lock(); wait.pause()) {
      if (end.has_passed()) return false;
    }
    return true;
  }
  //   called by   the thread that has the lock
  __device__ void unlock() { store_release<reach>(&is_taken_, 0); }

 private:
  unsigned is_taken_;
};

// Runs `function` while holding the lock. The form for lanes of one warp: a compiler may bring
// lanes together behind a loop around lock(), where the holder then waits for those that wait for
// it; here the lock is given back inside of the loop.
template <typename Lock, typename Function>
__device__ inline void locked(Lock& lock, Function&& function) {
  backoff wait;
  for (bool is_done = false; !is_done;) {
    if (lock.try_lock()) {
      function();
      lock.unlock();
      is_done = true;
    } else {
      wait.pause();
    }
  }
}

}  // namespace heddle::sync
