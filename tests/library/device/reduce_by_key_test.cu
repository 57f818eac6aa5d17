// device::reduce_by_key against a plain loop over neighbours.
#include <heddle/device/reduce_by_key.cuh>

#include "device/guards.cuh"
#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::workspace;
namespace device = heddle::device;

constexpr std::int64_t tile = 11'776;  // for keys and values of four bytes

// Keys that change after runs of the given mean length; runs that are not adjacent may have equal
// keys.
template <typename Key>
std::vector<Key> random_keys(std::int64_t count, std::uint64_t mean, std::uint64_t stream = 0) {
  std::vector<Key> keys(static_cast<std::size_t>(count));
  int key = 3;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (sample_bits(seed() + mean + stream, i) % mean == 0) key = (key + 1) % 5;
    keys[i] = static_cast<Key>(key);
  }
  return keys;
}

template <typename T>
std::vector<T> samples(std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = sample_bits(seed(), i);
    if constexpr (std::is_same_v<T, affine>) {
      values[i] = {static_cast<std::uint32_t>(bits) | 1, static_cast<std::uint32_t>(bits >> 32)};
    } else if constexpr (std::is_integral_v<T>) {
      values[i] = static_cast<T>(bits);
    } else {
      values[i] = static_cast<T>(static_cast<float>(static_cast<int>(bits % 201) - 100));
    }
  }
  return values;
}

template <typename Key, typename T>
struct runs {
  std::vector<Key> keys;
  std::vector<T> sums;
};

template <typename Sum, typename Key, typename T, typename Op, typename Equal>
runs<Key, Sum> runs_of(const std::vector<Key>& keys, const std::vector<T>& values, Op op,
                       Equal equal) {
  runs<Key, Sum> all;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto value = static_cast<Sum>(values[i]);
    if (i == 0 || !equal(keys[i - 1], keys[i])) {
      all.keys.push_back(keys[i]);
      all.sums.push_back(value);
    } else {
      all.sums.back() = op(all.sums.back(), value);
    }
  }
  return all;
}

template <typename Key, typename T, typename Op, typename Equal = device::equal_to>
void expect_reduced(workspace& work, const std::vector<Key>& keys, Op op, const std::string& what,
                    Equal equal = {}) {
  using sum = heddle::carried<T, Op>;
  const auto count = static_cast<std::int64_t>(keys.size());
  const auto values = samples<T>(count);
  const auto expected = runs_of<sum>(keys, values, op, equal);
  const device_array<Key> marks(keys);
  const device_array<T> input(values);
  const guarded_array<Key> unique(expected.keys.size());
  const guarded_array<sum> sums(expected.sums.size());
  const guarded_array<std::int64_t> number(1);
  device::reduce_by_key(work, marks.data(), input.data(), count, unique.data(), sums.data(),
                        number.data(), op, equal);
  EXPECT_EQ(number.values()[0], static_cast<std::int64_t>(expected.keys.size())) << what;
  EXPECT_EQ(first_difference(unique.values(), expected.keys), -1) << what;
  EXPECT_EQ(first_difference(sums.values(), expected.sums), -1) << what;
}

TEST(reduce_by_key, adds_the_values_of_runs) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{33}, std::int64_t{511},
        std::int64_t{512}, std::int64_t{513}, tile - 1, tile, tile + 1, 2 * tile, 7 * tile + 13}) {
    for (const std::uint64_t mean : {1, 2, 9, 130, 3000, 1'000'000'000}) {
      expect_reduced<int, int>(
          work, random_keys<int>(count, mean), heddle::plus{},
          std::to_string(count) + " elements, runs of " + std::to_string(mean));
    }
  }
}

TEST(reduce_by_key, keeps_order_within_runs) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::uint64_t mean : {2, 40, 700, 9000}) {
    expect_reduced<std::int64_t, affine>(work, random_keys<std::int64_t>(23456, mean), then{},
                                         "runs of " + std::to_string(mean));
  }
}

TEST(reduce_by_key, ends_runs_at_every_place_of_a_tile) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t edge : {std::int64_t{127}, std::int64_t{511}, tile - 1, 2 * tile - 1}) {
    for (std::int64_t end = edge - 1; end <= edge + 2; ++end) {
      std::vector<int> keys(static_cast<std::size_t>(3 * tile), 1);
      for (std::int64_t i = end; i < 3 * tile; ++i) keys[static_cast<std::size_t>(i)] = 2;
      expect_reduced<int, int>(work, keys, heddle::plus{}, "a run ends at " + std::to_string(end));
    }
  }
}

struct near {
  __host__ __device__ bool operator()(std::uint8_t a, std::uint8_t b) const {
    return a / 2 == b / 2;
  }
};

TEST(reduce_by_key, takes_a_custom_predicate_and_other_sizes) {
  HEDDLE_NAME_SEED();
  workspace work;
  expect_reduced<std::uint8_t, double>(work, random_keys<std::uint8_t>(30001, 3), heddle::maximum{},
                                       "near keys", near{});
  expect_reduced<std::int64_t, __half>(work, random_keys<std::int64_t>(9000, 30), heddle::plus{},
                                       "half in float");
}

TEST(reduce_by_key, reads_unaligned_arrays_and_gives_the_same_bits_on_every_run) {
  HEDDLE_NAME_SEED();
  workspace work;
  const std::int64_t count = 5 * tile - 7;
  const auto keys = random_keys<int>(count + 1, 300);
  std::vector<float> values(static_cast<std::size_t>(count) + 3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = sample<float>(seed(), i);
  const device_array<int> marks(keys);
  const device_array<float> input(values);
  const auto own = std::vector<int>(keys.begin() + 1, keys.end());
  const auto expected = runs_of<double>(own, std::vector<float>(values.begin() + 3, values.end()),
                                        heddle::plus{}, device::equal_to{});
  std::vector<float> before;
  for (int run = 0; run < 4; ++run) {
    const guarded_array<int> unique(expected.keys.size());
    const guarded_array<float> sums(expected.keys.size());
    const guarded_array<int> number(1);
    device::reduce_by_key(work, marks.data() + 1, input.data() + 3, count, unique.data(),
                          sums.data(), number.data());
    ASSERT_EQ(number.values()[0], static_cast<int>(expected.keys.size()));
    EXPECT_EQ(first_difference(unique.values(), expected.keys), -1);
    const auto results = sums.values();
    for (std::size_t i = 0; i < results.size(); ++i) {
      ASSERT_NEAR(results[i], expected.sums[i], 1e-3) << i;
    }
    if (run > 0) {
      EXPECT_EQ(first_difference(results, before), -1) << "run " << run;
    }
    before = results;
  }
}

struct small_blocks : device::run_tuning {
  static constexpr int threads = 2 * heddle::warp_size;
};

// Values that are rounded at every step. Settings with the same tiles give the same bits, whatever
// the number of blocks; runs extend over many tiles.
TEST(reduce_by_key, gives_the_same_bits_for_runs_of_many_tiles) {
  HEDDLE_NAME_SEED();
  workspace work;
  const std::int64_t count = 1000 * tile / 4;
  for (const std::uint64_t mean : {200, 20'000, 1'000'000'000}) {
    const auto keys = random_keys<int>(count, mean);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = sample<float>(seed(), i);
    const auto expected = runs_of<double>(keys, values, heddle::plus{}, device::equal_to{});
    const device_array<int> marks(keys);
    const device_array<float> input(values);
    std::vector<float> before;
    for (int run = 0; run < 3; ++run) {
      const guarded_array<int> unique(expected.keys.size());
      const guarded_array<float> sums(expected.keys.size());
      const guarded_array<int> number(1);
      device::reduce_by_key<small_blocks>(work, marks.data(), input.data(), count, unique.data(),
                                          sums.data(), number.data());
      ASSERT_EQ(number.values()[0], static_cast<int>(expected.keys.size()));
      const auto results = sums.values();
      for (std::size_t i = 0; i < results.size(); ++i) {
        ASSERT_NEAR(results[i], expected.sums[i], 0.5) << i;
      }
      if (run > 0) {
        EXPECT_EQ(first_difference(results, before), -1) << "run " << run;
      }
      before = results;
    }
  }
}

TEST(reduce_by_key, can_be_captured_and_replayed_with_other_contents) {
  HEDDLE_NAME_SEED();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "stream");
  {
    workspace work(stream);
    constexpr std::int64_t count = 2 * tile + 99;
    const auto values = samples<int>(count);
    const device_array<int> keys(count), unique(count), sums(count), input(values);
    const device_array<int> number(1);
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    device::reduce_by_key(work, keys.data(), input.data(), count, unique.data(), sums.data(),
                          number.data());
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "capture");
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
    for (std::uint64_t replay = 0; replay < 4; ++replay) {
      const auto marks = random_keys<int>(count, 1 + 50 * replay, replay);
      check(cudaMemcpy(keys.data(), marks.data(), count * sizeof(int), cudaMemcpyHostToDevice),
            "copy");
      check(cudaGraphLaunch(ready, stream), "replay");
      check(cudaStreamSynchronize(stream), "replay");
      const auto expected = runs_of<int>(marks, values, heddle::plus{}, device::equal_to{});
      auto results = sums.values();
      ASSERT_EQ(number.values()[0], static_cast<int>(expected.sums.size()));
      results.resize(expected.sums.size());
      EXPECT_EQ(first_difference(results, expected.sums), -1) << "replay " << replay;
    }
    check(cudaGraphExecDestroy(ready), "destroy");
    check(cudaGraphDestroy(graph), "destroy");
  }
  check(cudaStreamDestroy(stream), "stream");
}

TEST(reduce_by_key, refuses_negative_counts) {
  workspace work;
  const device_array<int> any(1);
  EXPECT_THROW(
      device::reduce_by_key(work, any.data(), any.data(), -1, any.data(), any.data(), any.data()),
      heddle::error);
}

}  // namespace
