// Compares the results of kernels with references computed on the host, and counts the checks.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "support/seed.hpp"

inline int failures = 0;
inline int claims = 0;

template <typename T>
std::string text_of(const T& value) {
  std::ostringstream out;
  out.precision(17);
  if constexpr (std::is_arithmetic_v<T>) {
    out << +value;
  } else {
    out << "bytes";
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t i = 0; i < sizeof(T); ++i) out << ' ' << static_cast<int>(bytes[i]);
  }
  return out.str();
}

inline void expect(const std::string& claim, bool holds, const std::string& details = "") {
  ++claims;
  if (!holds) ++failures;
  std::printf("%s %s%s%s\n", holds ? "PASS" : "FAIL", claim.c_str(), details.empty() ? "" : ": ",
              details.c_str());
}

// Compares each element bit for bit.
template <typename T>
void expect_equal(const std::string& claim, const std::vector<T>& got, const std::vector<T>& want) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (got.size() != want.size()) {
    return expect(claim, false, "sizes differ");
  }
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &want[i], sizeof(T)) == 0) continue;
    if (wrong++ == 0) {
      first =
          "element " + std::to_string(i) + " is " + text_of(got[i]) + ", not " + text_of(want[i]);
    }
  }
  expect(claim, wrong == 0, wrong == 0 ? "" : first + " (" + std::to_string(wrong) + " differ)");
}

template <typename T>
void expect_value(const std::string& claim, const T& got, const T& want) {
  expect_equal(claim, std::vector<T>{got}, std::vector<T>{want});
}

inline void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("FAIL %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Waits for all kernels; a failed kernel ends the program.
inline void finish_kernels(const char* what) {
  must(cudaGetLastError(), what);
  must(cudaDeviceSynchronize(), what);
}

// An array on the device that starts as a copy of one on the host.
template <typename T>
class device_array {
 public:
  explicit device_array(const std::vector<T>& from) : elements(from.size()) {
    must(cudaMalloc(&data, elements * sizeof(T)), "cudaMalloc");
    must(cudaMemcpy(data, from.data(), elements * sizeof(T), cudaMemcpyHostToDevice),
         "cudaMemcpy to the device");
  }
  device_array(std::size_t count, T value) : device_array(std::vector<T>(count, value)) {}
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data); }

  T* get() const { return data; }
  std::vector<T> read() const {
    std::vector<T> copy(elements);
    must(cudaMemcpy(copy.data(), data, elements * sizeof(T), cudaMemcpyDeviceToHost),
         "cudaMemcpy to the host");
    return copy;
  }

 private:
  T* data = nullptr;
  std::size_t elements;
};

// The seed is printed, so that a failure can be replayed.
inline std::mt19937_64 random_numbers() {
  std::puts(heddle_test::seed_text().c_str());
  return std::mt19937_64(heddle_test::seed());
}

inline int report() {
  std::printf("%d claims, %d wrong\n", claims, failures);
  return failures == 0 ? 0 : 1;
}
