// Compensated sums against exact ones, for values that cancel, next to the plain sum.
#include <heddle/warp/compensated_sum.cuh>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "support/exact_sum.hpp"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace warp = heddle::warp;
using heddle::lane_id;

template <typename T>
constexpr double half_epsilon = std::numeric_limits<T>::epsilon() / 2.0;

// The distance between neighbouring numbers of T at `value`.
template <typename T>
double unit_in_last_place(double value) {
  const int exponent =
      std::max(std::ilogb(value) + 1 - std::numeric_limits<T>::digits,
               std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits);
  return std::ldexp(1.0, exponent);
}

// A number in [-1, 1) that needs all bits of a double.
double long_sample(std::uint64_t index) {
  return static_cast<double>(static_cast<std::int64_t>(sample_bits(seed(), index))) * 0x1p-63;
}

// 32 values whose condition number Σ|x| / |Σx| is between half of `condition` and `condition`. The
// first half is spread over that many powers of two; the second half cancels the exact sum step by
// step down to the wanted size. Different sets are ordered in three different ways.
template <typename T>
std::vector<T> values_that_cancel(double condition, std::uint64_t set) {
  std::vector<T> values;
  exact_sum sum;
  double absolutes = 0;
  const double powers = std::log2(condition);
  for (int i = 0; i < 32; ++i) {
    const double left = i < 16 ? 1 : (31 - i) / 16.0;  // share of the powers
    const double exponent = i == 0 ? powers : powers * left * std::abs(long_sample(64 * set + i));
    double wanted = long_sample(64 * set + 32 + i) * std::exp2(exponent);
    if (i == 31) wanted = absolutes / condition * (1.1 + std::abs(long_sample(64 * set)));
    const T value = static_cast<T>(i < 16 ? wanted : wanted - sum.rounded());
    values.push_back(value);
    sum.add(value);
    absolutes += std::abs(static_cast<double>(value));
  }
  if (set % 3 == 0) return values;
  if (set % 3 == 1) {
    // Neighbours cancel last: the large values of one sign are in one half of the warp.
    std::sort(values.begin(), values.end());
    return values;
  }
  for (int i = 31; i > 0; --i) {
    std::swap(values[i], values[sample_bits(seed(), 64 * set + i + 7) % (i + 1)]);
  }
  return values;
}

template <typename T>
struct sums {
  T plain, compensated, of_pairs, merged, of_eight;
};

// Each warp adds its 32 values; `of_pairs` starts from 16 lanes that have two values each.
template <typename T>
struct add_sets {
  const T* values;
  __device__ sums<T> operator()() const {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const T mine = values[thread];
    heddle::compensated<T> two;
    if (lane_id() % 2 == 0) {
      two.add(mine);
      two.add(values[thread + 1]);
    }
    return {warp::reduce(mine), warp::compensated_sum(mine), warp::compensated_sum(two),
            warp::reduce(heddle::compensated<T>{mine, 0}).value(), warp::compensated_sum<8>(mine)};
  }
};

struct worst {
  double condition = 0, plain = 0, compensated = 0;  // errors in units in the last place
};

// Checks `sets` sums with about this condition number; returns the largest errors.
template <typename T>
worst expect_small_errors(double condition, int sets, double condition_up_to_one_unit) {
  std::vector<T> values;
  for (int set = 0; set < sets; ++set) {
    const auto some = values_that_cancel<T>(condition, set);
    values.insert(values.end(), some.begin(), some.end());
  }
  const device_array<T> copy(values);
  const auto answers = answers_of(add_sets<T>{copy.data()}, 32, sets);
  worst seen;
  for (int set = 0; set < sets; ++set) {
    exact_sum exact;
    double absolutes = 0;
    for (int i = 0; i < 32; ++i) {
      exact.add(values[32 * set + i]);
      absolutes += std::abs(static_cast<double>(values[32 * set + i]));
    }
    if (exact.rounded() == 0) continue;
    const auto error_of = [&](T sum) { return exact.distance_to(static_cast<double>(sum)); };
    const double unit = unit_in_last_place<T>(exact.rounded());
    const double reached = absolutes / std::abs(exact.rounded());
    const double beyond = 32 * half_epsilon<T> * half_epsilon<T> * absolutes;
    const double allowed = reached <= condition_up_to_one_unit ? unit : unit + beyond;
    for (int lane = 0; lane < 32; ++lane) {
      const sums<T>& answer = answers[32 * set + lane];
      EXPECT_LE(error_of(answer.compensated), allowed) << "set " << set << ", lane " << lane;
      EXPECT_LE(error_of(answer.of_pairs), allowed) << "set " << set << ", lane " << lane;
      EXPECT_LE(error_of(answer.merged), unit + beyond) << "set " << set << ", lane " << lane;
      EXPECT_EQ(answer.compensated, answers[32 * set].compensated) << "lane " << lane;
    }
    seen.condition = std::max(seen.condition, reached);
    seen.plain = std::max(seen.plain, error_of(answers[32 * set].plain) / unit);
    seen.compensated = std::max(seen.compensated, error_of(answers[32 * set].compensated) / unit);
  }
  return seen;
}

void print(const worst& seen) {
  std::printf("  condition %.1e: error of the plain sum %8.1e units, compensated %.3g\n",
              seen.condition, seen.plain, seen.compensated);
}

TEST(warp_compensated_sum, sums_floats_within_one_ulp_up_to_condition_1e6) {
  HEDDLE_NAME_SEED();
  for (const double condition : {1e1, 1e3, 1e5, 1e6, 1e8, 1e12, 1e16}) {
    print(expect_small_errors<float>(condition, 300, 1e6));
  }
}

TEST(warp_compensated_sum, sums_doubles_within_one_ulp_up_to_condition_1e14) {
  HEDDLE_NAME_SEED();
  for (const double condition : {1e1, 1e4, 1e8, 1e12, 1e14, 1e17, 1e25, 1e32}) {
    print(expect_small_errors<double>(condition, 300, 1e14));
  }
}

// The sets do reach their condition numbers, and the plain sum fails there.
TEST(warp_compensated_sum, is_tested_where_the_plain_sum_fails) {
  HEDDLE_NAME_SEED();
  const worst of_floats = expect_small_errors<float>(1e6, 100, 1e6);
  EXPECT_GT(of_floats.condition, 5e5);
  EXPECT_GT(of_floats.plain, 1000);
  const worst of_doubles = expect_small_errors<double>(1e14, 100, 1e14);
  EXPECT_GT(of_doubles.condition, 5e13);
  EXPECT_GT(of_doubles.plain, 1000);
}

template <typename T>
sums<T> sums_of_lanes(const std::vector<T>& values) {
  const device_array<T> copy(values);
  return answers_of(add_sets<T>{copy.data()}, 32)[31];
}

TEST(warp_compensated_sum, keeps_small_values_that_large_ones_hide) {
  std::vector<double> values(32, 1.0);
  values[3] = 1e100;
  values[29] = -1e100;
  EXPECT_EQ(sums_of_lanes(values).compensated, 30.0);
  EXPECT_EQ(sums_of_lanes(values).of_pairs, 30.0);
  EXPECT_NE(sums_of_lanes(values).plain, 30.0);
  values[3] = 0x1p60;
  values[29] = -0x1p60 + 0x1p10;
  EXPECT_EQ(sums_of_lanes(values).compensated, 1024.0 + 30.0);
  std::vector<float> floats(32, 1.0f);
  floats[3] = 0x1p40f;
  floats[29] = -0x1p40f;
  EXPECT_EQ(sums_of_lanes(floats).compensated, 30.0f);
  EXPECT_EQ(sums_of_lanes(floats).of_pairs, 30.0f);
}

TEST(warp_compensated_sum, adds_within_tiles) {
  std::vector<double> values(32, 1.0);
  values[24] = 1e30;
  values[25] = -1e30;
  values[23] = 1e30;
  EXPECT_EQ(sums_of_lanes(values).of_eight, 6.0);
}

TEST(warp_compensated_sum, matches_plain_addition_for_infinities_and_nan) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values(32, 1.0);
  values[5] = infinity;
  EXPECT_EQ(sums_of_lanes(values).compensated, infinity);
  EXPECT_EQ(sums_of_lanes(values).of_pairs, infinity);
  std::vector<float> floats(values.begin(), values.end());
  EXPECT_EQ(sums_of_lanes(floats).compensated, infinity);
  EXPECT_EQ(sums_of_lanes(floats).of_pairs, infinity);
  values[6] = -infinity;
  EXPECT_TRUE(std::isnan(sums_of_lanes(values).compensated));
}

// The tiles of four lanes in `chosen` add in one branch, the others in another.
struct add_in_branches {
  heddle::lane_mask chosen;
  __device__ double in_own_branch() const {
    const double mine = lane_id() % 4 == 1 ? 1e40 : lane_id() % 4 == 2 ? -1e40 : lane_id();
    if (heddle::contains(chosen, lane_id())) return warp::compensated_sum<4>(mine, chosen);
    double answer = 0;
    for (int call = 0; call < 2; ++call) {
      answer = -warp::compensated_sum<4>(heddle::compensated<double>{mine, 0}, ~chosen);
    }
    return answer;
  }
  // All lanes synchronise afterwards, so a branch that waits for the other one would hang: the
  // other one calls twice.
  __device__ double operator()() const {
    const double answer = in_own_branch();
    __syncwarp();
    return answer;
  }
};

TEST(warp_compensated_sum, serves_callers_in_different_branches) {
  HEDDLE_NAME_SEED();
  for (int round = 0; round < 8; ++round) {
    heddle::lane_mask chosen = 0;
    for (int tile = 0; tile < 8; ++tile) {
      if (sample_bits(seed(), round) >> tile & 1) chosen |= 0xfu << 4 * tile;
    }
    const auto answers = answers_of(add_in_branches{chosen}, 64);
    for (int thread = 0; thread < 64; ++thread) {
      const int lane = thread % 32, sum = 2 * (lane / 4 * 4) + 3;
      EXPECT_EQ(answers[thread], chosen >> lane & 1 ? sum : -sum) << thread;
    }
  }
}

}  // namespace
