// Marks where a host thread must not stop for another one, unless it has to wait.
#pragma once

namespace heddle_checker {

// Used inside CUDA calls and the checker, whose state must not be left half updated.
class quiet_section {
 public:
  quiet_section() { ++depth(); }
  ~quiet_section() { --depth(); }
  quiet_section(const quiet_section&) = delete;
  quiet_section& operator=(const quiet_section&) = delete;

  // The nesting depth of the calling thread.
  static unsigned& depth() {
    static thread_local unsigned of_thread = 0;
    return of_thread;
  }
};

}  // namespace heddle_checker
