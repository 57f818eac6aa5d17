// A lock that threads get in the order in which they asked.
//   strategy    an addition draws a ticket; its owner waits until that ticket is served
//   needs       sm_75
#pragma once
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle::sync {

// Zeroed memory is a free lock.
//   called by   single threads, also several lanes of one warp, as with spin_lock
//   order       what was written before unlock() is seen after the next lock(), within `reach`;
//               threads get the lock in ticket order
//   limits      at most 2^32 - 1 threads wait at a time
template <scope reach = scope::device>
class ticket_lock {
 public:
  // Makes any memory, such as shared memory, a free lock: by one thread, before a barrier.
  __device__ void clear() { next_ticket_ = served_ = 0; }

  // Returns when it is the caller's turn.
  __device__ void lock() {
    const unsigned ticket = add<reach>(&next_ticket_, 1u);
    for (;;) {
      const unsigned before_me = ticket - load_acquire<reach>(&served_);
      if (before_me == 0) return;
      __nanosleep(before_me < most_counted_ ? before_me * nanoseconds_per_turn_
                                            : most_counted_ * nanoseconds_per_turn_);
    }
  }
  // True if the caller now holds the lock; false if another thread holds it or waits for it.
  [[nodiscard]] __device__ bool try_lock() {
    const unsigned served = load<reach>(&served_);
    // The exchange succeeds only if the ticket being served is still undrawn. Then the lock is
    // free, and stays free until that ticket is drawn.
    if (load<reach>(&next_ticket_) != served ||
        compare_exchange<reach>(&next_ticket_, served, served + 1) != served) {
      return false;
    }
    fence<reach>();
    return true;
  }
  // Returns false if the lock could not be had within this time. A drawn ticket cannot be returned,
  // so this draws one only when the lock is free: threads in lock() go first.
  [[nodiscard]] __device__ bool try_lock_for(std::uint64_t nanoseconds) {
    const deadline end(nanoseconds);
    for (backoff wait; !try_lock(); wait.pause()) {
      if (end.has_passed()) return false;
    }
    return true;
  }
  //   called by   the thread that holds the lock
  __device__ void unlock() { store_release<reach>(&served_, load<reach>(&served_) + 1); }

 private:
  static constexpr unsigned nanoseconds_per_turn_ = 64;
  static constexpr unsigned most_counted_ = 32;
  unsigned next_ticket_;
  unsigned served_;
};

}  // namespace heddle::sync
