// device::launch: the launch shape of a kernel, and the stream that it runs in.
#include <heddle/device/kernel/launch.cuh>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
namespace device = heddle::device;
using device::workspace;

// Every thread reads what its mirror thread of the block has written to shared memory.
__global__ void look_round(int* heard, int* blocks_of_cluster) {
  extern __shared__ int said[];
  device::detail::start_beside_others();
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int first = static_cast<int>(blockIdx.x) * threads;
  said[thread] = first + thread;
  __syncthreads();
  heard[first + thread] = said[threads - 1 - thread];
  if (thread == 0) blocks_of_cluster[blockIdx.x] = device::detail::cluster::blocks();
}

void expect_shape(workspace& workspace, const device::detail::shape& wanted) {
  const int threads = wanted.blocks * wanted.threads;
  const device_array<int> heard(threads), clusters(wanted.blocks);
  device::detail::launch(workspace, wanted, look_round, heard.data(), clusters.data());
  check(cudaDeviceSynchronize(), "the kernel");
  const auto values = heard.values();
  for (int i = 0; i < threads; ++i) {
    const int first = i / wanted.threads * wanted.threads;
    ASSERT_EQ(values[i], first + wanted.threads - 1 - (i - first));
  }
  for (const int blocks : clusters.values()) EXPECT_EQ(blocks, wanted.cluster);
}

TEST(device_launch, gives_blocks_threads_and_shared_memory) {
  workspace workspace;
  expect_shape(workspace, {.blocks = 3, .threads = 64, .shared_bytes = 256});
  expect_shape(workspace, {.blocks = 1, .threads = 1024, .shared_bytes = 4096});
  expect_shape(workspace, {.blocks = 5, .threads = 96, .starts_early = false, .shared_bytes = 384});
}

TEST(device_launch, makes_clusters_if_the_device_has_them) {
  workspace workspace;
  if (!device::detail::can_start_early(workspace, look_round)) GTEST_SKIP() << "no clusters here";
  expect_shape(workspace, {.blocks = 8, .threads = 32, .cluster = 4, .shared_bytes = 128});
}

TEST(device_launch, runs_in_the_stream_of_the_workspace) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  {
    workspace workspace(stream);
    const device_array<int> heard(32), clusters(1);
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    device::detail::launch(workspace, {.blocks = 1, .threads = 32, .shared_bytes = 128}, look_round,
                           heard.data(), clusters.data());
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "the capture is whole");
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "nodes");
    EXPECT_EQ(nodes, 1u);
    check(cudaGraphDestroy(graph), "graph");
  }
  check(cudaStreamDestroy(stream), "stream");
}

TEST(device_launch, throws_cudas_error_for_a_shape_that_does_not_fit) {
  workspace workspace;
  const device_array<int> heard(32), clusters(1);
  EXPECT_THROW(device::detail::launch(workspace, {.blocks = 1, .threads = 4096}, look_round,
                                      heard.data(), clusters.data()),
               heddle::error);
  static_cast<void>(cudaGetLastError());
}

}  // namespace
