// What this machine has to compile kernels with and to run them on.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cli {

struct found_program {
  std::string path;     // empty: there is none
  std::string version;  // as the program tells it; empty: it told none
};

struct found_gpu {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  std::uint64_t memory = 0;  // bytes
  double memory_rate = 0;    // GB/s that its memory can deliver; 0: the driver does not tell
  // As nvcc names it: sm_90.
  [[nodiscard]] std::string architecture() const;
  // The library is for architectures from sm_75 on.
  [[nodiscard]] bool is_offered() const { return 10 * major + minor >= 75; }
};

struct machine {
  std::string system;     // kernel and architecture: Linux 6.1.0 x86_64
  std::string processor;  // its name, if the system tells it
  unsigned cores = 0;     // that this process may use
  found_program compiler;
  found_program nvcc;
  int nvcc_release = 0;         // as CUDA counts: 13000 for 13.0; 0: not known
  bool has_driver = false;      // libcuda.so.1 is there
  std::string driver_version;   // of NVIDIA's kernel module; empty: not known
  int driver_release = 0;       // the newest CUDA it runs, as CUDA counts; 0: not known
  std::string driver_failure;   // why it shows no GPU, in its own words; empty: it shows some
  std::vector<found_gpu> gpus;  // the first is the one that programs get
};

// Asks the system, the compilers and NVIDIA's driver. Nothing is said of failures but in the
// result.
[[nodiscard]] machine look_at_machine();

struct device_choice {
  bool is_gpu = false;
  std::string reason;    // a sentence: what is used, and why nothing better
  bool is_lack = false;  // there is something of a GPU here, yet it cannot be used
};

// Where kernels are to run: on the GPU if they can be built for it and run on it.
[[nodiscard]] device_choice choose_device(const machine& where);

// 13000 as "13.0".
[[nodiscard]] std::string release_text(int release);

}  // namespace heddle::cli
