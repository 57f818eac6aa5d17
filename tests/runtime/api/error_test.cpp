// The last error of a thread and the texts of errors.
#include <string>
#include <thread>

#include "kernels.hpp"

namespace {

class last_error : public device_test {};

TEST_F(last_error, is_returned_once_by_get_and_again_by_peek) {
  EXPECT_EQ(cudaSetDevice(7), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(last_error, survives_calls_that_succeed) {
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(last_error, belongs_to_its_thread) {
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  cudaError_t seen_elsewhere = cudaErrorUnknown;
  std::thread([&] { seen_elsewhere = cudaGetLastError(); }).join();
  EXPECT_EQ(seen_elsewhere, cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(last_error, is_the_newest_of_two) {
  cudaSetDevice(3);
  cudaFree(reinterpret_cast<void*>(0x40));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(error_text, matches_cuda) {
  EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorLaunchFailure), "unspecified launch failure");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorNotReady), "device not ready");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(10)), "unrecognized error code");
}

TEST(error_text, has_a_unique_name_for_each_code) {
  int known = 0;
  for (int code = 0; code <= 1000; ++code) {
    const std::string name = cudaGetErrorName(static_cast<cudaError_t>(code));
    if (name == "unrecognized error code") continue;
    ++known;
    EXPECT_EQ(name.rfind("cuda", 0), 0u) << code;
  }
  EXPECT_EQ(known, 133);
}

}  // namespace
