// A lock that is had in the order of asking.
//   strategy    an addition draws a ticket; its holder waits for the word that is served
//   needs       sm_75
#pragma once
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle::sync {

// Memory that is all zero is a free lock.
//   called by   single threads, also several lanes of one warp, as spin_lock
//   order       what was written before unlock() is seen behind the next lock(), within `reach`;
//               threads have it in the order of their tickets
//   limits      at most 2^32 - 1 threads wait at a time
template <scope reach = scope::device>
class ticket_lock {
 public:
  // Makes any memory a free lock, such as shared memory: by one thread, before a barrier.
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
  // True if nobody has it, nobody waits, and the caller has it now.
  [[nodiscard]] __device__ bool try_lock() {
    const unsigned served = load<reach>(&served_);
    // The ticket that is served now can be drawn only while it is the next one: then the lock is
    // free, and it stays so until that ticket is drawn.
    if (load<reach>(&next_ticket_) != served ||
        compare_exchange<reach>(&next_ticket_, served, served + 1) != served) {
      return false;
    }
    fence<reach>();
    return true;
  }
  // False if that took longer than allowed. A ticket that is drawn must be waited for, so this one
  // draws only when its turn has come: threads in lock() go first.
  [[nodiscard]] __device__ bool try_lock_for(std::uint64_t nanoseconds) {
    const deadline end(nanoseconds);
    for (backoff wait; !try_lock(); wait.pause()) {
      if (end.has_passed()) return false;
    }
    return true;
  }
  //   called by   the thread that has the lock
  __device__ void unlock() { store_release<reach>(&served_, load<reach>(&served_) + 1); }

 private:
  static constexpr unsigned nanoseconds_per_turn_ = 64;
  static constexpr unsigned most_counted_ = 32;
  unsigned next_ticket_;
  unsigned served_;
};

}  // namespace heddle::sync
