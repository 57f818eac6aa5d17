// Finds out what this machine has to compile and run kernels.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cli {

struct found_program {
  std::string path;     // empty: none
  std::string version;  // as the program prints it; empty: it prints none
};

struct found_gpu {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  std::uint64_t memory = 0;  // bytes
  double memory_rate = 0;    // peak memory bandwidth in GB/s; 0: the driver does not say
  // nvcc's name for it: sm_90.
  [[nodiscard]] std::string architecture() const;
  // The library supports sm_75 and newer.
  [[nodiscard]] bool is_supported() const { return 10 * major + minor >= 75; }
};

struct machine {
  std::string system;     // kernel and architecture: Linux 6.1.0 x86_64
  std::string processor;  // its name, if the system gives one
  unsigned cores = 0;     // usable by this process
  found_program compiler;
  found_program nvcc;
  int nvcc_release = 0;         // CUDA's number: 13000 for 13.0; 0: unknown
  bool has_driver = false;      // libcuda.so.1 exists
  std::string driver_version;   // of NVIDIA's kernel module; empty: unknown
  int driver_release = 0;       // newest CUDA it supports, as CUDA's number; 0: unknown
  std::string driver_failure;   // the driver's reason for showing no GPU; empty if it shows any
  std::vector<found_gpu> gpus;  // programs use the first
};

// Asks the system, the compilers and NVIDIA's driver. Failures appear only in the result.
[[nodiscard]] machine inspect_machine();

struct device_choice {
  bool is_gpu = false;
  std::string reason;             // a sentence: what is used, and why nothing better
  bool has_unusable_gpu = false;  // some GPU hardware or software was found, but it cannot be used
};

// Where to run kernels: on the GPU if they can be built for it and run on it.
[[nodiscard]] device_choice choose_device(const machine& where);

// 13000 as "13.0".
[[nodiscard]] std::string release_text(int release);

}  // namespace heddle::cli
