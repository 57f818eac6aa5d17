// Memory nodes of graphs: who may allocate, free, clone and instantiate, and what is counted.
#include <cstdint>
#include <vector>

#include "kernels.hpp"

namespace {

class graph_memory : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    ASSERT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
  }

  int* add_allocation(cudaGraphNode_t* node, const std::vector<cudaGraphNode_t>& after = {}) {
    cudaMemAllocNodeParams how{};
    how.poolProps.allocType = cudaMemAllocationTypePinned;
    how.poolProps.location = {cudaMemLocationTypeDevice, 0};
    how.bytesize = bytes;
    EXPECT_EQ(cudaGraphAddMemAllocNode(node, graph_, after.data(), after.size(), &how),
              cudaSuccess);
    return static_cast<int*>(how.dptr);
  }

  std::uint64_t read(cudaGraphMemAttributeType attribute) {
    std::uint64_t value = ~std::uint64_t{0};
    EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, attribute, &value), cudaSuccess);
    return value;
  }

  static constexpr std::size_t bytes = 1024;
  cudaGraph_t graph_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

TEST_F(graph_memory, is_counted_while_it_is_allocated) {
  cudaGraphNode_t allocated, freed;
  int* const memory = add_allocation(&allocated);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&freed, graph_, &allocated, 1, memory), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_), cudaSuccess);
  EXPECT_EQ(read(cudaGraphMemAttrUsedMemHigh), 0u);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  EXPECT_EQ(read(cudaGraphMemAttrUsedMemCurrent), 0u);
  EXPECT_EQ(read(cudaGraphMemAttrUsedMemHigh), bytes);
  EXPECT_EQ(read(cudaGraphMemAttrReservedMemCurrent), bytes);
  ASSERT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
  EXPECT_EQ(read(cudaGraphMemAttrReservedMemCurrent), 0u);
  std::uint64_t value = 0;
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value), cudaSuccess);
  EXPECT_EQ(read(cudaGraphMemAttrUsedMemHigh), 0u);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &value),
            cudaErrorInvalidValue);
}

TEST_F(graph_memory, stays_until_somebody_frees_it) {
  cudaGraphNode_t allocated;
  int* const memory = add_allocation(&allocated);
  ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);  // not yet allocated
  ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable_, stream_), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphDestroy(graph_), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(executable_), cudaSuccess);
  launch_on(stream_, 1, 256, add_to_all, memory, 1);
  ASSERT_EQ(cudaFreeAsync(memory, stream_), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(memory, stream_), cudaErrorInvalidValue);
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
}

TEST_F(graph_memory, is_freed_by_the_next_launch_if_requested) {
  cudaGraphNode_t allocated;
  int* const memory = add_allocation(&allocated);
  ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_, cudaGraphInstantiateFlagAutoFreeOnLaunch),
            cudaSuccess);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
  EXPECT_EQ(read(cudaGraphMemAttrUsedMemCurrent), bytes);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(graph_memory, is_freed_by_another_graph) {
  cudaGraphNode_t node;
  int* const memory = add_allocation(&node);
  ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_), cudaSuccess);
  cudaGraph_t other;
  cudaGraphExec_t freeing;
  ASSERT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&node, other, nullptr, 0, memory), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&freeing, other), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(freeing, stream_), cudaErrorInvalidValue);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(freeing, stream_), cudaSuccess);
  }
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
}

TEST_F(graph_memory, belongs_to_one_executable_graph) {
  cudaGraphNode_t node;
  add_allocation(&node);
  cudaGraph_t clone;
  cudaGraphExec_t second;
  EXPECT_EQ(cudaGraphClone(&clone, graph_), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphDestroyNode(node), cudaErrorNotSupported);
  ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&second, graph_), cudaErrorNotSupported);
  ASSERT_EQ(cudaGraphExecDestroy(executable_), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&second, graph_), cudaSuccess);
}

TEST_F(graph_memory, is_described_by_its_nodes) {
  cudaGraphNode_t allocated, freed;
  int* const memory = add_allocation(&allocated);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&freed, graph_, &allocated, 1, memory), cudaSuccess);
  cudaMemAllocNodeParams how{};
  ASSERT_EQ(cudaGraphMemAllocNodeGetParams(allocated, &how), cudaSuccess);
  EXPECT_EQ(how.dptr, memory);
  EXPECT_EQ(how.bytesize, bytes);
  void* pointer = nullptr;
  ASSERT_EQ(cudaGraphMemFreeNodeGetParams(freed, &pointer), cudaSuccess);
  EXPECT_EQ(pointer, memory);
  EXPECT_EQ(cudaGraphMemFreeNodeGetParams(allocated, &pointer), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&freed, graph_, nullptr, 0, &how), cudaErrorInvalidValue);
}

}  // namespace
