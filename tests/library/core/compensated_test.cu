// compensated: what it keeps of long sums, and that merging loses nothing.
#include <heddle/core/compensated.cuh>

#include <cmath>
#include <limits>

#include "support/exact_sum.hpp"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::compensated;

template <typename T>
struct sums {
  T plain, compensated, merged, merged_the_other_way;
};

// Adds values[0 … count): one by one, and in two parts that are merged in both orders.
template <typename T>
struct add_up {
  const T* values;
  int count;
  __device__ sums<T> operator()() const {
    T plain = 0;
    compensated<T> whole, left, right;
    for (int i = 0; i < count; ++i) {
      plain += values[i];
      whole.add(values[i]);
      (i < count / 2 ? left : right).add(values[i]);
    }
    return {plain, whole.value(), (left + right).value(), heddle::plus{}(right, left).value()};
  }
};

template <typename T>
sums<T> sums_of(const std::vector<T>& values) {
  const device_array<T> copy(values);
  return answers_of(add_up<T>{copy.data(), static_cast<int>(values.size())}, 1)[0];
}

TEST(compensated, keeps_what_a_plain_sum_loses) {
  std::vector<float> floats{1.0f};
  floats.insert(floats.end(), 4096, 0x1p-25f);
  const auto of_floats = sums_of(floats);
  EXPECT_EQ(of_floats.plain, 1.0f);
  EXPECT_EQ(of_floats.compensated, 1.0f + 0x1p-13f);
  EXPECT_EQ(of_floats.merged, 1.0f + 0x1p-13f);

  const auto of_doubles = sums_of<double>({1.0, 1e100, 1.0, -1e100});
  EXPECT_EQ(of_doubles.plain, 0.0);
  EXPECT_EQ(of_doubles.compensated, 2.0);
  EXPECT_EQ(of_doubles.merged, 2.0);
}

TEST(compensated, merges_to_the_exact_sum_in_both_orders) {
  HEDDLE_NAME_SEED();
  for (int round = 0; round < 50; ++round) {
    std::vector<float> values;
    exact_sum exact;
    double magnitude = 0;
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t index = 100 * round + i;
      values.push_back(std::ldexp(sample<float>(seed(), index), static_cast<int>(index * 7 % 60)));
      exact.add(values.back());
      magnitude += std::abs(values.back());
    }
    const auto answer = sums_of(values);
    EXPECT_EQ(answer.merged, answer.merged_the_other_way) << "round " << round;
    // One rounding of the result, and the rounding of 20 errors.
    const double allowed = 0x1p-24 * std::abs(exact.rounded()) + 20 * 20 * 0x1p-48 * magnitude;
    EXPECT_LE(exact.distance_to(answer.merged), allowed) << "round " << round;
    EXPECT_LE(exact.distance_to(answer.compensated), allowed) << "round " << round;
  }
}

TEST(compensated, matches_plain_addition_for_infinities_and_nan) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(sums_of<float>({1, infinity, 2, 3}).compensated, infinity);
  EXPECT_EQ(sums_of<float>({1, 2, 3, -infinity}).merged, -infinity);
  EXPECT_EQ(sums_of<float>({3e38f, 3e38f, 1, 1}).merged, infinity);
  EXPECT_TRUE(std::isnan(sums_of<float>({infinity, 1, 2, -infinity}).merged));
  EXPECT_TRUE(std::isnan(sums_of<float>({1, 2, nan, 1}).compensated));
}

}  // namespace
