// How a program of the tour prints its figures: one JSON line each, which `heddle tour` reads.
#pragma once
#include <heddle/core/error.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace tour {

// PROGRAM SIZE [times]: the tour asks for times on a GPU only. On the CPU they would measure the
// machine that runs the kernel, not the kernel.
struct options {
  int size;
  bool times;
};
inline options read_options(int count, char** arguments, int usual_size) {
  const options read{count > 1 ? std::atoi(arguments[1]) : usual_size,
                     count > 2 && std::string(arguments[2]) == "times"};
  if (read.size < 1) {
    std::fprintf(stderr, "usage: %s [SIZE [times]]\n", arguments[0]);
    std::exit(2);
  }
  return read;
}

inline void print_figure(const char* variant, const char* metric, const char* unit, double value) {
  std::printf(R"({"variant": "%s", "metric": "%s", "unit": "%s", "value": %.6g})"
              "\n",
              variant, metric, unit, value);
}

// Prints a line if the result is wrong. The program's exit code depends on these results.
inline bool print_if_wrong(const char* variant, bool is_right) {
  if (!is_right) std::printf("{\"wrong\": \"%s\"}\n", variant);
  return is_right;
}

// Microseconds for one call on the GPU: the median of several, after one that warms up.
// `before` runs before each call and is not timed.
inline double microseconds(const std::function<void()>& call,
                           const std::function<void()>& before = {}) {
  using heddle::check;
  constexpr int runs = 21;
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<float> took;
  for (int run = 0; run <= runs; ++run) {
    if (before) before();
    check(cudaEventRecord(begin));
    call();
    check(cudaGetLastError());
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    if (run > 0) took.push_back(1e3f * milliseconds);
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  std::nth_element(took.begin(), took.begin() + runs / 2, took.end());
  return took[runs / 2];
}

// Device memory that is freed with this object.
template <typename T>
class device_array {
 public:
  explicit device_array(std::size_t count) : count_(count) {
    heddle::check(cudaMalloc(&data_, count * sizeof(T)));
  }
  explicit device_array(const std::vector<T>& values) : device_array(values.size()) {
    heddle::check(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~device_array() { cudaFree(data_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> copy(count_);
    heddle::check(cudaMemcpy(copy.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

}  // namespace tour
