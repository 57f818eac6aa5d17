// The GPU that a bench runs on: checked calls, memory, and what the device is.
#pragma once
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cub/version.cuh>
#include <string>
#include <vector>

#include "support/machine.hpp"

namespace heddle_bench {

// Ends the bench with a sentence: figures of a run that went wrong are worth nothing.
inline void check(bool is_right, const char* what) {
  if (is_right) return;
  std::fprintf(stderr, "bench: %s\n", what);
  std::exit(1);
}
inline void check(cudaError_t error) { check(error == cudaSuccess, cudaGetErrorString(error)); }

template <typename T>
class device_array {
 public:
  explicit device_array(std::size_t count) : count_(count) {
    check(cudaMalloc(&memory_, count * sizeof(T)));
  }
  ~device_array() { cudaFree(memory_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  T* data() const { return memory_; }
  // Every byte becomes one that no result is made of.
  void poison() const { check(cudaMemset(memory_, 0xa5, count_ * sizeof(T))); }
  // The first `count` of them.
  std::vector<T> values(std::size_t count) const {
    std::vector<T> copy(count);
    check(cudaMemcpy(copy.data(), memory_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }

 private:
  T* memory_ = nullptr;
  std::size_t count_;
};

// The time between two points of the default stream.
class stopwatch {
 public:
  stopwatch() {
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
  }
  ~stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  void start() { check(cudaEventRecord(begin_)); }
  double nanoseconds() {
    check(cudaEventRecord(end_));
    check(cudaEventSynchronize(end_));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return 1e6 * milliseconds;
  }

 private:
  cudaEvent_t begin_{};
  cudaEvent_t end_{};
};

inline cudaDeviceProp device_properties() {
  int devices = 0;
  check(cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0, "this machine has no GPU");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  return properties;
}

// What the driver calls itself, or the CUDA version that it knows where it cannot be asked.
inline std::string driver_release() {
  if (void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW)) {
    char release[96] = "";
    const auto start = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    const auto ask =
        reinterpret_cast<int (*)(char*, unsigned)>(dlsym(library, "nvmlSystemGetDriverVersion"));
    if (start != nullptr && ask != nullptr && start() == 0 && ask(release, sizeof release) == 0) {
      return release;
    }
  }
  int version = 0;
  check(cudaDriverGetVersion(&version));
  return "for CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

inline machine this_machine() {
  const cudaDeviceProp device = device_properties();
  int clock_khz = 0, runtime = 0;
  check(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0));
  check(cudaRuntimeGetVersion(&runtime));
  char date[16] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  return {device.name,
          device.multiProcessorCount,
          clock_khz / 1000,
          driver_release(),
          std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10),
          std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
              std::to_string(CUB_SUBMINOR_VERSION),
          date};
}

}  // namespace heddle_bench
