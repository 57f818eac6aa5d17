// Makes allocations fail one after another, and checks what must hold then.
#pragma once
#include <heddle/core/error.hpp>

#include <cstddef>
#include <cstdlib>
#include <string>

#include "support/on_device.cuh"

namespace heddle_test {

inline std::size_t free_bytes() {
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  return free;
}

// Runs `make`; true if its memory was refused properly: with CUDA's error code, a message that
// names the test's file, which ends in memory_test.cu, and no memory left allocated.
template <typename Make>
bool is_refused(const Make& make) {
  const std::size_t before = free_bytes();
  try {
    make();
  } catch (const heddle::error& refused) {
    EXPECT_EQ(refused.code(), cudaErrorMemoryAllocation);
    const std::string text = refused.what();
    EXPECT_NE(text.find("memory_test.cu"), std::string::npos) << text;
    EXPECT_NE(text.find("cudaErrorMemoryAllocation"), std::string::npos) << text;
    EXPECT_EQ(free_bytes(), before) << "something is still allocated";
    static_cast<void>(cudaGetLastError());  // may report the error once more
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    return true;
  }
  return false;
}

// The CPU runtime fails the allocation whose number this variable gives; a GPU driver does not.
class failing_allocation {
 public:
  explicit failing_allocation(int which) {
    // The runtime reads the variable on each allocation, and restarts its count when it changes.
    unsetenv("HEDDLE_FAIL_ALLOCATION");
    void* memory = nullptr;
    check(cudaMalloc(&memory, 1), "cudaMalloc");
    check(cudaFree(memory), "cudaFree");
    setenv("HEDDLE_FAIL_ALLOCATION", std::to_string(which).c_str(), 1);
  }
  ~failing_allocation() { unsetenv("HEDDLE_FAIL_ALLOCATION"); }
  failing_allocation(const failing_allocation&) = delete;
  failing_allocation& operator=(const failing_allocation&) = delete;

  static bool is_supported() {
    const failing_allocation first(1);
    void* memory = nullptr;
    const bool has_failed = cudaMalloc(&memory, 1) != cudaSuccess;
    cudaGetLastError();
    cudaFree(memory);
    return has_failed;
  }
};

// How many allocations `make` needs; each of them has failed in turn.
template <typename Make>
int failures_of(const Make& make) {
  constexpr int most = 100;
  const std::size_t before = free_bytes();
  for (int which = 1; which <= most; ++which) {
    const failing_allocation one(which);
    if (is_refused(make)) continue;
    EXPECT_EQ(free_bytes(), before) << "something is still allocated";
    return which - 1;
  }
  ADD_FAILURE() << "it is never made";
  return most;
}

}  // namespace heddle_test
