// The GPU that a bench runs on: checked calls, memory and time.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace heddle_bench {

// Exits with a message: the figures of a failed run are worthless.
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
  // Sets every byte to a value that no result contains.
  void poison() const { check(cudaMemset(memory_, 0xa5, count_ * sizeof(T))); }
  // The first `count` values.
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
  check(cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0, "no GPU found");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  return properties;
}

}  // namespace heddle_bench
