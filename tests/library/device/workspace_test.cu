// device::workspace: its memory, what it remembers, and that captures do not record it.
#include <heddle/device/workspace.cuh>

#include <utility>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using heddle::device::workspace;

struct one_owner;
struct other_owner;

std::vector<unsigned char> bytes_at(const std::byte* memory, std::size_t count) {
  std::vector<unsigned char> copy(count);
  check(cudaMemcpy(copy.data(), memory, count, cudaMemcpyDeviceToHost), "copy");
  return copy;
}

bool is_all(const std::vector<unsigned char>& bytes, unsigned char wanted) {
  for (const unsigned char byte : bytes) {
    if (byte != wanted) return false;
  }
  return true;
}

TEST(workspace, knows_its_stream_and_device) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "stream");
  const workspace mine(stream);
  EXPECT_EQ(mine.stream(), stream);
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "properties");
  EXPECT_EQ(mine.multiprocessors(), properties.multiProcessorCount);
  EXPECT_EQ(mine.architecture(), 10 * properties.major + properties.minor);
  check(cudaStreamDestroy(stream), "stream");
}

TEST(workspace, returns_the_same_scratch_until_more_is_requested) {
  workspace mine;
  std::byte* const first = mine.scratch(1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 256, 0u);
  check(cudaMemset(first, 1, 1000), "the memory is there");
  EXPECT_EQ(mine.scratch(10), first);
  EXPECT_EQ(mine.scratch(1000), first);
  std::byte* const larger = mine.scratch(1'000'000);
  check(cudaMemset(larger, 1, 1'000'000), "the memory is there");
  EXPECT_NE(larger, first);
  EXPECT_EQ(mine.scratch(1000), larger);
  check(cudaMemset(first, 2, 1000), "old memory is still there");
}

TEST(workspace, grows_by_at_least_doubling) {
  workspace mine;
  static_cast<void>(mine.scratch(100'000));
  std::byte* const larger = mine.scratch(101'000);
  EXPECT_EQ(mine.scratch(200'000), larger);
}

TEST(workspace, keeps_memory_for_each_owner_zero_at_first) {
  workspace mine;
  std::byte* const kept = mine.kept<one_owner>(3000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(kept) % 256, 0u);
  EXPECT_TRUE(is_all(bytes_at(kept, 3000), 0));
  check(cudaMemset(kept, 7, 3000), "memset");
  std::byte* const others = mine.kept<other_owner>(3000);
  EXPECT_NE(others, kept);
  EXPECT_TRUE(is_all(bytes_at(others, 3000), 0));
  EXPECT_EQ(mine.kept<one_owner>(3000), kept);
  EXPECT_TRUE(is_all(bytes_at(kept, 3000), 7));
}

TEST(workspace, zeroes_kept_memory_that_has_grown) {
  workspace mine;
  check(cudaMemset(mine.kept<one_owner>(3000), 7, 3000), "memset");
  EXPECT_TRUE(is_all(bytes_at(mine.kept<one_owner>(30'000), 30'000), 0));
}

TEST(workspace, moves_with_its_memory) {
  workspace mine;
  std::byte* const kept = mine.kept<one_owner>(100);
  check(cudaMemset(kept, 7, 100), "memset");
  workspace next(std::move(mine));
  EXPECT_EQ(next.kept<one_owner>(100), kept);
  workspace last;
  static_cast<void>(last.scratch(10));
  last = std::move(next);
  EXPECT_EQ(last.kept<one_owner>(100), kept);
  EXPECT_TRUE(is_all(bytes_at(kept, 100), 7));
}

TEST(workspace, allocates_during_a_capture_without_being_captured) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  {
    workspace mine(stream);
    const device_array<int> array(1);
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    std::byte* const kept = mine.kept<one_owner>(5000);
    std::byte* const scratch = mine.scratch(5000);
    check(cudaMemsetAsync(scratch, 1, 10, stream), "memset");
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "the capture is whole");
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "nodes");
    EXPECT_EQ(nodes, 1u);
    EXPECT_TRUE(is_all(bytes_at(kept, 5000), 0));
    check(cudaGraphDestroy(graph), "graph");
  }
  check(cudaStreamDestroy(stream), "stream");
}

__global__ void do_nothing() {}

TEST(workspace, reports_how_many_blocks_of_a_kernel_are_resident) {
  workspace mine;
  int each = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, do_nothing, 128, 0), "occupancy");
  EXPECT_EQ(mine.resident_blocks(do_nothing, 128), each * mine.multiprocessors());
  EXPECT_EQ(mine.resident_blocks(do_nothing, 128), each * mine.multiprocessors());
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, do_nothing), "attributes");
  EXPECT_EQ(mine.architecture_of(do_nothing), attributes.ptxVersion);
}

TEST(workspace, throws_cudas_error_if_memory_is_refused) {
  workspace mine;
  EXPECT_THROW(static_cast<void>(mine.scratch(std::size_t{1} << 60)), heddle::error);
  static_cast<void>(cudaGetLastError());
  check(cudaMemset(mine.scratch(100), 1, 100), "it works on");
}

}  // namespace
