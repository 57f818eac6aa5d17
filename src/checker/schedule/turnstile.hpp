// Admits threads of the program to the checker one at a time: a reentrant ticket lock.
#pragma once
#include <atomic>
#include <utility>

#include "checker/schedule/quiet_section.hpp"

namespace heddle_checker {

// The thread that runs a grid is inside from the grid's beginning to its end. Other threads enter
// when they call CUDA or access memory that kernels see. The thread inside admits them before
// atomic operations of its lanes: only there can a kernel and host threads communicate. Threads
// enter in the order in which they arrive, and the thread inside may enter again.
class turnstile {
 public:
  void enter() {
    if (inside_.load(std::memory_order_relaxed) == this_thread()) {
      ++depth_;
      return;
    }
    const unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
    for (unsigned now = serving_.load(); now != mine; now = serving_.load()) serving_.wait(now);
    inside_.store(this_thread(), std::memory_order_relaxed);
    depth_ = 1;
  }
  void leave() {
    if (--depth_ != 0) return;
    inside_.store(nullptr, std::memory_order_relaxed);
    serving_.fetch_add(1);
    serving_.notify_all();
  }
  // Called by the thread inside: whether another one waits.
  [[nodiscard]] bool is_wanted() const {
    return next_.load(std::memory_order_relaxed) - serving_.load(std::memory_order_relaxed) > 1;
  }
  void let_others_in() {
    step_outside([] {});
  }
  // Others may be inside until the action is done.
  template <typename Action>
  void step_outside(Action action) {
    const unsigned depth = std::exchange(depth_, 1);
    leave();
    action();
    enter();
    depth_ = depth;
  }

 private:
  static const void* this_thread() {
    static thread_local char mark;
    return &mark;
  }

  std::atomic<unsigned> next_{0};
  std::atomic<unsigned> serving_{0};
  std::atomic<const void*> inside_{nullptr};
  unsigned depth_ = 0;  // of nested entries by the thread inside
};

// Keeps the thread inside as long as it lives. Null: there is no door.
class visit {
 public:
  explicit visit(turnstile* door) : door_(door) {
    if (door_ != nullptr) door_->enter();
  }
  ~visit() {
    if (door_ != nullptr) door_->leave();
  }
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

 private:
  turnstile* door_;
  quiet_section meanwhile_;
};

}  // namespace heddle_checker
