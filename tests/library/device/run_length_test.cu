// device::run_length against a plain loop over neighbours.
#include <heddle/device/run_length.cuh>

#include "device/guards.cuh"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::workspace;
namespace device = heddle::device;

TEST(run_length, counts_the_elements_of_runs) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count : {0, 1, 511, 512, 513, 5119, 5120, 5121, 10240, 50000}) {
    for (const std::uint64_t mean : {1, 4, 200, 100000}) {
      std::vector<std::uint16_t> keys(static_cast<std::size_t>(count));
      std::vector<std::uint16_t> unique_keys;
      std::vector<std::int64_t> expected;
      std::uint16_t key = 7;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (sample_bits(seed() + mean, i) % mean == 0) ++key;
        keys[i] = key;
        if (i == 0 || keys[i - 1] != key) {
          unique_keys.push_back(key);
          expected.push_back(0);
        }
        ++expected.back();
      }
      const device_array<std::uint16_t> input(keys);
      const guarded_array<std::uint16_t> unique(unique_keys.size());
      const guarded_array<std::int64_t> lengths(expected.size());
      const guarded_array<int> number(1);
      device::run_length(work, input.data(), count, unique.data(), lengths.data(), number.data());
      EXPECT_EQ(number.values()[0], static_cast<int>(expected.size()));
      EXPECT_EQ(first_difference(unique.values(), unique_keys), -1) << count << " of " << mean;
      EXPECT_EQ(first_difference(lengths.values(), expected), -1) << count << " of " << mean;
    }
  }
}

struct small_blocks : device::run_length_tuning {
  static constexpr int threads = 2 * heddle::warp_size;
  static constexpr int lane_bytes = 128;
};

// Runs that end at every place of a tile or extend over many, and blocks with many tiles each.
TEST(run_length, works_through_more_tiles_than_blocks) {
  HEDDLE_NAME_SEED();
  workspace work;
  std::vector<int> keys;
  std::vector<int> expected;
  for (std::uint64_t run = 0; keys.size() < 3'000'000; ++run) {
    const std::uint64_t bits = sample_bits(seed(), run);
    expected.push_back(static_cast<int>(1 + bits % (bits >> 60 == 0 ? 200'000 : 1500)));
    keys.insert(keys.end(), static_cast<std::size_t>(expected.back()), static_cast<int>(run % 3));
  }
  const device_array<int> input(keys);
  const guarded_array<int> unique(expected.size()), lengths(expected.size()), number(1);
  device::run_length<small_blocks>(work, static_cast<const int*>(input.data()),
                                   static_cast<std::int64_t>(keys.size()), unique.data(),
                                   lengths.data(), number.data());
  EXPECT_EQ(number.values()[0], static_cast<int>(expected.size()));
  EXPECT_EQ(first_difference(lengths.values(), expected), -1);
  const auto found = unique.values();
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], static_cast<int>(i % 3)) << i;
}

struct thousandth {
  __host__ __device__ std::int64_t operator()(std::int64_t i) const { return i / 1000; }
};

TEST(run_length, reads_iterators) {
  workspace work;
  const device::transformed<device::counting<>, thousandth> keys{{std::int64_t{9} << 32}, {}};
  const guarded_array<std::int64_t> unique(21);
  const guarded_array<int> lengths(21), number(1);
  device::run_length(work, keys, 20000, unique.data(), lengths.data(), number.data());
  const int found = number.values()[0];
  const auto results = lengths.values(static_cast<std::size_t>(found));
  EXPECT_EQ(found, 21);
  int sum = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i > 0 && i + 1 < results.size()) {
      EXPECT_EQ(results[i], 1000);
    }
    sum += results[i];
  }
  EXPECT_EQ(sum, 20000);
}

}  // namespace
