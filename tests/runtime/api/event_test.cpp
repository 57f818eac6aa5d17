// Events order streams and measure time.
#include "kernels.hpp"

namespace {

class events : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    ASSERT_EQ(cudaStreamCreateWithFlags(&first_, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&second_, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event_), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&value_, sizeof *value_), cudaSuccess);
    *value_ = 0;
  }

  cudaStream_t first_ = nullptr;
  cudaStream_t second_ = nullptr;
  cudaEvent_t event_ = nullptr;
  long long* value_ = nullptr;
};

TEST_F(events, order_one_stream_after_another) {
  gate closed;
  closed.hold(first_);
  launch_on(first_, 1, 1, multiply_and_add, value_, 10LL, 1LL);
  ASSERT_EQ(cudaEventRecord(event_, first_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second_, event_), cudaSuccess);
  launch_on(second_, 1, 1, multiply_and_add, value_, 10LL, 2LL);
  EXPECT_EQ(cudaEventQuery(event_), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(second_), cudaErrorNotReady);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(second_), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event_), cudaSuccess);
  EXPECT_EQ(*value_, 12);
}

TEST_F(events, are_waited_for_as_recorded_when_the_wait_was_enqueued) {
  ASSERT_EQ(cudaEventRecord(event_, first_), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(event_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second_, event_), cudaSuccess);
  gate closed;
  closed.hold(first_);
  ASSERT_EQ(cudaEventRecord(event_, first_), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(second_), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event_), cudaErrorNotReady);
}

TEST_F(events, are_complete_if_never_recorded) {
  EXPECT_EQ(cudaEventQuery(event_), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(first_, event_), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event_, event_), cudaErrorInvalidResourceHandle);
}

TEST_F(events, measure_the_time_between_them) {
  cudaEvent_t end;
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event_, first_), cudaSuccess);
  gate closed;
  closed.hold(first_);
  ASSERT_EQ(cudaEventRecord(end, first_), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event_, end), cudaErrorNotReady);
  closed.open();
  ASSERT_EQ(cudaEventSynchronize(end), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, event_, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  float backwards = 0;
  ASSERT_EQ(cudaEventElapsedTime(&backwards, end, event_), cudaSuccess);
  EXPECT_EQ(backwards, -milliseconds);
}

TEST_F(events, measure_nothing_without_timing) {
  cudaEvent_t quick;
  ASSERT_EQ(cudaEventCreateWithFlags(&quick, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event_, first_), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(quick, first_), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(quick), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event_, quick), cudaErrorInvalidResourceHandle);
}

TEST_F(events, still_hold_waiting_streams_after_they_are_destroyed) {
  gate closed;
  closed.hold(first_);
  launch_on(first_, 1, 1, multiply_and_add, value_, 10LL, 1LL);
  ASSERT_EQ(cudaEventRecord(event_, first_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second_, event_), cudaSuccess);
  ASSERT_EQ(cudaEventDestroy(event_), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event_), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(event_, first_), cudaErrorInvalidResourceHandle);
  launch_on(second_, 1, 1, multiply_and_add, value_, 10LL, 2LL);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(second_), cudaSuccess);
  EXPECT_EQ(*value_, 12);
}

TEST_F(events, order_a_ring_of_streams) {
  gate closed;
  closed.hold(first_);
  for (int round = 0; round < 6; ++round) {
    const cudaStream_t from = round % 2 == 0 ? first_ : second_;
    const cudaStream_t to = round % 2 == 0 ? second_ : first_;
    launch_on(from, 1, 1, multiply_and_add, value_, 10LL, static_cast<long long>(round + 1));
    ASSERT_EQ(cudaEventRecord(event_, from), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(to, event_), cudaSuccess);
  }
  closed.open();
  ASSERT_EQ(cudaEventSynchronize(event_), cudaSuccess);
  EXPECT_EQ(*value_, 123456);
}

TEST_F(events, refuse_unknown_flags) {
  cudaEvent_t other;
  EXPECT_EQ(cudaEventCreateWithFlags(&other, 0x100), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventCreate(nullptr), cudaErrorInvalidValue);
}

}  // namespace
