// For programs that use CUB and Thrust: inputs, device arrays, and a comparison with the host's own
// result. A program ends with `return report();`.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace expected {

inline int failures = 0;
inline int comparisons = 0;

inline int report() {
  if (cudaDeviceSynchronize() != cudaSuccess || cudaGetLastError() != cudaSuccess) {
    std::printf("a CUDA call failed\n");
    ++failures;
  }
  std::printf("%d comparisons, %d failed\n", comparisons, failures);
  return failures == 0 && comparisons > 0 ? 0 : 1;
}

template <typename T>
void equal(const char* what, const std::vector<T>& found, const std::vector<T>& wanted) {
  ++comparisons;
  if (found == wanted) return;
  ++failures;
  std::size_t at = 0;
  while (at < found.size() && at < wanted.size() && found[at] == wanted[at]) ++at;
  std::printf("%s: %zu values instead of %zu, the first difference at %zu\n", what, found.size(),
              wanted.size(), at);
  if (at < found.size() && at < wanted.size())
    std::printf("  %s instead of %s\n", std::to_string(found[at]).c_str(),
                std::to_string(wanted[at]).c_str());
}

template <typename T>
void equal(const char* what, T found, T wanted) {
  equal(what, std::vector<T>{found}, std::vector<T>{wanted});
}

// Whole numbers, so that sums are exact in any order.
template <typename T>
std::vector<T> numbers(std::size_t count, int least, int most, unsigned seed = 1) {
  std::mt19937 source(seed);
  std::vector<T> values(count);
  for (T& one : values)
    one = static_cast<T>(static_cast<int>(source() % unsigned(most - least + 1)) + least);
  return values;
}

// Device memory that starts poisoned, or as a copy of host values.
template <typename T>
class array {
 public:
  explicit array(std::size_t count) : count_(count) {
    cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T) + 1);
    cudaMemset(data_, 0xA5, count * sizeof(T));
  }
  explicit array(const std::vector<T>& values) : array(values.size()) {
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  array(const array&) = delete;
  ~array() { cudaFree(data_); }
  operator T*() const { return data_; }
  T* get() const { return data_; }
  std::vector<T> read() const { return read(count_); }
  std::vector<T> read(std::size_t count) const {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

// Calls a device-wide function of CUB twice: for the size of its scratch, and to run it.
template <typename Call>
void run(const char* what, Call call) {
  std::size_t bytes = 0;
  cudaError_t error = call(nullptr, bytes);
  if (error == cudaSuccess) {
    const array<char> scratch(bytes);
    error = call(scratch.get(), bytes);
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
  }
  if (error == cudaSuccess) return;
  ++failures;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
}

}  // namespace expected
