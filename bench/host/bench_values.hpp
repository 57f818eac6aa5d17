// What the host's benches share: checks, times and arrays in device memory.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

inline void check(bool is_right, const char* what) {
  if (is_right) return;
  std::fprintf(stderr, "host_bench: %s is wrong\n", what);
  std::exit(1);
}

inline void check(cudaError_t error) { check(error == cudaSuccess, cudaGetErrorString(error)); }

// The best of several runs, in milliseconds: a disturbance can only add time.
inline double best_milliseconds(const std::function<void()>& work, int runs = 7) {
  double best = 1e300;
  for (int run = 0; run < runs; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  return best;
}

template <typename T>
class device_array {
 public:
  explicit device_array(std::size_t count) : count_(count) {
    check(cudaMalloc(&memory_, count * sizeof(T)));
  }
  ~device_array() { cudaFree(memory_); }
  device_array(const device_array&) = delete;
  T* get() const { return memory_; }
  void put(const std::vector<T>& values) {
    check(cudaMemcpy(memory_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> values() const {
    std::vector<T> copy(count_);
    check(cudaMemcpy(copy.data(), memory_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }
  void poison() { check(cudaMemset(memory_, 0x5a, count_ * sizeof(T))); }

 private:
  T* memory_ = nullptr;
  std::size_t count_;
};
