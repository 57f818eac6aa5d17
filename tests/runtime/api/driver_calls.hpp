// A fixture for tests of driver calls: the primary context is current and fresh.
#pragma once
#include <cuda.h>

#include <initializer_list>
#include <vector>

#include "kernels.hpp"

class driver_calls : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    ASSERT_EQ(cuCtxGetCurrent(&primary), CUDA_SUCCESS);
  }
  void TearDown() override {
    CUcontext left = nullptr;
    while (cuCtxPopCurrent(&left) == CUDA_SUCCESS) continue;
    device_test::TearDown();
  }

  // Device memory that the driver has allocated and filled.
  static CUdeviceptr memory_of(const std::vector<int>& values) {
    CUdeviceptr memory = 0;
    EXPECT_EQ(cuMemAlloc(&memory, values.size() * sizeof(int)), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyHtoD(memory, values.data(), values.size() * sizeof(int)), CUDA_SUCCESS);
    return memory;
  }

  static std::vector<int> values_at(CUdeviceptr memory, std::size_t count) {
    std::vector<int> values(count, -1);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(values.data(), memory, count * sizeof(int)), CUDA_SUCCESS);
    return values;
  }

  CUcontext primary = nullptr;
};

inline int* ints_at(CUdeviceptr address) { return reinterpret_cast<int*>(address); }
