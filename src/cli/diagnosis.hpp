// What is to be said of a machine: what it has, what will be used, what is missing.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "machine.hpp"

namespace heddle::cli {

// What a command of heddle meets besides the machine itself.
struct surroundings {
  std::string version;          // of heddle
  std::string runtime;          // where its library is
  std::string runtime_failure;  // why it cannot be used; empty: it can
  std::string cache;            // the folder of finished programs; empty: there is no home
  bool is_cache_writable = false;
  std::uint64_t free_bytes = 0;  // where the cache is
  std::string debugger;          // gdb's path; empty: there is none
  std::string trial_failure;     // why a small kernel was not built or gave a wrong answer
  double trial_seconds = 0;      // what it took; 0: it was not tried
};

enum class verdict { good, note, missing };

// One line: a subject, what was found, and the cure of what is missing.
struct diagnosis_line {
  std::string subject;
  verdict is = verdict::good;
  std::string text;
  std::string cure;
};

struct diagnosis {
  std::vector<diagnosis_line> lines;
  bool is_usable = false;  // kernels can be built and run here, on whatever
  bool is_gpu_used = false;
};

[[nodiscard]] diagnosis diagnose(const machine& here, const surroundings& around);

}  // namespace heddle::cli
