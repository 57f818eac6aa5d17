// device::reproducible_sum against sums in long integers, rounded bit by bit.
#include <heddle/device/reproducible_sum.cuh>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "device/result.cuh"
#include "support/long_integer.hpp"

namespace {
using namespace heddle_test;
namespace device = heddle::device;
using device::workspace;

struct small_exact_grid : device::reproducible_tuning {
  static constexpr int threads = 128;
  static constexpr int in_flight = 2;
};

// Few warps, so that each has many rounds.
struct one_exact_block : small_exact_grid {
  static constexpr int most_blocks = 1;
};

template <typename Tuning = small_exact_grid, typename T>
T sum_of(const std::vector<T>& values, std::size_t start = 0) {
  workspace workspace;
  const device_array<T> on_device(values);
  return result_of<T>([&](T* result) {
    device::reproducible_sum<Tuning>(workspace, on_device.data() + start,
                                     static_cast<std::int64_t>(values.size() - start), result);
  });
}

template <typename T>
bool have_same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// A finite number with any bits, or with an exponent near the middle.
template <typename T>
T number_of_bits(std::uint64_t bits) {
  T number;
  std::memcpy(&number, &bits, sizeof(T));
  return std::isfinite(number) ? number : T{1};
}

template <typename T>
std::vector<T> numbers_of_all_magnitudes(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = number_of_bits<T>(sample_bits(seed(), i));
  return values;
}
template <typename T>
std::vector<T> ordinary_numbers(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<std::int64_t>(sample_bits(seed(), i));
    values[i] = static_cast<T>(static_cast<double>(bits) * 0x1p-63);
  }
  return values;
}

template <typename T>
void expect_exact_sums_of_any_count() {
  const auto values = ordinary_numbers<T>(9003);
  for (const std::int64_t count : counts_of_interest(seed(), 9000)) {
    const auto start = static_cast<std::size_t>(count % 4);
    const std::vector<T> some(values.begin(), values.begin() + count + start);
    ASSERT_TRUE(have_same_bits(sum_of(some, start), expected_sum(some, start)))
        << count << " from " << start << " on";
  }
}

TEST(device_reproducible_sum, is_the_exact_sum_rounded_once) {
  HEDDLE_NAME_SEED();
  expect_exact_sums_of_any_count<float>();
  expect_exact_sums_of_any_count<double>();
  const auto many = ordinary_numbers<float>(150'000);
  EXPECT_TRUE(have_same_bits(sum_of<device::reproducible_tuning>(many), expected_sum(many)));
}

template <typename T>
void expect_exact_sums_of_all_magnitudes() {
  for (const std::size_t count : {1u, 2u, 33u, 1000u, 5000u}) {
    auto values = numbers_of_all_magnitudes<T>(count);
    EXPECT_TRUE(have_same_bits(sum_of(values), expected_sum(values))) << count;
    // All but the smallest values cancel.
    for (std::size_t i = 1; i < count; i += 2) values[i] = -values[i - 1];
    EXPECT_TRUE(have_same_bits(sum_of(values), expected_sum(values))) << count << " cancelling";
  }
}

TEST(device_reproducible_sum, is_exact_for_numbers_of_all_magnitudes) {
  HEDDLE_NAME_SEED();
  expect_exact_sums_of_all_magnitudes<float>();
  expect_exact_sums_of_all_magnitudes<double>();
}

// Magnitudes that fall, rise and jump, so that the window moves both ways.
void expect_exact_in_every_grid(const std::vector<float>& values, const char* what) {
  const float expected = expected_sum(values);
  EXPECT_TRUE(have_same_bits(sum_of(values), expected)) << what;
  EXPECT_TRUE(have_same_bits(sum_of<one_exact_block>(values), expected)) << what << ", one block";
}

TEST(device_reproducible_sum, is_exact_when_magnitudes_drift) {
  HEDDLE_NAME_SEED();
  auto values = ordinary_numbers<float>(60'000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::ldexp(values[i], 100 - static_cast<int>(i / 300));
  }
  expect_exact_in_every_grid(values, "falling");
  std::reverse(values.begin(), values.end());
  expect_exact_in_every_grid(values, "rising");
  for (auto& value : values) value = std::abs(value);
  expect_exact_in_every_grid(values, "rising and positive");
}

// As many values as fit before an accumulator is emptied, all as large as the window allows.
TEST(device_reproducible_sum, does_not_overflow_internally) {
  HEDDLE_NAME_SEED();
  std::vector<float> values(300'000, 0x1.fffffep30f);
  for (std::size_t i = 0; i < values.size(); i += 97) values[i] = 0x1.000002p0f;
  expect_exact_in_every_grid(values, "positive");
  for (auto& value : values) value = -value;
  expect_exact_in_every_grid(values, "negative");
  std::vector<double> wide(60'000, 0x1.fffffffffffffp30);
  for (std::size_t i = 0; i < wide.size(); i += 97) wide[i] = -0x1.0000000000001p0;
  EXPECT_TRUE(have_same_bits(sum_of<one_exact_block>(wide), expected_sum(wide)));
}

TEST(device_reproducible_sum, has_the_same_bits_in_every_order_and_grid) {
  HEDDLE_NAME_SEED();
  auto values = ordinary_numbers<float>(10'000);
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] *= 1e20f;
  const float expected = expected_sum(values);
  std::mt19937_64 random(seed());
  for (int i = 0; i < 5; ++i) {
    std::shuffle(values.begin(), values.end(), random);
    EXPECT_TRUE(have_same_bits(sum_of(values), expected));
    EXPECT_TRUE(have_same_bits(sum_of<device::reproducible_tuning>(values), expected));
  }
}

TEST(device_reproducible_sum, rounds_ties_to_even) {
  EXPECT_EQ(sum_of<>(std::vector<float>{0x1p24f, 1.0f}), 0x1p24f);
  EXPECT_EQ(sum_of<>(std::vector<float>{0x1p24f + 2, 1.0f}), 0x1p24f + 4);
  EXPECT_EQ(sum_of<>(std::vector<float>{0x1p24f, 1.0f, 0x1p-149f}), 0x1p24f + 2);
  EXPECT_EQ(sum_of<>(std::vector<float>{0x1p24f, 1.0f, -0x1p-149f}), 0x1p24f);
  EXPECT_EQ(sum_of<>(std::vector<double>{0x1p53, 1.0, 0x1p-1074}), 0x1p53 + 2);
  EXPECT_EQ(sum_of<>(std::vector<double>{-0x1p53, -1.0}), -0x1p53);
}

TEST(device_reproducible_sum, overflows_only_if_the_sum_does) {
  constexpr float largest = std::numeric_limits<float>::max();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(sum_of<>(std::vector<float>{largest, largest, -largest}), largest);
  EXPECT_EQ(sum_of<>(std::vector<float>{largest, largest}), infinity);
  EXPECT_EQ(sum_of<>(std::vector<float>{-largest, -largest}), -infinity);
  EXPECT_EQ(sum_of<>(std::vector<float>{largest, 0x1p103f}), infinity);
  EXPECT_EQ(sum_of<>(std::vector<float>{largest, 0x1p102f}), largest);
  constexpr double largest_double = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of<>(std::vector<double>{largest_double, largest_double, -largest_double}),
            largest_double);
}

TEST(device_reproducible_sum, keeps_subnormal_numbers) {
  EXPECT_EQ(sum_of<>(std::vector<float>{0x1p-149f, 0x1p-149f}), 0x1p-148f);
  EXPECT_EQ(sum_of<>(std::vector<float>(5000, 0x1p-149f)), 5000 * 0x1p-149f);
  EXPECT_EQ(sum_of<>(std::vector<float>{0x1p-126f, -0x1p-149f}), 0x1p-126f - 0x1p-149f);
  EXPECT_EQ(sum_of<>(std::vector<double>(777, -0x1p-1074)), -777 * 0x1p-1074);
}

TEST(device_reproducible_sum, is_plus_zero_for_zeros_and_for_empty_input) {
  EXPECT_TRUE(have_same_bits(sum_of<>(std::vector<float>{}), 0.0f));
  EXPECT_TRUE(have_same_bits(sum_of<>(std::vector<float>(5000, -0.0f)), 0.0f));
  EXPECT_TRUE(have_same_bits(sum_of<>(std::vector<double>(5000, -0.0)), 0.0));
  EXPECT_TRUE(have_same_bits(sum_of<>(std::vector<float>{3.5f, -3.5f}), 0.0f));
}

TEST(device_reproducible_sum, propagates_infinities_and_nan) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const std::size_t place : {std::size_t{0}, std::size_t{1234}, std::size_t{4999}}) {
    std::vector<float> values(5000, -1.0f);
    values[place] = infinity;
    EXPECT_EQ(sum_of(values), infinity);
    values[(place + 2000) % 5000] = -infinity;
    EXPECT_TRUE(std::isnan(sum_of(values)));
    values[place] = 1;
    EXPECT_EQ(sum_of(values), -infinity);
    values[place] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(sum_of(values)));
  }
}

TEST(device_reproducible_sum, adds_half_in_float) {
  HEDDLE_NAME_SEED();
  workspace workspace;
  std::vector<__half> values(5001);
  std::vector<float> same(5001);
  for (std::size_t i = 0; i < 5001; ++i) {
    values[i] = sample<__half>(seed(), i);
    same[i] = static_cast<float>(values[i]);
  }
  const device_array<__half> on_device(values);
  const auto sum = result_of<float>([&](float* result) {
    device::reproducible_sum<small_exact_grid>(workspace, on_device.data() + 1, 5000, result);
  });
  EXPECT_TRUE(have_same_bits(sum, expected_sum(same, 1)));
}

}  // namespace
