// The per-thread default stream, which is a choice for the whole program.
#include <cstdlib>
#include <thread>

#include "kernels.hpp"

namespace {

// Exits with 0 if a thread's null stream makes progress while another thread's is blocked.
[[noreturn]] void use_null_streams_of_two_threads() {
  heddle_host::use_per_thread_default_stream();
  static long long value = 0;
  static gate closed;
  closed.hold(nullptr);
  closed.wait_for_stream();
  cudaError_t elsewhere = cudaErrorUnknown;
  std::thread([&] {
    launch_on(nullptr, 1, 1, multiply_and_add, &value, 0LL, 5LL);
    elsewhere = cudaStreamSynchronize(nullptr);
  }).join();
  const bool is_held = cudaStreamQuery(cudaStreamPerThread) == cudaErrorNotReady;
  closed.open();
  cudaDeviceSynchronize();
  std::exit(elsewhere == cudaSuccess && value == 5 && is_held ? 0 : 1);
}

TEST(default_stream, is_independent_for_each_thread) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(use_null_streams_of_two_threads(), testing::ExitedWithCode(0), "");
}

}  // namespace
