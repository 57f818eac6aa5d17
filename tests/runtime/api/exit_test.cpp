// A program that exits with pending work in its streams keeps its exit code.
#include <atomic>
#include <cstdlib>

#include "kernels.hpp"

namespace {

void spin_while(const std::atomic<int>* keep_going) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    while (*keep_going != 0) heddle_host::yield();
  });
}

std::atomic<int> keep_spinning{1};

[[noreturn]] void exit_with_queued_kernels() {
  for (int count = 0; count < 1000; ++count) launch_on(nullptr, 2, 64, do_nothing);
  std::exit(7);
}

[[noreturn]] void exit_with_an_endless_kernel() {
  launch_on(nullptr, 1, 1, spin_while, &keep_spinning);
  launch_on(nullptr, 1, 1, do_nothing);
  std::exit(8);
}

[[noreturn]] void exit_with_a_blocked_host_function() {
  static gate closed;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  closed.hold(stream);
  closed.wait_for_stream();
  std::exit(9);
}

struct late_user {
  ~late_user() {
    cudaDeviceSynchronize();
    cudaFree(block);
  }
  void* block = nullptr;
};

[[noreturn]] void exit_with_calls_from_static_destructors() {
  static late_user user;
  cudaMalloc(&user.block, 1000);
  launch_on(nullptr, 1, 1, do_nothing);
  std::exit(10);
}

class program_exit : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(program_exit, drops_pending_kernels) {
  EXPECT_EXIT(exit_with_queued_kernels(), testing::ExitedWithCode(7), "");
}

TEST_F(program_exit, does_not_wait_for_an_endless_kernel) {
  EXPECT_EXIT(exit_with_an_endless_kernel(), testing::ExitedWithCode(8), "");
}

TEST_F(program_exit, does_not_wait_for_a_blocked_host_function) {
  EXPECT_EXIT(exit_with_a_blocked_host_function(), testing::ExitedWithCode(9), "");
}

TEST_F(program_exit, allows_calls_from_static_destructors) {
  EXPECT_EXIT(exit_with_calls_from_static_destructors(), testing::ExitedWithCode(10), "");
}

}  // namespace
