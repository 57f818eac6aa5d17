// Stream capture: what becomes a graph, and which calls are forbidden meanwhile.
#include <thread>

#include "kernels.hpp"

namespace {

class capture : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    ASSERT_EQ(cudaStreamCreate(&first_), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&second_), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&fork_), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&join_), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&value_, sizeof *value_), cudaSuccess);
    *value_ = 0;
  }

  cudaError_t begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    return cudaStreamBeginCapture(first_, mode);
  }
  cudaStreamCaptureStatus status() {
    cudaStreamCaptureStatus now = cudaStreamCaptureStatusInvalidated;
    EXPECT_EQ(cudaStreamIsCapturing(first_, &now), cudaSuccess);
    return now;
  }

  cudaStream_t first_ = nullptr;
  cudaStream_t second_ = nullptr;
  cudaEvent_t fork_ = nullptr;
  cudaEvent_t join_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  long long* value_ = nullptr;
};

TEST_F(capture, runs_nothing_and_counts_its_nodes) {
  EXPECT_EQ(status(), cudaStreamCaptureStatusNone);
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(status(), cudaStreamCaptureStatusActive);
  launch_on(first_, 1, 1, multiply_and_add, value_, 0LL, 9LL);
  ASSERT_EQ(cudaMemsetAsync(value_, 1, sizeof *value_, first_), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(first_, &graph_), cudaSuccess);
  EXPECT_EQ(status(), cudaStreamCaptureStatusNone);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*value_, 0);
  std::size_t count = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph_, nullptr, &count), cudaSuccess);
  ASSERT_EQ(count, 2u);
  cudaGraphNode_t nodes[2];
  ASSERT_EQ(cudaGraphGetNodes(graph_, nodes, &count), cudaSuccess);
  cudaGraphNodeType type;
  ASSERT_EQ(cudaGraphNodeGetType(nodes[0], &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeKernel);
  ASSERT_EQ(cudaGraphNodeGetType(nodes[1], &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeMemset);
  ASSERT_EQ(cudaGraphGetRootNodes(graph_, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
}

TEST_F(capture, follows_a_fork_that_is_joined) {
  ASSERT_EQ(begin(), cudaSuccess);
  launch_on(first_, 1, 1, do_nothing);
  ASSERT_EQ(cudaEventRecord(fork_, first_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second_, fork_), cudaSuccess);
  launch_on(second_, 1, 1, multiply_and_add, value_, 0LL, 4LL);
  ASSERT_EQ(cudaEventRecord(join_, second_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(first_, join_), cudaSuccess);
  launch_on(first_, 1, 1, multiply_and_add, value_, 10LL, 5LL);
  EXPECT_EQ(cudaStreamEndCapture(second_, &graph_), cudaErrorStreamCaptureUnmatched);
  ASSERT_EQ(cudaStreamEndCapture(first_, &graph_), cudaSuccess);
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph_, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, second_), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(second_), cudaSuccess);
  EXPECT_EQ(*value_, 45);
}

TEST_F(capture, fails_if_a_fork_is_not_joined) {
  ASSERT_EQ(begin(), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork_, first_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second_, fork_), cudaSuccess);
  launch_on(second_, 1, 1, do_nothing);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph_, nullptr);
  EXPECT_EQ(cudaStreamSynchronize(second_), cudaSuccess);
}

TEST_F(capture, is_invalidated_by_a_synchronisation) {
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(first_), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(status(), cudaStreamCaptureStatusInvalidated);
  launch_on(first_, 1, 1, do_nothing);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
}

TEST_F(capture, is_invalidated_by_work_on_the_legacy_stream) {
  ASSERT_EQ(begin(cudaStreamCaptureModeRelaxed), cudaSuccess);
  launch_on(nullptr, 1, 1, do_nothing);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaErrorStreamCaptureInvalidated);
}

TEST_F(capture, forbids_unsafe_calls_unless_it_is_relaxed) {
  void* block = nullptr;
  ASSERT_EQ(begin(cudaStreamCaptureModeThreadLocal), cudaSuccess);
  cudaError_t elsewhere = cudaErrorUnknown;
  std::thread([&] { elsewhere = cudaMalloc(&block, 16); }).join();
  EXPECT_EQ(elsewhere, cudaSuccess);
  EXPECT_EQ(cudaMalloc(&block, 16), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaErrorStreamCaptureInvalidated);

  ASSERT_EQ(begin(cudaStreamCaptureModeGlobal), cudaSuccess);
  std::thread([&] { elsewhere = cudaMalloc(&block, 16); }).join();
  EXPECT_EQ(elsewhere, cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaErrorStreamCaptureInvalidated);

  ASSERT_EQ(begin(cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&block, 16), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaSuccess);
}

TEST_F(capture, stays_valid_for_a_thread_in_relaxed_mode) {
  ASSERT_EQ(begin(), cudaSuccess);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  ASSERT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  void* block = nullptr;
  EXPECT_EQ(cudaMalloc(&block, 16), cudaSuccess);
  ASSERT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaSuccess);
}

TEST_F(capture, cannot_wait_for_work_outside_the_capture) {
  ASSERT_EQ(cudaEventRecord(fork_, second_), cudaSuccess);
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(first_, fork_), cudaErrorStreamCaptureIsolation);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaErrorStreamCaptureInvalidated);
}

TEST_F(capture, makes_its_events_invalid_for_the_host) {
  ASSERT_EQ(begin(cudaStreamCaptureModeRelaxed), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork_, first_), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(fork_), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaErrorStreamCaptureInvalidated);
}

TEST_F(capture, begins_and_ends_once_on_a_capturable_stream) {
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaErrorIllegalState);
  ASSERT_EQ(begin(), cudaSuccess);
  EXPECT_EQ(begin(), cudaErrorIllegalState);
  cudaError_t elsewhere = cudaSuccess;
  std::thread([&] { elsewhere = cudaStreamEndCapture(first_, &graph_); }).join();
  EXPECT_EQ(elsewhere, cudaErrorStreamCaptureWrongThread);
  EXPECT_EQ(cudaStreamEndCapture(first_, &graph_), cudaSuccess);
}

}  // namespace
