// Runs a case in its own process, because CUDA cannot be used in a process after a sticky error.
#pragma once
#include <spawn.h>
#include <sys/wait.h>

#include "conformance.hpp"

namespace conformance {

// True in the child process, which runs only the calling case; false in its parent.
inline bool in_own_process() {
  if (alone) return true;
  std::fflush(stdout);
  const char* arguments[] = {"conformance", running_case, "--alone", nullptr};
  pid_t child = 0;
  int status = -1;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(arguments),
                  environ) == 0)
    waitpid(child, &status, 0);
  if (status != 0) std::printf("the case's own process ended with status %d\n", status);
  return false;
}

}  // namespace conformance
