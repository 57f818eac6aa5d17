// Marks threads that belong to the runtime, not to the program.
#pragma once

namespace heddle_host {

// While one lives, threads that the calling thread starts belong to the runtime.
class starts_own_thread {
 public:
  starts_own_thread() { ++depth(); }
  ~starts_own_thread() { --depth(); }
  starts_own_thread(const starts_own_thread&) = delete;
  starts_own_thread& operator=(const starts_own_thread&) = delete;

  static unsigned& depth() {
    static thread_local unsigned of_thread = 0;
    return of_thread;
  }
};

inline bool is_starting_own_thread() { return starts_own_thread::depth() != 0; }

}  // namespace heddle_host
