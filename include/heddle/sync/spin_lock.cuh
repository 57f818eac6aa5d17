// A lock of one word: the first thread to exchange it holds it.
//   strategy    an exchange and a fence, retried after pauses that double in length
//   needs       sm_75
#pragma once
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle::sync {

// Zeroed memory is a free lock. It is not fair: a thread may starve while others take turns. For
// fairness see ticket_lock.
//   called by   single threads, also several lanes of one warp: those that wait sleep while the
//               holder proceeds. Do not wait for other lanes of the warp (in a collective) while
//               holding the lock.
//   order       what was written before unlock() is seen after the next lock(), within `reach`
template <scope reach = scope::device>
class spin_lock {
 public:
  // Makes any memory, such as shared memory, a free lock: by one thread, before a barrier.
  __device__ void clear() { is_taken_ = 0; }

  // True if the caller now holds the lock.
  [[nodiscard]] __device__ bool try_lock() {
    // A lock that looks taken is left alone: loads do not disturb its holder.
    if (load<reach>(&is_taken_) != 0 || exchange<reach>(&is_taken_, 1) != 0) return false;
    fence<reach>();
    return true;
  }
  // Returns when the caller holds the lock.
  __device__ void lock() {
    for (backoff wait; !try_lock(); wait.pause()) {
    }
  }
  // Returns false if the lock could not be had within this time.
  [[nodiscard]] __device__ bool try_lock_for(std::uint64_t nanoseconds) {
    const deadline end(nanoseconds);
    for (backoff wait; !try_lock(); wait.pause()) {
      if (end.has_passed()) return false;
    }
    return true;
  }
  //   called by   the thread that holds the lock
  __device__ void unlock() { store_release<reach>(&is_taken_, 0); }

 private:
  unsigned is_taken_;
};

// Runs `function` while holding the lock. Lanes of one warp should use this form: a compiler may
// make lanes reconverge after a loop around lock(), and then the holder waits for lanes that wait
// for the lock. Here the lock is released inside the loop.
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
