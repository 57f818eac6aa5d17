// Describes a machine: what it has, what will be used, what is missing.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/machine.hpp"

namespace heddle::cli {

// What affects heddle besides the machine itself.
struct environment {
  std::string version;          // of heddle
  std::string runtime;          // path of its library
  std::string runtime_failure;  // why it cannot be used; empty if it can
  std::string cache;            // the folder of built programs; empty without a home folder
  bool is_cache_writable = false;
  std::uint64_t free_bytes = 0;  // on the cache's file system
  std::string debugger;          // gdb's path; empty: none
  std::string cccl;              // the folder that has CUB and Thrust; empty: none
  std::string trial_failure;     // why a small kernel could not be built or gave a wrong result
  double trial_seconds = 0;      // duration of that trial; 0: not tried
};

enum class verdict { good, note, missing };

// One line: a subject, what was found, and how to fix what is missing.
struct diagnosis_line {
  std::string subject;
  verdict is = verdict::good;
  std::string text;
  std::string cure;
};

struct diagnosis {
  std::vector<diagnosis_line> lines;
  bool is_usable = false;  // kernels can be built and run here, on CPU or GPU
  bool is_gpu_used = false;
};

[[nodiscard]] diagnosis diagnose(const machine& here, const environment& around);

}  // namespace heddle::cli
