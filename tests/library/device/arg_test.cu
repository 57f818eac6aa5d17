// device::arg_max and arg_min against plain loops, with ties, zeros of both signs and NaN.
#include <heddle/device/arg.cuh>
#include <heddle/device/iterators.cuh>

#include <limits>

#include "device/result.cuh"

namespace {
using namespace heddle_test;
namespace device = heddle::device;
using device::workspace;

template <typename T>
using place = device::indexed<T, std::int64_t>;

// As the contract says: the first element that no other element beats.
template <typename T>
std::int64_t place_of_largest(const std::vector<T>& values, std::int64_t start, std::int64_t count,
                              bool is_smallest) {
  std::int64_t best = -1;
  for (std::int64_t i = 0; i < count; ++i) {
    const T value = values[start + i];
    if (best < 0) {
      best = i;
    } else if (const T old = values[start + best]; old != old) {
      if (value == value) best = i;
    } else if (is_smallest ? value < old : value > old) {
      best = i;
    }
  }
  return best;
}

template <typename Tuning, typename T>
void expect_extremes(const std::vector<T>& values, std::int64_t start, std::int64_t count) {
  workspace workspace;
  const device_array<T> on_device(values);
  const T* const input = on_device.data() + start;
  for (const bool is_smallest : {false, true}) {
    const auto found = result_of<place<T>>([&](place<T>* result) {
      if (is_smallest) {
        device::arg_min<Tuning>(workspace, input, count, result);
      } else {
        device::arg_max<Tuning>(workspace, input, count, result);
      }
    });
    const std::int64_t expected = place_of_largest(values, start, count, is_smallest);
    ASSERT_EQ(found.index, expected) << count << " from " << start << " on";
    if (count == 0) continue;
    const T there = values[start + expected];
    ASSERT_TRUE(there != there ? found.value != found.value : found.value == there);
  }
}

TEST(device_arg, finds_the_first_of_equals_at_every_edge) {
  HEDDLE_NAME_SEED();
  std::vector<float> few_values(20'003);
  for (std::size_t i = 0; i < few_values.size(); ++i) {
    few_values[i] = static_cast<float>(sample_bits(seed(), i) % 100) - 50;
  }
  for (const std::int64_t count : counts_of_interest(seed(), 20'000)) {
    expect_extremes<small_grid>(few_values, count % 4, count);
  }
  expect_extremes<device::fold_tuning>(few_values, 1, 20'002);
  std::vector<float> no_values(9000, 2.5f);
  expect_extremes<small_grid>(no_values, 3, 8997);
}

// Ranges of 2^31 elements or more use these indices.
TEST(device_arg, finds_the_same_with_long_indices) {
  HEDDLE_NAME_SEED();
  workspace workspace;
  std::vector<float> values(20'003);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(sample_bits(seed(), i) % 1000);
  }
  const device_array<float> on_device(values);
  const float* const input = on_device.data() + 3;
  using fold = device::detail::extreme_fold<device::detail::extreme::largest, float, std::uint64_t>;
  for (const std::int64_t count : {0, 5, 20'000}) {
    const auto found = result_of<place<float>>([&](place<float>* result) {
      device::detail::fold_range<small_grid>(workspace, input, count, fold{}, result);
    });
    EXPECT_EQ(found.index, place_of_largest(values, 3, count, false));
  }
}

TEST(device_arg, ignores_nan_and_treats_zeros_as_equal) {
  HEDDLE_NAME_SEED();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float kinds[]{nan, 0.0f, -0.0f, infinity, -infinity};
  for (int first = 0; first < 5; ++first) {
    for (int second = 0; second < 5; ++second) {
      for (const int place : {1, 2, 5, 700, 2999}) {
        std::vector<float> values(3000, kinds[first]);
        values[place] = kinds[second];
        expect_extremes<small_grid>(values, 1, 2999);
      }
    }
  }
}

TEST(device_arg, takes_integers_and_doubles_with_all_their_bits) {
  HEDDLE_NAME_SEED();
  std::vector<std::int64_t> integers(5001);
  std::vector<double> doubles(5001);
  std::vector<std::uint8_t> bytes(5001);
  for (std::size_t i = 0; i < 5001; ++i) {
    // Equal except for the last bits.
    const std::uint64_t bits = sample_bits(seed(), i);
    integers[i] = (std::int64_t{1} << 60) + static_cast<std::int64_t>(bits % 1000);
    doubles[i] = 1 + 0x1p-50 * static_cast<double>(bits % 1000);
    bytes[i] = static_cast<std::uint8_t>(bits);
  }
  expect_extremes<small_grid>(integers, 1, 5000);
  expect_extremes<small_grid>(doubles, 1, 5000);
  expect_extremes<small_grid>(bytes, 5, 4990);
  std::vector<std::int64_t> lowest(600, std::numeric_limits<std::int64_t>::min());
  expect_extremes<small_grid>(lowest, 0, 600);
}

struct hill {
  __host__ __device__ std::int64_t operator()(std::int64_t i) const {
    return -(i - 12'345) * (i - 12'345);
  }
};

TEST(device_arg, reads_iterators) {
  workspace workspace;
  const device::transformed input{device::counting<std::int64_t>{0}, hill{}};
  const auto found = result_of<place<std::int64_t>>([&](place<std::int64_t>* result) {
    device::arg_max<small_grid>(workspace, input, 50'000, result);
  });
  EXPECT_EQ(found.index, 12'345);
  EXPECT_EQ(found.value, 0);
}

}  // namespace
