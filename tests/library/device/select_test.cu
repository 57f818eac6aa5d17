// device::select and select_flagged against std::copy_if.
#include <heddle/device/select.cuh>

#include <algorithm>

#include "device/guards.cuh"
#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::workspace;
namespace device = heddle::device;

constexpr std::int64_t tile = 15'872;  // for 32-bit values

struct below {
  std::uint32_t limit;  // percent
  __host__ __device__ bool operator()(std::uint32_t value) const { return value % 100 < limit; }
};

template <typename T>
std::vector<T> samples(std::int64_t count, std::uint64_t stream = 0) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = sample<T>(seed() + stream, i);
  return values;
}

template <typename T, typename Predicate>
std::vector<T> selected(const std::vector<T>& values, Predicate predicate) {
  std::vector<T> kept;
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept), predicate);
  return kept;
}

TEST(select, keeps_selected_elements_in_order) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{31}, std::int64_t{129}, tile - 1, tile,
        tile + 1, 2 * tile, 5 * tile + 77, 12 * tile - 3}) {
    for (const std::uint32_t limit : {0u, 3u, 50u, 97u, 100u}) {
      const auto values = samples<std::uint32_t>(count);
      const auto expected = selected(values, below{limit});
      const device_array<std::uint32_t> input(values);
      const guarded_array<std::uint32_t> output(expected.size());
      const guarded_array<std::int64_t> number(1);
      device::select(work, input.data(), count, output.data(), number.data(), below{limit});
      EXPECT_EQ(number.values()[0], static_cast<std::int64_t>(expected.size()));
      EXPECT_EQ(first_difference(output.values(), expected), -1)
          << count << " elements, " << limit << " % wanted";
    }
  }
}

TEST(select, starts_anywhere_and_works_in_place) {
  HEDDLE_NAME_SEED();
  workspace work;
  const std::int64_t count = 3 * tile + 5;
  for (int offset = 0; offset < 5; ++offset) {
    const auto all = samples<std::uint32_t>(count + offset);
    const std::vector<std::uint32_t> values(all.begin() + offset, all.end());
    const auto expected = selected(values, below{60});
    const device_array<std::uint32_t> input(all);
    const guarded_array<int> number(1);
    auto* const from = input.data() + offset;
    device::select(work, from, count, from, number.data(), below{60});
    ASSERT_EQ(number.values()[0], static_cast<int>(expected.size()));
    const auto left = input.values();
    const std::vector<std::uint32_t> results(
        left.begin() + offset,
        left.begin() + offset + static_cast<std::ptrdiff_t>(expected.size()));
    EXPECT_EQ(first_difference(results, expected), -1) << "offset " << offset;
    // Nothing after the kept elements has changed.
    for (std::size_t i = expected.size() + static_cast<std::size_t>(offset); i < left.size(); ++i) {
      ASSERT_EQ(left[i], all[i]) << i;
    }
  }
}

struct large {
  std::uint32_t words[5];
  friend __host__ __device__ bool operator==(const large& a, const large& b) {
    for (int i = 0; i < 5; ++i) {
      if (a.words[i] != b.words[i]) return false;
    }
    return true;
  }
};

template <typename T, typename Flag>
void expect_flagged(const std::vector<T>& values, std::uint64_t mean) {
  workspace work;
  std::vector<Flag> flags(values.size());
  std::vector<T> expected;
  for (std::size_t i = 0; i < values.size(); ++i) {
    flags[i] = sample_bits(seed() + 9, i) % mean == 0 ? static_cast<Flag>(i % 7 + 1) : Flag{0};
    if (flags[i] != 0) expected.push_back(values[i]);
  }
  const device_array<T> input(values);
  const device_array<Flag> marks(flags);
  for (int call = 0; call < 3; ++call) {
    const guarded_array<T> output(expected.size());
    const guarded_array<unsigned> number(1);
    device::select_flagged(work, input.data(), marks.data(),
                           static_cast<std::int64_t>(values.size()), output.data(), number.data());
    EXPECT_EQ(number.values()[0], expected.size());
    EXPECT_EQ(first_difference(output.values(), expected), -1) << "call " << call;
  }
}

TEST(select_flagged, keeps_elements_of_every_size) {
  HEDDLE_NAME_SEED();
  expect_flagged<std::uint8_t, std::uint8_t>(samples<std::uint8_t>(30001), 3);
  expect_flagged<std::uint64_t, int>(samples<std::uint64_t>(10001), 2);
  std::vector<large> structs(5003);
  for (std::size_t i = 0; i < structs.size(); ++i) {
    for (int j = 0; j < 5; ++j) {
      structs[i].words[j] = static_cast<std::uint32_t>(sample_bits(seed() + j, i));
    }
  }
  expect_flagged<large, std::uint8_t>(structs, 2);
}

TEST(select, can_be_captured_and_replayed_with_other_contents) {
  HEDDLE_NAME_SEED();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "stream");
  {
    workspace work(stream);
    constexpr std::int64_t count = 3 * tile + 99;
    const device_array<std::uint32_t> input(count), output(count);
    const device_array<int> number(1);
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    device::select(work, input.data(), count, output.data(), number.data(), below{40});
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "capture");
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "nodes");
    EXPECT_EQ(nodes, 1u);
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
    for (std::uint64_t replay = 0; replay < 4; ++replay) {
      const auto values = samples<std::uint32_t>(count, replay);
      check(cudaMemcpy(input.data(), values.data(), count * sizeof(std::uint32_t),
                       cudaMemcpyHostToDevice),
            "copy");
      check(cudaGraphLaunch(ready, stream), "replay");
      check(cudaStreamSynchronize(stream), "replay");
      const auto expected = selected(values, below{40});
      auto results = output.values();
      ASSERT_EQ(number.values()[0], static_cast<int>(expected.size()));
      results.resize(expected.size());
      EXPECT_EQ(first_difference(results, expected), -1) << "replay " << replay;
    }
    check(cudaGraphExecDestroy(ready), "destroy");
    check(cudaGraphDestroy(graph), "destroy");
  }
  check(cudaStreamDestroy(stream), "stream");
}

struct small_blocks : device::select_tuning {
  static constexpr int threads = 2 * heddle::warp_size;
  static constexpr int lane_bytes = 128;
};

// Blocks have many tiles each, and look back over many windows.
TEST(select, works_through_more_tiles_than_blocks) {
  HEDDLE_NAME_SEED();
  workspace work;
  const std::int64_t count = 2500 * tile / 8 + 3;
  const auto values = samples<std::uint32_t>(count);
  const device_array<std::uint32_t> input(values);
  for (const std::uint32_t limit : {1u, 60u}) {
    const auto expected = selected(values, below{limit});
    const guarded_array<std::uint32_t> output(expected.size());
    const guarded_array<int> number(1);
    device::select<small_blocks>(work, input.data(), count, output.data(), number.data(),
                                 below{limit});
    EXPECT_EQ(number.values()[0], static_cast<int>(expected.size()));
    EXPECT_EQ(first_difference(output.values(), expected), -1) << limit << " % wanted";
  }
}

TEST(select, wraps_its_launch_number_after_2_to_the_32_launches) {
  HEDDLE_NAME_SEED();
  using header = device::detail::look_back_header;
  using board = device::detail::look_back_board<device::detail::kept_part<std::uint32_t>>;
  workspace work;
  const std::int64_t count = 9 * tile + 1;
  const auto values = samples<std::uint32_t>(count);
  const auto expected = selected(values, below{30});
  const device_array<std::uint32_t> input(values);
  const auto select = [&] {
    const guarded_array<std::uint32_t> output(expected.size());
    const guarded_array<int> number(1);
    device::select(work, input.data(), count, output.data(), number.data(), below{30});
    EXPECT_EQ(number.values()[0], static_cast<int>(expected.size()));
    EXPECT_EQ(first_difference(output.values(), expected), -1);
  };
  select();
  std::byte* const memory = work.kept<device::detail::compaction_memory>(1);
  header left{};
  check(cudaMemcpy(&left, memory, sizeof(left), cudaMemcpyDeviceToHost), "read");
  EXPECT_EQ(left.launches_and_tile, 1ull << 32);
  EXPECT_EQ(left.words, board::words_for(10));
  left.launches_and_tile = static_cast<std::uint64_t>(board::last_launch - 1) << 32;
  check(cudaMemcpy(memory, &left, sizeof(left), cudaMemcpyHostToDevice), "write");
  select();
  check(cudaMemcpy(&left, memory, sizeof(left), cudaMemcpyDeviceToHost), "read");
  EXPECT_EQ(left.launches_and_tile, 0u);
  std::vector<std::uint64_t> words(left.words, 1);
  check(cudaMemcpy(words.data(), memory + device::detail::look_back_header_bytes,
                   sizeof(std::uint64_t) * words.size(), cudaMemcpyDeviceToHost),
        "read");
  EXPECT_EQ(words, std::vector<std::uint64_t>(words.size(), 0));
  select();
}

struct is_multiple {
  __host__ __device__ bool operator()(std::int64_t value) const { return value % 1000 == 0; }
};

TEST(select, reads_iterators_and_refuses_negative_counts) {
  workspace work;
  const guarded_array<std::int64_t> output(20);
  const guarded_array<int> number(1);
  const std::int64_t first = 7ll << 32;
  device::select(work, device::counting<>{first}, 20000, output.data(), number.data(),
                 is_multiple{});
  const auto results = output.values(20);
  EXPECT_EQ(number.values()[0], 20);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(results[i], (first + 999) / 1000 * 1000 + static_cast<std::int64_t>(i) * 1000);
  }
  EXPECT_THROW(
      device::select(work, device::counting<>{0}, -1, output.data(), number.data(), is_multiple{}),
      heddle::error);
}

}  // namespace
