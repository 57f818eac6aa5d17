// Cooperative launches, and reductions over grids that synchronise.
#include <heddle/device/grid.cuh>
#include <heddle/device/iterators.cuh>

#include <algorithm>
#include <limits>
#include <numeric>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace device = heddle::device;
using device::cooperative_shape;
using device::workspace;

// Each block passes a number to the next one, many times.
__global__ void pass_around(int* front, int* back, int rounds) {
  const auto grid = cooperative_groups::this_grid();
  const unsigned next = (blockIdx.x + 1) % gridDim.x;
  for (int round = 0; round < rounds; ++round) {
    int* const from = round % 2 == 0 ? front : back;
    int* const to = round % 2 == 0 ? back : front;
    if (threadIdx.x == 0) to[next] = from[blockIdx.x] + 1;
    grid.sync();
  }
}

TEST(device_launch_cooperative, synchronises_as_many_blocks_as_are_resident) {
  workspace space;
  const cooperative_shape shape{64, 0, 0};
  const int most = device::cooperative_blocks(space, shape, pass_around);
  ASSERT_GE(most, 1);
  std::vector<int> start(most);
  std::iota(start.begin(), start.end(), 0);
  const device_array<int> front(start), back(start.size());
  constexpr int rounds = 10;
  EXPECT_EQ(
      device::launch_cooperative(space, shape, pass_around, front.data(), back.data(), rounds),
      most);
  const auto found = front.values();
  for (int i = 0; i < most; ++i) {
    EXPECT_EQ(found[(i + rounds) % most], i + rounds) << "number of block " << i;
  }
}

__global__ void record_shape(int* recorded) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = static_cast<int>(threadIdx.x);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) recorded[blockIdx.x] = static_cast<int>(gridDim.x * blockDim.x) + memory[0];
}

TEST(device_launch_cooperative, uses_the_given_blocks_threads_and_bytes) {
  workspace space;
  const device_array<int> recorded(2);
  const int blocks = device::cooperative_blocks(space, {96, 60'000, 0}, record_shape) > 1 ? 2 : 1;
  EXPECT_EQ(device::launch_cooperative(space, {96, 60'000, blocks}, record_shape, recorded.data()),
            blocks);
  EXPECT_EQ(recorded.values()[0], 96 * blocks);
}

std::string refusal_of(const cooperative_shape& shape) {
  workspace space;
  const device_array<int> recorded(1);
  try {
    device::launch_cooperative(space, shape, record_shape, recorded.data());
  } catch (const heddle::error& refused) {
    return refused.what();
  }
  return "nothing was refused";
}
TEST(device_launch_cooperative, reports_what_does_not_fit) {
  EXPECT_NE(refusal_of({32, 128, 1'000'000}).find("of 1000000 blocks of 32 threads"),
            std::string::npos)
      << refusal_of({32, 128, 1'000'000});
  EXPECT_NE(refusal_of({32, 128, 1'000'000}).find("must all run"), std::string::npos);
  EXPECT_NE(refusal_of({2048, 128, 1}).find("1 to 1024 threads"), std::string::npos);
  EXPECT_NE(refusal_of({0, 128, 1}).find("1 to 1024 threads"), std::string::npos);
  EXPECT_NE(refusal_of({32, 10'000'000, 1}).find("bytes of shared memory"), std::string::npos);
  EXPECT_NE(refusal_of({32, 128, -1}).find("must all run"), std::string::npos);
  EXPECT_EQ(refusal_of({32, 128, 1}), "nothing was refused");
}

__global__ void __launch_bounds__(64) has_small_blocks(int* recorded) {
  __shared__ int own[10'000];
  own[threadIdx.x] = 1;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) recorded[0] = own[0];
}
TEST(device_launch_cooperative, refuses_what_the_kernel_does_not_allow) {
  workspace space;
  const device_array<int> recorded(1);
  EXPECT_THROW(device::launch_cooperative(space, {128}, has_small_blocks, recorded.data()),
               heddle::error);
  const std::size_t most = space.facts().shared_bytes_per_block;
  EXPECT_THROW(device::launch_cooperative(space, {64, most}, has_small_blocks, recorded.data()),
               heddle::error);
  device::launch_cooperative(space, {64}, has_small_blocks, recorded.data());
  EXPECT_EQ(recorded.values()[0], 1);
}

// Joins the intervals of all threads of the grid, twice in a row.
template <int threads>
__global__ void join_all(interval* partials, interval* results) {
  __shared__ heddle::block::scratch<interval, threads> scratch;
  const auto own = static_cast<std::int16_t>(blockIdx.x * threads + threadIdx.x);
  const interval once = device::reduce_over_grid(interval{own, own}, join{}, scratch, partials);
  cooperative_groups::this_grid().sync();
  const interval again = device::reduce_over_grid(once.first == 0 ? interval{own, own} : interval{},
                                                  join{}, scratch, partials);
  results[own] = once == again ? again : interval{-1, -1, true};
}

template <int threads>
void expect_joined(int blocks) {
  workspace space;
  const cooperative_shape shape{threads, 0, 0};
  const auto kernel = &join_all<threads>;
  const int most = device::cooperative_blocks(space, shape, kernel);
  blocks = std::min(blocks, most);
  const device_array<interval> partials(blocks), results(std::size_t{1} * blocks * threads);
  device::launch_cooperative(space, {threads, 0, blocks}, kernel, partials.data(), results.data());
  const interval expected{0, static_cast<std::int16_t>(blocks * threads - 1)};
  const auto found = results.values();
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_TRUE(found[i] == expected) << "thread " << i << " of " << blocks
                                      << " blocks: " << found[i].first << " to " << found[i].last;
  }
}
TEST(device_reduce_over_grid, keeps_the_order_of_threads_in_every_thread) {
  for (const int blocks : {1, 2, 3, 100}) {
    expect_joined<32>(blocks);  // more blocks than threads per block, if they fit
    expect_joined<96>(blocks);
    expect_joined<256>(blocks);
  }
}

TEST(device_grid_reduce, is_exact_for_counts_at_every_edge) {
  HEDDLE_NAME_SEED();
  workspace space;
  std::vector<int> values(50'010);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = sample<int>(seed(), i);
  const device_array<int> on_device(values);
  const device_array<std::int64_t> sum(1);
  const device_array<int> greatest(1);
  for (const std::int64_t count : {0, 1, 3, 4, 5, 255, 256, 1023, 1024, 1025, 4097, 50'001}) {
    const std::size_t start = count % 4;
    std::int64_t expected = 0;
    int expected_greatest = std::numeric_limits<int>::lowest();
    for (std::int64_t i = 0; i < count; ++i) {
      expected += values[start + i];
      expected_greatest = std::max(expected_greatest, values[start + i]);
    }
    device::grid_reduce(space, on_device.data() + start, count, sum.data());
    device::grid_reduce(space, on_device.data() + start, count, greatest.data(), heddle::maximum{});
    ASSERT_EQ(sum.values()[0], expected) << count << " values";
    ASSERT_EQ(greatest.values()[0], expected_greatest) << count << " values";
  }
}
TEST(device_grid_reduce, reads_iterators) {
  workspace space;
  const device_array<std::int64_t> sum(1);
  device::grid_reduce(space, device::counting<std::int64_t>{1}, 30'000, sum.data());
  EXPECT_EQ(sum.values()[0], std::int64_t{30'000} * 30'001 / 2);
  EXPECT_THROW(device::grid_reduce(space, device::counting<std::int64_t>{1}, -1, sum.data()),
               heddle::error);
}
TEST(device_grid_reduce, is_captured_and_replayed) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  {
    workspace space(stream);
    std::vector<int> values(3'000, 2);
    const device_array<int> on_device(values), sum(1);
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "the capture");
    device::grid_reduce(space, static_cast<const int*>(on_device.data()), 3'000, sum.data());
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "the end of the capture");
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph, 0), "the graph");
    for (int replay = 0; replay < 3; ++replay) {
      check(cudaMemsetAsync(sum.data(), 0xa5, sizeof(int), stream), "poison");
      check(cudaGraphLaunch(ready, stream), "the replay");
      check(cudaStreamSynchronize(stream), "the replay");
      EXPECT_EQ(sum.values()[0], 6'000);
    }
    check(cudaGraphExecDestroy(ready), "the graph");
    check(cudaGraphDestroy(graph), "the graph");
  }
  check(cudaStreamDestroy(stream), "the stream");
}

}  // namespace
