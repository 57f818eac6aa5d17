// What heddle detects on a machine, and whether kernels then run on the GPU or the CPU.
#include <gtest/gtest.h>
#include <cli/machine.hpp>

#include <cstdlib>

namespace {

using heddle::cli::choose_device;
using heddle::cli::device_choice;
using heddle::cli::machine;

machine with_gpu(int major, int minor) {
  machine here;
  here.has_driver = true;
  here.driver_version = "580.65.06";
  here.driver_release = 13000;
  here.gpus = {{"Imagined GPU", major, minor, 0, 0}};
  here.nvcc = {"/usr/local/cuda/bin/nvcc", "13.0"};
  here.nvcc_release = 13000;
  return here;
}

TEST(choose_device, chooses_a_usable_gpu) {
  const device_choice choice = choose_device(with_gpu(9, 0));
  EXPECT_TRUE(choice.is_gpu);
  EXPECT_FALSE(choice.has_unusable_gpu);
  EXPECT_EQ(choice.reason, "kernels run on the GPU: Imagined GPU (sm_90)");
  EXPECT_TRUE(choose_device(with_gpu(7, 5)).is_gpu);
  EXPECT_TRUE(choose_device(with_gpu(12, 1)).is_gpu);
}

TEST(choose_device, chooses_the_cpu_without_a_message_if_there_is_no_sign_of_a_gpu) {
  const device_choice choice = choose_device({});
  EXPECT_FALSE(choice.is_gpu);
  EXPECT_FALSE(choice.has_unusable_gpu);
}

void expect_lack(const machine& here, const std::string& why) {
  const device_choice choice = choose_device(here);
  EXPECT_FALSE(choice.is_gpu);
  EXPECT_TRUE(choice.has_unusable_gpu);
  EXPECT_NE(choice.reason.find(why), std::string::npos) << choice.reason;
}

TEST(choose_device, says_what_a_gpu_lacks) {
  expect_lack(with_gpu(6, 1), "too old: Imagined GPU is sm_61, heddle needs sm_75 or newer");
  expect_lack(with_gpu(7, 0), "sm_70");
  machine here = with_gpu(9, 0);
  here.nvcc = {};
  expect_lack(here, "nvcc is neither on PATH");
  here = with_gpu(9, 0);
  here.driver_release = 12080;
  expect_lack(here, "its driver supports CUDA up to 12.8, and nvcc is from CUDA 13.0");
  here = with_gpu(9, 0);
  here.gpus.clear();
  here.driver_failure = "no CUDA-capable device is detected (error 100)";
  expect_lack(here, "finds no usable GPU (no CUDA-capable device is detected (error 100))");
  here.has_driver = false;
  expect_lack(here, "libcuda.so.1 is missing");
}

TEST(choose_device, accepts_a_driver_that_is_one_minor_release_older) {
  machine here = with_gpu(9, 0);
  here.driver_release = 13000;
  here.nvcc_release = 13020;
  EXPECT_TRUE(choose_device(here).is_gpu);
}

// These tests run with tests/cli/fake_driver.cpp in place of NVIDIA's driver.
class inspect_machine : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("HEDDLE_HAS_FAKE_DRIVER") == nullptr) GTEST_SKIP() << "no fake driver is here";
  }
  static machine with_fake(const char* gpu) {
    setenv("HEDDLE_FAKE_GPU", gpu, 1);
    return heddle::cli::inspect_machine();
  }
};

TEST_F(inspect_machine, lists_the_gpu_that_the_driver_reports) {
  const machine here = with_fake("121");
  ASSERT_EQ(here.gpus.size(), 1u);
  EXPECT_EQ(here.gpus[0].name, "Imagined GPU");
  EXPECT_EQ(here.gpus[0].architecture(), "sm_121");
  EXPECT_EQ(here.gpus[0].memory, std::uint64_t{8} << 30);
  EXPECT_DOUBLE_EQ(here.gpus[0].memory_rate, 400);
  EXPECT_EQ(here.driver_release, 13000);
  EXPECT_EQ(here.driver_failure, "");
}

TEST_F(inspect_machine, quotes_the_driver_if_there_is_no_gpu) {
  const machine here = with_fake("none");
  EXPECT_TRUE(here.has_driver);
  EXPECT_TRUE(here.gpus.empty());
  EXPECT_EQ(here.driver_failure, "no CUDA-capable device is detected (error 100)");
  EXPECT_EQ(with_fake("failing").driver_failure, "error 999");
}

TEST_F(inspect_machine, finds_the_compiler_that_the_environment_names) {
  const machine here = with_fake("none");
  EXPECT_NE(here.compiler.path, "");
  EXPECT_NE(here.compiler.version, "");
  EXPECT_GT(here.cores, 0u);
  setenv("HEDDLE_CXX", "no-such-compiler -x", 1);
  EXPECT_EQ(with_fake("none").compiler.path, "");
  unsetenv("HEDDLE_CXX");
}

}  // namespace
