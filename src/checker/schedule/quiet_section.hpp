// Where a thread of the host is not to stop for another one, unless it must wait.
#pragma once

namespace heddle_checker {

// Inside CUDA's calls and the checker, whose state is not to be left half done.
class quiet_section {
 public:
  quiet_section() { ++depth(); }
  ~quiet_section() { --depth(); }
  quiet_section(const quiet_section&) = delete;
  quiet_section& operator=(const quiet_section&) = delete;

  // Of the calling thread.
  static unsigned& depth() {
    static thread_local unsigned of_thread = 0;
    return of_thread;
  }
};

}  // namespace heddle_checker
