// cuRAND's distributions: exact conversions of bits, normal numbers against a more precise
// reference, and the moments and frequencies of all.
#include <curand_kernel.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace {

// A generator whose numbers are known in advance: copies of its state yield the same bits.
template <typename State>
State fresh(unsigned long long seed) {
  State state;
  curand_init(seed, 0, 0, &state);
  return state;
}

template <typename State>
class curand_distribution : public testing::Test {};
using pseudorandom_states =
    testing::Types<curandStateXORWOW_t, curandStateMRG32k3a_t, curandStatePhilox4_32_10_t>;
TYPED_TEST_SUITE(curand_distribution, pseudorandom_states);

TEST(curand_uniform, is_the_middle_of_the_interval_rounded_to_float) {
  auto state = fresh<curandStateXORWOW_t>(5);
  for (int i = 0; i < 100000; ++i) {
    auto bits = state;
    const auto exact =
        (static_cast<double>(static_cast<float>(curand(&bits))) + 0.5) / 4294967296.0;
    ASSERT_EQ(curand_uniform(&state), static_cast<float>(exact));
  }
}

// The largest and the smallest number give the ends of the range: 1 is in it, and 0 is not.
TEST(curand_uniform, includes_one_and_excludes_zero) {
  unsigned vectors[32] = {};
  unsigned long long wide_vectors[64] = {};
  curandStateScrambledSobol32_t state;
  curandStateScrambledSobol64_t wide;
  curand_init(vectors, 0xffffffffu, 0u, &state);
  EXPECT_EQ(curand_uniform(&state), 1.0f);
  EXPECT_EQ(curand_uniform_double(&state), 1.0);
  curand_init(vectors, 0u, 0u, &state);
  EXPECT_EQ(curand_uniform(&state), std::ldexp(1.0f, -33));
  EXPECT_EQ(curand_uniform_double(&state), std::ldexp(1.0, -32));
  curand_init(wide_vectors, ~0ull, 0ull, &wide);
  EXPECT_EQ(curand_uniform(&wide), 1.0f);
  EXPECT_EQ(curand_uniform_double(&wide), 1.0);
  curand_init(wide_vectors, 0ull, 0ull, &wide);
  EXPECT_EQ(curand_uniform_double(&wide), std::ldexp(1.0, -54));
}

TEST(curand_uniform_double, takes_two_numbers_of_xorwow_and_one_of_philox) {
  auto xorwow = fresh<curandStateXORWOW_t>(6);
  auto philox = fresh<curandStatePhilox4_32_10_t>(6);
  for (int i = 0; i < 1000; ++i) {
    auto bits = xorwow;
    const unsigned long long lower = curand(&bits), upper = curand(&bits);
    ASSERT_EQ(curand_uniform_double(&xorwow),
              std::ldexp(static_cast<double>(lower ^ upper << 21), -53) + std::ldexp(1.0, -54));
    auto philox_bits = philox;
    ASSERT_EQ(curand_uniform_double(&philox), (curand(&philox_bits) + 1.0) / 4294967296.0);
  }
}

TEST(curand_uniform, four_at_once_are_four_in_turn) {
  auto state = fresh<curandStatePhilox4_32_10_t>(7), one_by_one = state;
  for (int i = 0; i < 100; ++i) {
    const float4 four = curand_uniform4(&state);
    ASSERT_EQ(four.x, curand_uniform(&one_by_one));
    ASSERT_EQ(four.y, curand_uniform(&one_by_one));
    ASSERT_EQ(four.z, curand_uniform(&one_by_one));
    ASSERT_EQ(four.w, curand_uniform(&one_by_one));
  }
}

TEST(curand_normal, is_the_box_muller_transform_of_two_numbers) {
  auto state = fresh<curandStateXORWOW_t>(8);
  for (int i = 0; i < 10000; ++i) {
    auto bits = state;
    const double u = (curand(&bits) + 0.5) / 4294967296.0, v = (curand(&bits) + 0.5) / 4294967296.0;
    const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * std::numbers::pi * v;
    ASSERT_NEAR(curand_normal(&state), radius * std::sin(angle), 4e-6);
    ASSERT_NEAR(curand_normal(&state), radius * std::cos(angle), 4e-6);
  }
}

TEST(curand_normal_double, is_the_box_muller_transform_of_four_numbers) {
  auto state = fresh<curandStateXORWOW_t>(9);
  for (int i = 0; i < 10000; ++i) {
    auto bits = state;
    const double u = curand_uniform_double(&bits), v = curand_uniform_double(&bits);
    const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * std::numbers::pi * v;
    ASSERT_NEAR(curand_normal_double(&state), radius * std::sin(angle), 1e-14);
    ASSERT_NEAR(curand_normal_double(&state), radius * std::cos(angle), 1e-14);
  }
}

// A normal and a log-normal number that are kept for later must not be exchanged.
TYPED_TEST(curand_distribution, keeps_the_second_number_of_a_pair_for_its_own_kind) {
  auto state = fresh<TypeParam>(10), pairs = state;
  const float2 normal = curand_normal2(&pairs);
  ASSERT_EQ(curand_normal(&state), normal.x);
  const float2 log_normal = curand_log_normal2(&pairs, 0.5f, 2.0f);
  ASSERT_EQ(curand_log_normal(&state, 0.5f, 2.0f), log_normal.x);
  ASSERT_EQ(curand_log_normal(&state, 0.5f, 2.0f), log_normal.y);
  const double2 normal_double = curand_normal2_double(&pairs);
  ASSERT_EQ(curand_normal_double(&state), normal_double.x);
  ASSERT_EQ(curand_normal_double(&state), normal_double.y);
}

// The bits of a quasirandom number are a probability; the normal number has it.
TEST(curand_normal, of_a_quasirandom_number_inverts_the_distribution_function) {
  unsigned vectors[32] = {};
  unsigned long long wide_vectors[64] = {};
  for (const unsigned bits : {0u, 1u, 1000u, 0x40000000u, 0x7fffffffu, 0x80000000u, 0x80000001u,
                              0xc0000000u, 0xfffffff0u, 0xffffffffu}) {
    const double probability = (bits + 0.5) / 4294967296.0;
    const auto below = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
    curandStateScrambledSobol32_t state;
    curand_init(vectors, bits, 0u, &state);
    const double normal = curand_normal_double(&state);
    const double tail = std::min(probability, 1 - probability);
    ASSERT_NEAR(normal < 0 ? below(normal) : below(-normal), tail, tail * 1e-12) << bits;
    ASSERT_EQ(std::signbit(normal), bits < 0x80000000u) << bits;
    ASSERT_NEAR(curand_normal(&state), normal, 2e-6) << bits;
    curandStateScrambledSobol64_t wide;
    curand_init(wide_vectors, static_cast<unsigned long long>(bits) << 32 | 0x80000000u, 0ull,
                &wide);
    ASSERT_NEAR(curand_normal_double(&wide), normal, std::fabs(normal) * 1e-5 + 1e-9) << bits;
  }
}

struct moments {
  double mean = 0, variance = 0;
};
template <typename Draw>
moments moments_of(int count, Draw draw) {
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) {
    const double value = draw();
    sum += value;
    squares += value * value;
  }
  const double mean = sum / count;
  return {mean, squares / count - mean * mean};
}

// Each bound is at least five standard errors.
TYPED_TEST(curand_distribution, has_the_mean_and_the_variance_of_its_formula) {
  constexpr int count = 200000;
  auto state = fresh<TypeParam>(11);
  const auto expect = [&](double mean, double variance, auto draw) {
    const moments got = moments_of(count, draw);
    EXPECT_NEAR(got.mean, mean, 5 * std::sqrt(variance / count));
    EXPECT_NEAR(got.variance, variance, 0.05 * variance);
  };
  expect(0.5, 1 / 12.0, [&] { return curand_uniform(&state); });
  expect(0.5, 1 / 12.0, [&] { return curand_uniform_double(&state); });
  expect(0, 1, [&] { return curand_normal(&state); });
  expect(0, 1, [&] { return curand_normal_double(&state); });
  const double mean = std::exp(0.5 + 0.02), variance = (std::exp(0.04) - 1) * std::exp(1.04);
  expect(mean, variance, [&] { return curand_log_normal(&state, 0.5f, 0.2f); });
  expect(mean, variance, [&] { return curand_log_normal_double(&state, 0.5, 0.2); });
  for (const double lambda : {0.1, 5.0, 63.0, 65.0, 700.0, 3999.0, 5000.0, 100000.0}) {
    expect(lambda, lambda, [&] { return curand_poisson(&state, lambda); });
  }
}

double poisson_probability(int count, double lambda) {
  return std::exp(count * std::log(lambda) - lambda - std::lgamma(count + 1.0));
}

// A chi-square test; counts that are expected less than 20 times are left out. The bound is more
// than six standard deviations of the sum.
template <typename Draw>
void expect_poisson(double lambda, Draw draw) {
  constexpr int draws = 500000;
  std::vector<int> counts(static_cast<std::size_t>(3 * lambda + 50));
  for (int i = 0; i < draws; ++i) {
    const unsigned count = draw();
    if (count < counts.size()) ++counts[count];
  }
  double sum = 0;
  int degrees = 0;
  for (std::size_t count = 0; count < counts.size(); ++count) {
    const double expected = draws * poisson_probability(static_cast<int>(count), lambda);
    if (expected < 20) continue;
    const double difference = counts[count] - expected;
    sum += difference * difference / expected;
    ++degrees;
  }
  EXPECT_GT(degrees, 3) << lambda;
  EXPECT_LT(sum, degrees + 6.5 * std::sqrt(2.0 * degrees)) << lambda;
}

TYPED_TEST(curand_distribution, poisson_counts_have_their_frequencies) {
  auto state = fresh<TypeParam>(12);
  for (const double lambda : {2.5, 30.0, 64.0, 100.0, 900.0}) {
    expect_poisson(lambda, [&] { return curand_poisson(&state, lambda); });
  }
}

TEST(curand_poisson, of_a_quasirandom_number_inverts_the_distribution_function) {
  unsigned vectors[32] = {};
  for (const double lambda : {0.5, 20.0, 300.0, 745.0, 999.0}) {
    double below = 0;
    for (int count = 0; count < 3 * lambda + 10; ++count) {
      const double up_to = below + poisson_probability(count, lambda);
      const double middle = (below + up_to) / 2;
      if (up_to - below > 1e-6) {
        curandStateScrambledSobol32_t state;
        curand_init(vectors, static_cast<unsigned>(middle * 4294967296.0), 0u, &state);
        ASSERT_EQ(curand_poisson(&state, lambda), static_cast<unsigned>(count)) << lambda;
      }
      below = up_to;
    }
  }
}

// Rows of 0.3, 0.2 and 0.5: the limits are in thirds of the unit interval.
TEST(curand_discrete, draws_the_values_of_a_table) {
  const double limits[] = {0.9, 0.6, 1.0};
  const unsigned aliases[] = {12, 12, 12};
  curandDiscreteDistribution_st table{limits, aliases, 10, 3, 0, 0};
  auto state = fresh<curandStateXORWOW_t>(13);
  int counts[3] = {};
  for (int i = 0; i < 100000; ++i) {
    const unsigned value = curand_discrete(&state, &table);
    ASSERT_GE(value, 10u);
    ASSERT_LE(value, 12u);
    ++counts[value - 10];
  }
  EXPECT_NEAR(counts[0], 30000, 750);
  EXPECT_NEAR(counts[1], 20000, 650);
  EXPECT_NEAR(counts[2], 50000, 800);
}

}  // namespace
