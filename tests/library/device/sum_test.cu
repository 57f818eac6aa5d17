// device::sum and compensated_sum against sums in double and exact ones.
#include <heddle/device/sum.cuh>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "device/result.cuh"

namespace {
using namespace heddle_test;
namespace device = heddle::device;
using device::workspace;

template <typename T>
std::vector<T> samples(std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) values[i] = sample<T>(seed(), i);
  return values;
}

TEST(device_sum, is_near_the_sum_in_double_at_every_edge) {
  HEDDLE_NAME_SEED();
  workspace workspace;
  const auto values = samples<float>(200'003);
  const device_array<float> on_device(values);
  for (const std::int64_t count : counts_of_interest(seed(), 200'000)) {
    const int start = static_cast<int>(count % 4);
    double expected = 0, magnitudes = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      expected += values[start + i];
      magnitudes += std::abs(values[start + i]);
    }
    const auto sum = result_of<float>(
        [&](float* result) { device::sum(workspace, on_device.data() + start, count, result); });
    ASSERT_NEAR(sum, expected, 40 * 0x1p-24 * magnitudes) << count << " from " << start << " on";
  }
}

TEST(device_sum, has_the_same_bits_on_every_run) {
  HEDDLE_NAME_SEED();
  workspace workspace, other;
  const auto numbers = samples<float>(100'001);
  const device_array<float> values(numbers);
  const auto once = [&](device::workspace& mine) {
    return result_of<float>(
        [&](float* result) { device::sum<small_grid>(mine, values.data(), 100'001, result); });
  };
  const float first = once(workspace);
  double expected = 0, magnitudes = 0;
  for (const float number : numbers) {
    expected += number;
    magnitudes += std::abs(number);
  }
  EXPECT_NEAR(first, expected, 40 * 0x1p-24 * magnitudes);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(once(i % 2 == 0 ? workspace : other), first);
}

template <typename T>
void expect_sums_in_float(int digits) {
  workspace workspace;
  const auto values = samples<T>(30'001);
  const device_array<T> on_device(values);
  double expected = 0;
  for (const T value : values) expected += static_cast<double>(static_cast<float>(value)) + 1;
  // Ones in between make the sum so large that additions in T would lose everything.
  std::vector<T> with_ones;
  for (const T value : values) {
    with_ones.push_back(value);
    with_ones.push_back(static_cast<T>(1.0f));
  }
  const device_array<T> all(with_ones);
  const auto count = static_cast<std::int64_t>(with_ones.size());
  const auto in_float = result_of<float>(
      [&](float* result) { device::sum<small_grid>(workspace, all.data(), count, result); });
  EXPECT_NEAR(in_float, expected, 1e-5 * expected);
  const auto rounded = result_of<T>(
      [&](T* result) { device::sum<small_grid>(workspace, all.data(), count, result); });
  EXPECT_EQ(static_cast<float>(rounded), static_cast<float>(static_cast<T>(in_float)));
  // Half a unit in the last of T's places.
  const double rounding = std::ldexp(0.5, std::ilogb(expected) + 1 - digits);
  EXPECT_NEAR(static_cast<float>(rounded), expected, rounding + 1e-5 * expected);
}

TEST(device_sum, adds_half_and_bfloat16_in_float) {
  HEDDLE_NAME_SEED();
  expect_sums_in_float<__half>(11);
  expect_sums_in_float<__nv_bfloat16>(8);
}

TEST(device_sum, matches_plain_addition_for_infinities_and_nan) {
  workspace workspace;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const int place : {0, 3, 777, 4095}) {
    std::vector<float> values(4096, 1.0f);
    values[place] = infinity;
    const auto sum_of = [&] {
      const device_array<float> on_device(values);
      return result_of<float>([&](float* result) {
        device::sum<small_grid>(workspace, on_device.data(), 4096, result);
      });
    };
    const auto compensated_sum_of = [&] {
      const device_array<float> on_device(values);
      return result_of<float>([&](float* result) {
        device::compensated_sum<small_grid>(workspace, on_device.data(), 4096, result);
      });
    };
    EXPECT_EQ(sum_of(), infinity);
    EXPECT_EQ(compensated_sum_of(), infinity);
    values[(place + 50) % 4096] = -infinity;
    EXPECT_TRUE(std::isnan(sum_of()));
    EXPECT_TRUE(std::isnan(compensated_sum_of()));
  }
}

// Large numbers that cancel and small ones that remain, shuffled so that every thread's share has
// both, from an unaligned start; integers, so that the sum is exact.
template <typename T>
void expect_compensation(T large) {
  workspace workspace;
  for (const std::int64_t count : {2, 64, 1000, 50'000}) {
    std::vector<T> values{1};
    T expected = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const T small = static_cast<T>(static_cast<int>(sample_bits(seed(), i) % 17) - 8);
      expected += small;
      values.push_back(i % 2 == 0 ? large : -large);
      values.push_back(small);
    }
    for (std::size_t i = values.size() - 1; i > 1; --i) {
      std::swap(values[i], values[1 + sample_bits(seed() + 1, i) % i]);
    }
    const device_array<T> on_device(values);
    const auto sum = result_of<T>([&](T* result) {
      device::compensated_sum<small_grid>(workspace, on_device.data() + 1, 2 * count, result);
    });
    EXPECT_EQ(sum, expected) << count;
  }
}

TEST(device_compensated_sum, keeps_what_rounding_would_lose) {
  HEDDLE_NAME_SEED();
  expect_compensation<float>(0x1p30f);
  expect_compensation<double>(0x1p60);
}

TEST(device_compensated_sum, is_zero_for_empty_input) {
  workspace workspace;
  EXPECT_EQ(result_of<double>([&](double* result) {
              device::compensated_sum(workspace, static_cast<const double*>(nullptr), 0, result);
            }),
            0.0);
}

}  // namespace
