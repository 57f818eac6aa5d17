// Graphs: replay, update, and graphs built by hand.
#include <vector>

#include "kernels.hpp"

namespace {

class graphs : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&value_, sizeof *value_), cudaSuccess);
    *value_ = 0;
  }

  // A graph of the kernels value = value * 10 + digit.
  cudaGraph_t capture(const std::vector<long long>& digits) {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    for (const long long digit : digits) {
      launch_on(stream_, 1, 1, multiply_and_add, value_, 10LL, digit);
    }
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    return graph;
  }

  cudaStream_t stream_ = nullptr;
  long long* value_ = nullptr;
};

TEST_F(graphs, run_repeatedly_in_stream_order) {
  const cudaGraph_t graph = capture({1, 2});
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  gate closed;
  closed.hold(stream_);
  ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  launch_on(stream_, 1, 1, multiply_and_add, value_, 10LL, 7LL);
  ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaErrorInvalidValue);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(*value_, 12712);
}

TEST_F(graphs, take_new_parameters_from_an_update_of_the_same_shape) {
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaGraphInstantiateWithFlags(&executable, capture({1, 2}), 0), cudaSuccess);
  cudaGraphExecUpdateResultInfo result;
  ASSERT_EQ(cudaGraphExecUpdate(executable, capture({3, 4}), &result), cudaSuccess);
  EXPECT_EQ(result.result, cudaGraphExecUpdateSuccess);
  EXPECT_EQ(cudaGraphExecUpdate(executable, capture({5}), &result),
            cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(result.result, cudaGraphExecUpdateErrorTopologyChanged);
  ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(*value_, 34);
}

TEST_F(graphs, run_copies_and_host_functions) {
  char* device = nullptr;
  char* pinned = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 4), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 4), cudaSuccess);
  int calls = 0;
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(device, 3, 4, stream_), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(pinned, device, 4, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(
                stream_, [](void* count) { ++*static_cast<int*>(count); }, &calls),
            cudaSuccess);
  cudaGraph_t graph;
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  for (int round = 1; round <= 3; ++round) {
    pinned[2] = 0;
    ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_EQ(pinned[2], 3);
    EXPECT_EQ(calls, round);
  }
}

TEST_F(graphs, keep_memory_that_they_allocate) {
  int* block = nullptr;
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&block, sizeof(int), stream_), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(block, 0, sizeof(int), stream_), cudaSuccess);
  launch_on(stream_, 1, 1, add_to_all, block, 11);
  ASSERT_EQ(cudaMemcpyAsync(pinned, block, sizeof(int), cudaMemcpyDeviceToHost, stream_),
            cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(block, stream_), cudaSuccess);
  cudaGraph_t graph;
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  for (int round = 0; round < 3; ++round) {
    *pinned = 0;
    ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_EQ(*pinned, 11);
  }
}

TEST_F(graphs, follow_dependencies_if_built_by_hand) {
  cudaGraph_t graph;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  cudaMemsetParams ones = {};
  ones.dst = value_;
  ones.value = 0x01020304;
  ones.elementSize = 4;
  ones.width = 2;
  ones.height = 1;
  cudaGraphNode_t fill;
  ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &ones), cudaSuccess);
  long long* copy = nullptr;
  ASSERT_EQ(cudaMallocManaged(&copy, sizeof *copy), cudaSuccess);
  cudaGraphNode_t second;
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&second, graph, &fill, 1, copy, value_, sizeof *copy,
                                     cudaMemcpyDeviceToDevice),
            cudaSuccess);
  cudaGraphNode_t inner;
  const cudaGraph_t child = capture({5});
  ASSERT_EQ(cudaGraphAddChildGraphNode(&inner, graph, &second, 1, child), cudaSuccess);
  cudaGraphNode_t stranger;
  EXPECT_EQ(cudaGraphAddEmptyNode(&stranger, child, &second, 1), cudaErrorInvalidValue);
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*copy, 0x0102030401020304);
  EXPECT_EQ(*value_, 0x0102030401020304 * 10 + 5);
}

TEST_F(graphs, accept_only_launchable_kernels) {
  heddle_host::make_known(multiply_and_add);
  cudaGraph_t graph;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  long long factor = 10, term = 3;
  void* arguments[] = {&value_, &factor, &term};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(multiply_and_add);
  parameters.gridDim = parameters.blockDim = dim3(1);
  cudaGraphNode_t node;
  const auto add = [&] { return cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters); };
  EXPECT_EQ(add(), cudaErrorInvalidValue);  // no arguments
  parameters.kernelParams = arguments;
  parameters.blockDim = dim3(4096);
  EXPECT_EQ(add(), cudaErrorInvalidValue);
  parameters.blockDim = dim3(1);
  parameters.sharedMemBytes = 1 << 20;
  EXPECT_EQ(add(), cudaErrorInvalidValue);
  parameters.sharedMemBytes = 0;
  parameters.extra = arguments;
  EXPECT_EQ(add(), cudaErrorNotSupported);
  parameters.extra = nullptr;
  parameters.func = nullptr;
  EXPECT_EQ(add(), cudaErrorInvalidDeviceFunction);
  std::size_t nodes = 99;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 0u);
  parameters.func = reinterpret_cast<void*>(multiply_and_add);
  ASSERT_EQ(add(), cudaSuccess);
  // Launches after that go to streams again.
  launch_on(stream_, 1, 1, multiply_and_add, value_, 10LL, 4LL);
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(*value_, 4);
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(*value_, 43);
}

TEST_F(graphs, record_external_events_at_every_run) {
  cudaEvent_t begin;
  cudaEvent_t end;
  ASSERT_EQ(cudaEventCreate(&begin), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaEventRecordWithFlags(begin, stream_, cudaEventRecordExternal), cudaSuccess);
  launch_on(stream_, 1, 1, do_nothing);
  ASSERT_EQ(cudaEventRecordWithFlags(end, stream_, cudaEventRecordExternal), cudaSuccess);
  cudaGraph_t graph;
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
}

}  // namespace
