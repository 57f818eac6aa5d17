// A recursive ticket mutex: only one thread of the program is in the checker at a time.
#pragma once
#include <atomic>
#include <utility>

#include "checker/schedule/quiet_section.hpp"

namespace heddle_checker {

// The thread that runs a grid holds the mutex from the grid's beginning to its end. Other threads
// lock it when they call CUDA or access memory that kernels see. The owner yields to them before
// atomic operations of its lanes: only there can a kernel and host threads communicate. Threads
// get the mutex in the order in which they arrive, and the owner may lock it again.
class ticket_mutex {
 public:
  void lock() {
    if (owner_.load(std::memory_order_relaxed) == this_thread()) {
      ++depth_;
      return;
    }
    const unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
    for (unsigned now = serving_.load(); now != mine; now = serving_.load()) serving_.wait(now);
    owner_.store(this_thread(), std::memory_order_relaxed);
    depth_ = 1;
  }
  void unlock() {
    if (--depth_ != 0) return;
    owner_.store(nullptr, std::memory_order_relaxed);
    serving_.fetch_add(1);
    serving_.notify_all();
  }
  // Called by the owner: whether another thread waits.
  [[nodiscard]] bool has_waiters() const {
    return next_.load(std::memory_order_relaxed) - serving_.load(std::memory_order_relaxed) > 1;
  }
  void yield() {
    run_unlocked([] {});
  }
  // Others may hold the mutex until the action is done.
  template <typename Action>
  void run_unlocked(Action action) {
    const unsigned depth = std::exchange(depth_, 1);
    unlock();
    action();
    lock();
    depth_ = depth;
  }

 private:
  static const void* this_thread() {
    static thread_local char mark;
    return &mark;
  }

  std::atomic<unsigned> next_{0};
  std::atomic<unsigned> serving_{0};
  std::atomic<const void*> owner_{nullptr};
  unsigned depth_ = 0;  // of nested locks by the owner
};

// Holds the mutex as long as it lives. Null: there is nothing to lock.
class ticket_lock_guard {
 public:
  explicit ticket_lock_guard(ticket_mutex* mutex) : mutex_(mutex) {
    if (mutex_ != nullptr) mutex_->lock();
  }
  ~ticket_lock_guard() {
    if (mutex_ != nullptr) mutex_->unlock();
  }
  ticket_lock_guard(const ticket_lock_guard&) = delete;
  ticket_lock_guard& operator=(const ticket_lock_guard&) = delete;

 private:
  ticket_mutex* mutex_;
  quiet_section meanwhile_;
};

}  // namespace heddle_checker
