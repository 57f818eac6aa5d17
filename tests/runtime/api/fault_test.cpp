// A kernel's fault stays until the device is reset.
#include "kernels.hpp"

namespace {

class fault : public device_test {};

TEST_F(fault, is_returned_by_every_later_call) {
  int* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, sizeof(int)), cudaSuccess);
  launch_on(nullptr, 1, 32, end_by_trap);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  void* block = nullptr;
  cudaStream_t stream;
  cudaEvent_t event;
  int value = 0;
  EXPECT_EQ(cudaMalloc(&block, 16), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaStreamCreate(&stream), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaEventCreate(&event), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaFree(data), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorLaunchFailure);
  launch_on(nullptr, 1, 1, do_nothing);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
}

TEST_F(fault, does_not_affect_device_queries) {
  launch_on(nullptr, 1, 1, end_by_trap);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
}

TEST_F(fault, stops_later_work_but_not_events) {
  cudaStream_t stream;
  cudaEvent_t event;
  long long* value = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&value, sizeof *value), cudaSuccess);
  *value = 1;
  bool was_called = false;
  cudaError_t passed_on = cudaSuccess;
  gate closed;
  closed.hold(stream);
  launch_on(stream, 1, 1, end_by_trap);
  launch_on(stream, 1, 1, multiply_and_add, value, 0LL, 2LL);
  ASSERT_EQ(cudaLaunchHostFunc(
                stream, [](void* flag) { *static_cast<bool*>(flag) = true; }, &was_called),
            cudaSuccess);
  ASSERT_EQ(cudaStreamAddCallback(
                stream,
                [](cudaStream_t, cudaError_t status, void* into) {
                  *static_cast<cudaError_t*>(into) = status;
                },
                &passed_on, 0),
            cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  closed.open();
  EXPECT_EQ(cudaEventSynchronize(event), cudaErrorLaunchFailure);
  EXPECT_EQ(*value, 1);
  EXPECT_FALSE(was_called);
  EXPECT_EQ(passed_on, cudaErrorLaunchFailure);
}

TEST_F(fault, ends_with_a_reset_that_frees_everything) {
  std::size_t free_before = 0;
  std::size_t free_after = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_before, &total), cudaSuccess);
  void* block = nullptr;
  cudaStream_t stream;
  ASSERT_EQ(cudaMalloc(&block, 1 << 20), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  launch_on(stream, 1, 1, end_by_trap);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorLaunchFailure);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  cudaGetLastError();
  ASSERT_EQ(cudaMemGetInfo(&free_after, &total), cudaSuccess);
  EXPECT_EQ(free_before, free_after);
  EXPECT_EQ(cudaFree(block), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  launch_on(nullptr, 1, 1, do_nothing);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
