// device::reduce and transform_reduce against plain loops, at every edge of the grid.
#include <heddle/device/iterators.cuh>
#include <heddle/device/reduce.cuh>

#include <optional>

#include "device/result.cuh"
#include "support/operators.cuh"

namespace {
using namespace heddle_test;
namespace device = heddle::device;
using device::workspace;

std::vector<int> integers(std::int64_t count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) values[i] = sample<int>(seed(), i);
  return values;
}

template <typename Tuning>
void expect_exact_sums(std::int64_t most) {
  workspace workspace;
  const auto values = integers(most + 4);
  const device_array<int> on_device(values);
  for (const std::int64_t count : counts_of_interest(seed(), most)) {
    const int start = static_cast<int>(count % 4);
    std::int64_t expected = 0;
    for (std::int64_t i = 0; i < count; ++i) expected += values[start + i];
    const auto sum = result_of<std::int64_t>([&](std::int64_t* result) {
      device::reduce<Tuning>(workspace, on_device.data() + start, count, result, heddle::plus{});
    });
    ASSERT_EQ(sum, expected) << count << " integers from " << start << " on";
  }
}

TEST(device_reduce, is_exact_for_counts_at_every_edge) {
  HEDDLE_NAME_SEED();
  expect_exact_sums<device::fold_tuning>(300'000);
}
TEST(device_reduce, is_exact_in_a_small_grid_whose_blocks_post) {
  HEDDLE_NAME_SEED();
  expect_exact_sums<small_grid>(40'000);
}
TEST(device_reduce, is_exact_in_a_small_grid_whose_blocks_count) {
  HEDDLE_NAME_SEED();
  expect_exact_sums<small_grid_with_counter>(40'000);
}
struct soon_many_loads : small_grid {
  static constexpr std::int64_t many_loads = 3000;
};
TEST(device_reduce, is_exact_on_both_sides_of_where_more_loads_are_in_flight) {
  HEDDLE_NAME_SEED();
  static_assert(soon_many_loads::many_in_flight != soon_many_loads::in_flight);
  expect_exact_sums<soon_many_loads>(40'000);
}
TEST(device_reduce, is_exact_in_one_block) {
  HEDDLE_NAME_SEED();
  expect_exact_sums<small_grid_alone>(20'000);
}
TEST(device_reduce, is_exact_in_one_cluster) {
  HEDDLE_NAME_SEED();
  expect_exact_sums<small_cluster>(40'000);
}

TEST(device_reduce, leaves_the_hand_over_memory_as_it_was) {
  HEDDLE_NAME_SEED();
  workspace workspace;
  const device_array<int> values(integers(5000));
  const auto expect_zeros = [](const std::byte* memory, std::size_t bytes) {
    std::vector<unsigned char> copy(bytes, 1);
    check(cudaMemcpy(copy.data(), memory, bytes, cudaMemcpyDeviceToHost), "copy");
    for (const unsigned char byte : copy) ASSERT_EQ(byte, 0);
  };
  static_cast<void>(result_of<int>([&](int* result) {
    device::reduce<small_grid>(workspace, values.data(), 5000, result, heddle::plus{});
  }));
  expect_zeros(workspace.kept<device::detail::boards>(1), device::detail::board<int>::bytes_for(2));
  static_cast<void>(result_of<int>([&](int* result) {
    device::reduce<small_grid_with_counter>(workspace, values.data(), 5000, result, heddle::plus{});
  }));
  expect_zeros(workspace.kept<device::detail::counters>(1), sizeof(unsigned));
}

TEST(device_reduce, reads_bytes_from_every_start) {
  HEDDLE_NAME_SEED();
  workspace workspace;
  const auto words = integers(600);
  const device_array<int> on_device(words);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(words.data());
  const auto* const on_device_bytes = reinterpret_cast<const std::uint8_t*>(on_device.data());
  for (int start = 0; start < 20; ++start) {
    for (const int count : {1, 5, 15, 16, 17, 33, 2000}) {
      std::uint8_t expected = 0;
      for (int i = 0; i < count; ++i) expected = std::max(expected, bytes[start + i]);
      const auto largest = result_of<std::uint8_t>([&](std::uint8_t* result) {
        device::reduce<small_grid>(workspace, on_device_bytes + start, count, result,
                                   heddle::maximum{});
      });
      ASSERT_EQ(largest, expected) << count << " bytes from " << start << " on";
    }
  }
}

std::vector<affine> maps(std::int64_t count) {
  std::vector<affine> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t bits = sample_bits(seed(), i);
    values[i] = {static_cast<std::uint32_t>(bits) | 1, static_cast<std::uint32_t>(bits >> 32)};
  }
  return values;
}

TEST(device_reduce, keeps_order_when_the_operator_does_not_commute) {
  HEDDLE_NAME_SEED();
  workspace workspace;
  const auto values = maps(150'003);
  const device_array<affine> on_device(values);
  for (const std::int64_t count : counts_of_interest(seed(), 150'000)) {
    const int start = static_cast<int>(count % 3);
    affine expected;
    for (std::int64_t i = 0; i < count; ++i) expected = then{}(expected, values[start + i]);
    const auto composed = result_of<affine>([&](affine* result) {
      device::reduce(workspace, on_device.data() + start, count, result, then{});
    });
    ASSERT_TRUE(composed == expected) << count << " maps from " << start << " on";
  }
}

// Keeps the first and the last value; 64 bytes, without identity.
struct wide {
  std::int64_t first, last, sum;
  std::int64_t filling[5];
};
struct widest {
  __host__ __device__ wide operator()(const wide& a, const wide& b) const {
    return {a.first, b.last, a.sum + b.sum, {}};
  }
};
struct make_wide {
  __host__ __device__ wide operator()(std::int64_t i) const { return {i, i, i, {}}; }
};

TEST(device_reduce, takes_structs_of_64_bytes_and_an_operator_without_identity) {
  workspace workspace;
  for (const std::int64_t count : {1, 2, 31, 257, 2049, 70'001}) {
    const auto whole = result_of<wide>([&](wide* result) {
      device::transform_reduce(workspace, device::counting<std::int64_t>{10}, count, result,
                               widest{}, make_wide{});
    });
    EXPECT_EQ(whole.first, 10);
    EXPECT_EQ(whole.last, 9 + count);
    EXPECT_EQ(whole.sum, 10 * count + count * (count - 1) / 2);
  }
}

TEST(device_reduce, reads_structs_that_lie_across_vectors) {
  HEDDLE_NAME_SEED();
  workspace workspace;
  const auto words = integers(2 * 5000 + 1);
  const device_array<int> on_device(words);
  const auto* const values = reinterpret_cast<const affine*>(words.data() + 1);
  affine expected;
  for (int i = 0; i < 5000; ++i) expected = then{}(expected, values[i]);
  const auto composed = result_of<affine>([&](affine* result) {
    device::reduce(workspace, reinterpret_cast<const affine*>(on_device.data() + 1), 5000, result,
                   then{});
  });
  EXPECT_TRUE(composed == expected);
}

TEST(device_reduce, begins_with_the_initial_value) {
  workspace workspace;
  const device_array<int> numbers(std::vector<int>{3, 4, 5});
  const auto reduced = [&](std::int64_t count, int initial) {
    return result_of<int>([&](int* result) {
      device::reduce(workspace, numbers.data(), count, result, heddle::plus{}, initial);
    });
  };
  EXPECT_EQ(reduced(3, 100), 112);
  EXPECT_EQ(reduced(0, 100), 100);
  const auto composed = [&](std::int64_t count) {
    return result_of<affine>([&](affine* result) {
      device::reduce(workspace, device::constant{affine{2, 1}}, count, result, then{},
                     affine{1, 5});
    });
  };
  EXPECT_TRUE(composed(0) == (affine{1, 5}));
  EXPECT_TRUE(composed(1) == (affine{2, 11}));
}

TEST(device_reduce, gives_the_identity_or_refuses_empty_input) {
  workspace workspace;
  EXPECT_EQ(result_of<int>([&](int* result) {
              device::reduce(workspace, static_cast<const int*>(nullptr), 0, result,
                             heddle::multiplies{});
            }),
            1);
  EXPECT_TRUE(result_of<affine>([&](affine* result) {
                device::reduce(workspace, static_cast<const affine*>(nullptr), 0, result, then{});
              }) == affine{});
  EXPECT_THROW(result_of<wide>([&](wide* result) {
                 device::reduce(workspace, static_cast<const wide*>(nullptr), 0, result, widest{});
               }),
               heddle::error);
  EXPECT_THROW(result_of<int>([&](int* result) {
                 device::reduce(workspace, static_cast<const int*>(nullptr), -1, result,
                                heddle::plus{});
               }),
               heddle::error);
}

struct product_of_pair {
  __host__ __device__ std::int64_t operator()(const device::pair<int, std::int64_t>& both) const {
    return both.first * both.second;
  }
};

TEST(device_transform_reduce, maps_zipped_ranges) {
  HEDDLE_NAME_SEED();
  workspace workspace;
  const auto values = integers(10'001);
  const device_array<int> on_device(values);
  std::int64_t expected = 0;
  for (std::int64_t i = 0; i < 10'001; ++i) expected += (i + 7) * values[i];
  const device::zipped both{static_cast<const int*>(on_device.data()),
                            device::counting<std::int64_t>{7}};
  const auto sum = result_of<std::int64_t>([&](std::int64_t* result) {
    device::transform_reduce<small_grid>(workspace, both, 10'001, result, heddle::plus{},
                                         product_of_pair{});
  });
  EXPECT_EQ(sum, expected);
}

TEST(device_reduce, counts_above_two_to_the_31) {
  workspace workspace;
  if (workspace.multiprocessors() < 16) GTEST_SKIP() << "takes too long on a small machine";
  const std::int64_t count = (std::int64_t{1} << 32) + 77;
  EXPECT_EQ(result_of<std::int64_t>([&](std::int64_t* result) {
              device::reduce(workspace, device::constant<std::int8_t>{1}, count, result,
                             heddle::plus{});
            }),
            count);
}

// Captured before the workspace has any memory; replays read the current input.
TEST(device_reduce, can_be_captured_and_replayed) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  {
    workspace workspace(stream);
    constexpr std::int64_t count = 30'000;
    const device_array<int> input(std::vector<int>(count, 1));
    const device_array<int> sum(1);
    const device_array<affine> composed(1);
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    device::reduce<small_grid>(workspace, input.data(), count, sum.data(), heddle::plus{});
    device::reduce(workspace, device::constant{affine{1, 2}}, count, composed.data(), then{});
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "the capture is whole");
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "nodes");
    EXPECT_EQ(nodes, 2u) << "one launch each";
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
    for (int value = 1; value <= 3; ++value) {
      const std::vector<int> values(count, value);
      check(cudaMemcpy(input.data(), values.data(), count * sizeof(int), cudaMemcpyHostToDevice),
            "copy");
      check(cudaDeviceSynchronize(), "copy");
      check(cudaGraphLaunch(ready, stream), "replay");
      check(cudaStreamSynchronize(stream), "replay");
      EXPECT_EQ(sum.values()[0], value * count);
      EXPECT_TRUE(composed.values()[0] == (affine{1, 2 * count}));
      // A larger call in between grows the workspace; the graph keeps its own memory.
      const auto larger = result_of<int>([&](int* result) {
        device::reduce<small_grid>(workspace, device::constant{1}, 1000 * value, result,
                                   heddle::plus{});
      });
      EXPECT_EQ(larger, 1000 * value);
    }
    check(cudaGraphExecDestroy(ready), "graph");
    check(cudaGraphDestroy(graph), "graph");
  }
  check(cudaStreamDestroy(stream), "stream");
}

TEST(device_reduce, runs_in_two_streams_with_a_workspace_each) {
  cudaStream_t streams[2];
  std::optional<workspace> workspaces[2];
  const device_array<std::int64_t> results(40);
  for (int i = 0; i < 2; ++i) {
    check(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking), "stream");
    workspaces[i].emplace(streams[i]);
  }
  for (int i = 0; i < 40; ++i) {
    device::reduce<small_grid>(*workspaces[i % 2], device::counting<std::int64_t>{i}, 9000,
                               results.data() + i, heddle::plus{});
  }
  check(cudaDeviceSynchronize(), "the kernels");
  const auto sums = results.values();
  for (int i = 0; i < 40; ++i) EXPECT_EQ(sums[i], 9000 * i + 8999 * 9000 / 2) << i;
  for (int i = 0; i < 2; ++i) {
    workspaces[i].reset();
    check(cudaStreamDestroy(streams[i]), "stream");
  }
}

}  // namespace
