// Nodes of graphs: conditions, events, new parameters, edges, and the drawing of a graph.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <cuda_device_runtime_api.h>

#include "kernels.hpp"

namespace {

void set_condition(cudaGraphConditionalHandle handle, long long* value, long long limit) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    cudaGraphSetConditional(handle, ++*value < limit);
  });
}

void choose(cudaGraphConditionalHandle handle, unsigned value) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {},
                            [=]() mutable -> void { cudaGraphSetConditional(handle, value); });
}

template <auto kernel>
void make_known() {
  (void)&heddle_host::is_known<kernel>;
}

class graph_nodes : public device_test {
 protected:
  void SetUp() override {
    make_known<&multiply_and_add>();
    make_known<&set_condition>();
    make_known<&choose>();
    device_test::SetUp();
    ASSERT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&value_, 2 * sizeof *value_), cudaSuccess);
    value_[0] = value_[1] = 0;
  }

  template <typename... P>
  cudaKernelNodeParams launch_of(void (*kernel)(P...), void** arguments) {
    cudaKernelNodeParams made{};
    made.func = reinterpret_cast<void*>(kernel);
    made.gridDim = made.blockDim = dim3(1);
    made.kernelParams = arguments;
    return made;
  }

  // value = value * 10 + digit
  cudaGraphNode_t add_digit(cudaGraph_t to, long long digit,
                            std::vector<cudaGraphNode_t> after = {}) {
    long long ten = 10;
    void* arguments[] = {&value_, &ten, &digit};
    const cudaKernelNodeParams how = launch_of(multiply_and_add, arguments);
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddKernelNode(&node, to, after.data(), after.size(), &how), cudaSuccess);
    return node;
  }

  std::vector<cudaGraph_t> add_conditional(cudaGraphConditionalHandle handle,
                                           cudaGraphConditionalNodeType type, unsigned bodies,
                                           std::vector<cudaGraphNode_t> after = {}) {
    cudaGraphNodeParams how{};
    how.type = cudaGraphNodeTypeConditional;
    how.conditional.handle = handle;
    how.conditional.type = type;
    how.conditional.size = bodies;
    cudaGraphNode_t node;
    EXPECT_EQ(cudaGraphAddNode(&node, graph_, after.data(), nullptr, after.size(), &how),
              cudaSuccess);
    return {how.conditional.phGraph_out, how.conditional.phGraph_out + bodies};
  }

  void instantiate() { ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_), cudaSuccess); }
  long long launch() {
    EXPECT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    return std::exchange(*value_, 0);
  }

  cudaGraph_t graph_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  long long* value_ = nullptr;
};

TEST_F(graph_nodes, repeat_a_body_while_the_condition_holds) {
  cudaGraphConditionalHandle handle;
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&handle, graph_, 1, cudaGraphCondAssignDefault),
            cudaSuccess);
  const auto bodies = add_conditional(handle, cudaGraphCondTypeWhile, 1);
  long long limit = 4;
  long long* count = value_ + 1;
  void* arguments[] = {&handle, &count, &limit};
  const cudaKernelNodeParams how = launch_of(set_condition, arguments);
  cudaGraphNode_t node;
  ASSERT_EQ(cudaGraphAddKernelNode(&node, bodies[0], nullptr, 0, &how), cudaSuccess);
  add_digit(bodies[0], 7, {node});
  instantiate();
  EXPECT_EQ(launch(), 7777);
  EXPECT_EQ(launch(), 7);  // the loop begins again and ends at once
}

TEST_F(graph_nodes, choose_one_of_several_bodies) {
  cudaGraphConditionalHandle handle;
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&handle, graph_), cudaSuccess);
  unsigned chosen = 0;
  void* arguments[] = {&handle, &chosen};
  cudaKernelNodeParams how = launch_of(choose, arguments);
  cudaGraphNode_t first;
  ASSERT_EQ(cudaGraphAddKernelNode(&first, graph_, nullptr, 0, &how), cudaSuccess);
  const auto either = add_conditional(handle, cudaGraphCondTypeIf, 2, {first});
  const auto one_of = add_conditional(handle, cudaGraphCondTypeSwitch, 2, {first});
  add_digit(either[0], 1);
  add_digit(either[1], 2);
  add_digit(one_of[0], 3);
  add_digit(one_of[1], 4);
  instantiate();
  const long long expected[] = {23, 14, 1};
  for (chosen = 0; chosen < 3; ++chosen) {
    ASSERT_EQ(cudaGraphExecKernelNodeSetParams(executable_, first, &how), cudaSuccess);
    EXPECT_EQ(launch(), expected[chosen]);
  }
}

TEST_F(graph_nodes, take_the_bodies_within_their_bodies_along) {
  cudaGraphConditionalHandle outer, inner;
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&outer, graph_), cudaSuccess);
  const auto body = add_conditional(outer, cudaGraphCondTypeIf, 1)[0];
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&inner, body), cudaSuccess);
  cudaGraphNodeParams how{};
  how.type = cudaGraphNodeTypeConditional;
  how.conditional.handle = inner;
  how.conditional.type = cudaGraphCondTypeIf;
  how.conditional.size = 1;
  cudaGraphNode_t node;
  ASSERT_EQ(cudaGraphAddNode(&node, body, nullptr, nullptr, 0, &how), cudaSuccess);
  const cudaGraph_t innermost = how.conditional.phGraph_out[0];
  std::size_t count = 1;
  ASSERT_EQ(cudaGraphGetNodes(graph_, &node, &count), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroyNode(node), cudaSuccess);
  EXPECT_EQ(cudaGraphGetNodes(body, nullptr, &count), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphGetNodes(innermost, nullptr, &count), cudaErrorInvalidValue);
}

TEST_F(graph_nodes, refuse_invalid_conditions) {
  cudaGraphConditionalHandle handle;
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&handle, graph_), cudaSuccess);
  cudaGraphNode_t node;
  cudaGraphNodeParams how{};
  how.type = cudaGraphNodeTypeConditional;
  how.conditional.handle = handle;
  how.conditional.type = cudaGraphCondTypeWhile;
  how.conditional.size = 2;
  EXPECT_EQ(cudaGraphAddNode(&node, graph_, nullptr, nullptr, 0, &how), cudaErrorInvalidValue);
  how.conditional.size = 1;
  how.conditional.handle = handle + 1000;
  EXPECT_EQ(cudaGraphAddNode(&node, graph_, nullptr, nullptr, 0, &how), cudaErrorInvalidValue);
}

TEST_F(graph_nodes, keep_old_parameters_for_launches_before_the_change) {
  const auto node = add_digit(graph_, 1);
  instantiate();
  gate closed;
  closed.hold(stream_);
  ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  long long ten = 10, digit = 2;
  void* arguments[] = {&value_, &ten, &digit};
  const cudaKernelNodeParams how = launch_of(multiply_and_add, arguments);
  ASSERT_EQ(cudaGraphExecKernelNodeSetParams(executable_, node, &how), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(*value_, 12);
}

TEST_F(graph_nodes, are_named_by_the_nodes_of_the_first_graph_even_after_an_update) {
  const auto node = add_digit(graph_, 1);
  instantiate();
  cudaGraph_t other;
  ASSERT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
  add_digit(other, 5);
  cudaGraphExecUpdateResultInfo result;
  ASSERT_EQ(cudaGraphExecUpdate(executable_, other, &result), cudaSuccess);
  EXPECT_EQ(launch(), 5);
  ASSERT_EQ(cudaGraphNodeSetEnabled(executable_, node, 0), cudaSuccess);
  EXPECT_EQ(launch(), 0);
  unsigned is_enabled = 1;
  ASSERT_EQ(cudaGraphNodeGetEnabled(executable_, node, &is_enabled), cudaSuccess);
  EXPECT_EQ(is_enabled, 0u);
}

TEST_F(graph_nodes, return_the_parameters_that_they_were_made_from) {
  const auto node = add_digit(graph_, 6);
  cudaKernelNodeParams how{};
  ASSERT_EQ(cudaGraphKernelNodeGetParams(node, &how), cudaSuccess);
  EXPECT_EQ(how.func, reinterpret_cast<void*>(multiply_and_add));
  EXPECT_EQ(*static_cast<long long*>(how.kernelParams[2]), 6);
  cudaHostNodeParams host;
  EXPECT_EQ(cudaGraphHostNodeGetParams(node, &host), cudaErrorInvalidValue);
  cudaKernelNodeAttrValue value{};
  value.cooperative = 1;
  ASSERT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value),
            cudaSuccess);
  value = {};
  ASSERT_EQ(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value),
            cudaSuccess);
  EXPECT_EQ(value.cooperative, 1);
  instantiate();
  EXPECT_EQ(launch(), 6);
}

TEST_F(graph_nodes, run_in_the_order_of_edges_that_were_changed) {
  const auto one = add_digit(graph_, 1);
  const auto two = add_digit(graph_, 2, {one});
  const auto three = add_digit(graph_, 3, {two});
  ASSERT_EQ(cudaGraphRemoveDependencies(graph_, &one, &two, nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphRemoveDependencies(graph_, &one, &two, nullptr, 1), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphAddDependencies(graph_, &three, &one, nullptr, 1), cudaSuccess);
  size_t count = 0;
  ASSERT_EQ(cudaGraphNodeGetDependentNodes(two, nullptr, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  cudaGraphNode_t from[2], to[2];
  count = 2;
  ASSERT_EQ(cudaGraphGetEdges(graph_, from, to, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 2u);
  instantiate();
  EXPECT_EQ(launch(), 231);
  ASSERT_EQ(cudaGraphAddDependencies(graph_, &one, &two, nullptr, 1), cudaSuccess);
  cudaGraphExec_t other;
  EXPECT_EQ(cudaGraphInstantiate(&other, graph_), cudaErrorInvalidValue);  // a cycle
}

TEST_F(graph_nodes, record_and_wait_for_events) {
  cudaEvent_t before, after;
  ASSERT_EQ(cudaEventCreate(&before), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&after), cudaSuccess);
  cudaGraphNode_t waits, records;
  ASSERT_EQ(cudaGraphAddEventWaitNode(&waits, graph_, nullptr, 0, before), cudaSuccess);
  const auto digit = add_digit(graph_, 2, {waits});
  ASSERT_EQ(cudaGraphAddEventRecordNode(&records, graph_, &digit, 1, after), cudaSuccess);
  instantiate();
  cudaStream_t other;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  gate closed;
  closed.hold(other);
  launch_on(other, 1, 1, multiply_and_add, value_, 10LL, 1LL);
  ASSERT_EQ(cudaEventRecord(before, other), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(*value_, 12);
  EXPECT_EQ(cudaEventQuery(after), cudaSuccess);
  cudaEvent_t known;
  ASSERT_EQ(cudaGraphEventWaitNodeGetEvent(waits, &known), cudaSuccess);
  EXPECT_EQ(known, before);
  EXPECT_EQ(cudaGraphEventRecordNodeGetEvent(waits, &known), cudaErrorInvalidValue);
}

TEST_F(graph_nodes, are_drawn_as_a_dot_file) {
  cudaGraphConditionalHandle handle;
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&handle, graph_), cudaSuccess);
  const auto digit = add_digit(graph_, 1);
  add_digit(add_conditional(handle, cudaGraphCondTypeIf, 1, {digit})[0], 2);
  const std::string path = testing::TempDir() + "graph" + std::to_string(getpid()) + ".dot";
  ASSERT_EQ(cudaGraphDebugDotPrint(graph_, path.c_str(), 0), cudaSuccess);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  for (const char* part :
       {"digraph", "node_0 -> node_1", "node_1 -> node_2", "CONDITIONAL", "multiply_and_add"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  EXPECT_EQ(cudaGraphDebugDotPrint(graph_, "/no/such/folder/x.dot", 0), cudaErrorOperatingSystem);
}

}  // namespace
