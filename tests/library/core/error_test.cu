// heddle::error and heddle::check: CUDA's code, CUDA's text and the place that asked.
#include <heddle/core/error.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

TEST(core_check, accepts_success) { EXPECT_NO_THROW(heddle::check(cudaSuccess)); }

TEST(core_check, throws_cudas_text_and_the_place) {
  const unsigned line = __LINE__ + 2;
  try {
    heddle::check(cudaErrorInvalidValue);
    FAIL() << "nothing was thrown";
  } catch (const heddle::error& thrown) {
    EXPECT_EQ(thrown.code(), cudaErrorInvalidValue);
    EXPECT_EQ(thrown.where().line(), line);
    EXPECT_NE(std::strstr(thrown.where().file_name(), "error_test.cu"), nullptr);
    const std::string text = thrown.what();
    EXPECT_NE(text.find("error_test.cu:" + std::to_string(line)), std::string::npos) << text;
    EXPECT_NE(text.find("cudaErrorInvalidValue"), std::string::npos) << text;
    EXPECT_NE(text.find(cudaGetErrorString(cudaErrorInvalidValue)), std::string::npos) << text;
  }
}

TEST(core_check, throws_for_a_call_that_fails) {
  EXPECT_THROW(heddle::check(cudaSetDevice(-1)), heddle::error);
  static_cast<void>(cudaGetLastError());  // clear it for the next test
}

TEST(core_error, carries_its_message_and_is_a_runtime_error) {
  try {
    throw heddle::error(cudaErrorNotSupported, "this card has no loom");
  } catch (const std::runtime_error& thrown) {
    EXPECT_NE(std::strstr(thrown.what(), "this card has no loom"), nullptr) << thrown.what();
  }
}

TEST(core_error, reports_errors_without_a_cuda_code) {
  const heddle::error thrown("the shuttle is lost");
  const std::string text = thrown.what();
  EXPECT_EQ(thrown.code(), cudaErrorUnknown);
  EXPECT_NE(
      text.find("error_test.cu:" + std::to_string(thrown.where().line()) + ": the shuttle is lost"),
      std::string::npos);
  EXPECT_EQ(text.find("cuda"), std::string::npos) << text;
}

}  // namespace
