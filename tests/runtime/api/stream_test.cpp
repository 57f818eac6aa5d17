// Streams: asynchrony, order in a stream, and order between streams. Gates hold streams; no sleeps.
#include <atomic>
#include <thread>
#include <vector>

#include "kernels.hpp"

namespace {

class streams : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    ASSERT_EQ(cudaStreamCreate(&first_), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&second_), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&free_, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&value_, sizeof *value_), cudaSuccess);
    *value_ = 0;
  }

  cudaStream_t first_ = nullptr;
  cudaStream_t second_ = nullptr;
  cudaStream_t free_ = nullptr;  // does not wait for the legacy stream
  long long* value_ = nullptr;
};

TEST_F(streams, run_while_the_host_continues) {
  gate closed;
  closed.hold(first_);
  launch_on(first_, 1, 1, multiply_and_add, value_, 0LL, 5LL);
  closed.wait_for_stream();
  EXPECT_EQ(*value_, 0);
  EXPECT_EQ(cudaStreamQuery(first_), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(first_), cudaSuccess);
  EXPECT_EQ(*value_, 5);
}

TEST_F(streams, make_progress_without_being_waited_for) {
  std::atomic<bool> has_run{false};
  launch_on(first_, 1, 1, do_nothing);
  ASSERT_EQ(
      cudaLaunchHostFunc(
          first_, [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &has_run),
      cudaSuccess);
  while (!has_run) std::this_thread::yield();
}

TEST_F(streams, keep_the_order_of_their_work) {
  gate closed;
  closed.hold(first_);
  long long expected = 0;
  for (int step = 0; step < 200; ++step) {
    launch_on(first_, 1, 1, multiply_and_add, value_, 3LL, static_cast<long long>(step));
    expected = static_cast<long long>(static_cast<unsigned long long>(expected) * 3 + step);
  }
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
  EXPECT_EQ(*value_, expected);
}

TEST_F(streams, do_not_wait_for_each_other) {
  gate closed;
  closed.hold(first_);
  launch_on(second_, 1, 1, multiply_and_add, value_, 0LL, 8LL);
  EXPECT_EQ(cudaStreamSynchronize(second_), cudaSuccess);
  EXPECT_EQ(*value_, 8);
  EXPECT_EQ(cudaStreamQuery(first_), cudaErrorNotReady);
}

TEST_F(streams, hold_up_the_legacy_stream_if_blocking) {
  gate closed;
  closed.hold(first_);
  launch_on(first_, 1, 1, multiply_and_add, value_, 10LL, 1LL);
  launch_on(nullptr, 1, 1, multiply_and_add, value_, 10LL, 2LL);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(*value_, 12);
}

TEST_F(streams, wait_for_the_legacy_stream_if_blocking) {
  gate closed;
  closed.hold(nullptr);
  launch_on(nullptr, 1, 1, multiply_and_add, value_, 10LL, 1LL);
  launch_on(first_, 1, 1, multiply_and_add, value_, 10LL, 2LL);
  closed.wait_for_stream();
  EXPECT_EQ(cudaStreamQuery(first_), cudaErrorNotReady);
  EXPECT_EQ(*value_, 0);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
  EXPECT_EQ(*value_, 12);
}

TEST_F(streams, ignore_the_legacy_stream_if_non_blocking) {
  gate closed;
  closed.hold(nullptr);
  launch_on(free_, 1, 1, multiply_and_add, value_, 0LL, 4LL);
  EXPECT_EQ(cudaStreamSynchronize(free_), cudaSuccess);
  EXPECT_EQ(*value_, 4);
  gate closed_too;
  closed_too.hold(free_);
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(free_), cudaErrorNotReady);
}

TEST_F(streams, order_through_the_legacy_stream_in_a_chain) {
  gate closed;
  closed.hold(first_);
  launch_on(first_, 1, 1, multiply_and_add, value_, 10LL, 1LL);
  launch_on(nullptr, 1, 1, multiply_and_add, value_, 10LL, 2LL);
  launch_on(second_, 1, 1, multiply_and_add, value_, 10LL, 3LL);
  launch_on(nullptr, 1, 1, multiply_and_add, value_, 10LL, 4LL);
  launch_on(first_, 1, 1, multiply_and_add, value_, 10LL, 5LL);
  closed.open();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*value_, 12345);
}

TEST_F(streams, are_waited_for_by_a_synchronous_copy) {
  gate closed;
  closed.hold(first_);
  launch_on(first_, 1, 1, multiply_and_add, value_, 0LL, 77LL);
  closed.wait_for_stream();
  std::thread opener([&] { closed.open(); });
  long long seen = 0;
  ASSERT_EQ(cudaMemcpy(&seen, value_, sizeof seen, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen, 77);
  opener.join();
}

TEST_F(streams, finish_their_work_when_they_are_destroyed) {
  gate closed;
  closed.hold(first_);
  launch_on(first_, 1, 1, multiply_and_add, value_, 0LL, 6LL);
  ASSERT_EQ(cudaStreamDestroy(first_), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(first_), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(first_), cudaErrorInvalidResourceHandle);
  closed.open();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*value_, 6);
}

TEST_F(streams, differ_per_thread_and_wait_for_the_legacy_stream) {
  gate closed;
  closed.hold(cudaStreamPerThread);
  std::thread([&] {
    launch_on(cudaStreamPerThread, 1, 1, multiply_and_add, value_, 0LL, 3LL);
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  }).join();
  EXPECT_EQ(*value_, 3);
  EXPECT_EQ(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  launch_on(cudaStreamLegacy, 1, 1, multiply_and_add, value_, 10LL, 4LL);
  EXPECT_EQ(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(cudaStreamLegacy), cudaSuccess);
  EXPECT_EQ(*value_, 34);
}

TEST_F(streams, refuse_cuda_calls_in_host_functions) {
  struct answers {
    cudaError_t of_malloc = cudaSuccess;
    cudaError_t of_synchronize = cudaSuccess;
  } seen;
  ASSERT_EQ(cudaLaunchHostFunc(
                first_,
                [](void* opaque) {
                  auto& into = *static_cast<answers*>(opaque);
                  void* block = nullptr;
                  into.of_malloc = cudaMalloc(&block, 16);
                  into.of_synchronize = cudaDeviceSynchronize();
                },
                &seen),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
  EXPECT_EQ(seen.of_malloc, cudaErrorNotPermitted);
  EXPECT_EQ(seen.of_synchronize, cudaErrorNotPermitted);
}

TEST_F(streams, call_back_with_their_own_handle) {
  struct call {
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaErrorUnknown;
  } seen;
  ASSERT_EQ(cudaStreamAddCallback(
                second_,
                [](cudaStream_t stream, cudaError_t status, void* opaque) {
                  *static_cast<call*>(opaque) = {stream, status};
                },
                &seen, 0),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(second_), cudaSuccess);
  EXPECT_EQ(seen.stream, second_);
  EXPECT_EQ(seen.status, cudaSuccess);
}

TEST_F(streams, keep_flags_and_clamp_priorities) {
  int least = -1;
  int greatest = 0;
  ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_EQ(least, 0);
  EXPECT_LT(greatest, 0);
  cudaStream_t urgent;
  ASSERT_EQ(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, -1000), cudaSuccess);
  int priority = 0;
  unsigned flags = 0;
  ASSERT_EQ(cudaStreamGetPriority(urgent, &priority), cudaSuccess);
  EXPECT_EQ(priority, greatest);
  ASSERT_EQ(cudaStreamGetFlags(urgent, &flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(cudaStreamCreateWithFlags(&urgent, 0x80), cudaErrorInvalidValue);
}

}  // namespace
