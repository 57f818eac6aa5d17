// Long numbers in integer slots: additions at every place, and the rounding of the sum.
#include <heddle/device/reduce/exact_sum.cuh>

#include <cmath>
#include <limits>
#include <vector>

#include "support/long_integer.hpp"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace detail = heddle::device::detail;
template <typename T>
using format = detail::exact_format<T>;

// value * 2^position units; a unit is the smallest number of a type.
struct term {
  std::int64_t value;
  int position;
};

constexpr unsigned most_threads = 64;

// Adds the caller's terms in shared memory and rounds their sum.
template <typename T>
struct round_sum_of_terms {
  const term* terms;
  int count;
  unsigned specials;
  __device__ T operator()() const {
    __shared__ std::int64_t all_slots[most_threads][format<T>::slot_count + 3];
    std::int64_t* const slots = all_slots[threadIdx.x];
    for (int i = 0; i < format<T>::slot_count + 3; ++i) slots[i] = 0;
    const detail::exact_slots sum{slots};
    const term* const own = terms + threadIdx.x * static_cast<unsigned>(count);
    for (int i = 0; i < count; ++i) sum.add(own[i].value, own[i].position);
    return detail::round_exact<T>(slots, specials);
  }
};

// A 128-bit integer in units, rounded to nearest, ties to even: conversions do that, and ldexp is
// exact except at the limits of the type.
template <typename T>
T rounded(__int128 units, int position) {
  constexpr int unit = std::is_same_v<T, float> ? -149 : -1074;
  return std::ldexp(static_cast<T>(units), unit + position);
}

// Sums of two terms at most 60 bits apart, at every position that leaves the result finite.
template <typename T>
void expect_right_roundings() {
  constexpr int most = std::is_same_v<T, float> ? 150 : 1900;
  constexpr unsigned threads = most_threads;
  for (int base = 0; base <= most; base += base < 100 ? 1 : 37) {
    std::vector<term> terms;
    std::vector<T> expected;
    for (unsigned i = 0; i < threads; ++i) {
      const auto random = [&](std::uint64_t k) {
        return sample_bits(seed(), base * 1000ull + 4 * i + k);
      };
      // Short values cause ties and carries more often.
      const auto value = [&](std::uint64_t k) {
        const auto drawn = static_cast<std::int64_t>(random(k)) >> random(k + 1) % 62;
        return i % 4 == 0 ? drawn & ~std::int64_t{0xffff} : drawn;
      };
      const int apart = static_cast<int>(random(2) % 61);
      const term low{value(0) / 2, base}, high{value(1) / 2, base + apart};
      terms.insert(terms.end(), {low, high});
      expected.push_back(
          rounded<T>(low.value + (static_cast<__int128>(high.value) << apart), base));
    }
    const device_array<term> on_device(terms);
    const auto found = answers_of(round_sum_of_terms<T>{on_device.data(), 2, 0}, threads);
    for (unsigned i = 0; i < threads; ++i) {
      ASSERT_EQ(found[i], expected[i])
          << "terms " << terms[2 * i].value << ", " << terms[2 * i + 1].value << " at " << base
          << " and " << terms[2 * i + 1].position;
    }
  }
}

TEST(device_exact_sum, is_rounded_to_nearest_ties_to_even_at_every_place) {
  HEDDLE_NAME_SEED();
  expect_right_roundings<float>();
  expect_right_roundings<double>();
}

template <typename T>
T rounded_on_device(const std::vector<term>& terms, unsigned specials = 0) {
  const device_array<term> on_device(terms);
  return answers_of(
      round_sum_of_terms<T>{on_device.data(), static_cast<int>(terms.size()), specials}, 1)[0];
}

TEST(device_exact_sum, keeps_what_large_numbers_leave_when_they_cancel) {
  constexpr std::int64_t large = std::int64_t{1} << 62;
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(rounded_on_device<double>({{large, 1900}, {5, 0}, {-large, 1900}}), 5 * tiny);
  EXPECT_EQ(rounded_on_device<double>({{large, 1900}, {-5, 0}, {-large, 1900}}), -5 * tiny);
  EXPECT_EQ(rounded_on_device<float>({{1, 140}, {1, 0}, {-1, 140}, {-1, 0}}), 0.0f);
  // One unit far below decides a tie.
  const std::int64_t tie = (std::int64_t{1} << 54) + 1;
  EXPECT_EQ(rounded_on_device<double>({{tie, 1000}}), rounded<double>(tie - 1, 1000));
  const std::int64_t half = (std::int64_t{1} << 54) + 2;
  EXPECT_EQ(rounded_on_device<double>({{half, 1000}}), rounded<double>(half - 2, 1000));
  EXPECT_EQ(rounded_on_device<double>({{half, 1000}, {1, 0}}), rounded<double>(half + 2, 1000));
  EXPECT_EQ(rounded_on_device<double>({{half, 1000}, {-1, 0}}), rounded<double>(half - 2, 1000));
}

TEST(device_exact_sum, becomes_infinite_if_the_rounded_number_is_too_large) {
  const float most = std::numeric_limits<float>::max();
  const float infinity = std::numeric_limits<float>::infinity();
  constexpr std::int64_t mantissa = (std::int64_t{1} << 24) - 1;  // the largest number's
  constexpr int position = 253;                                   // and its position
  EXPECT_EQ(rounded_on_device<float>({{mantissa, position}}), most);
  EXPECT_EQ(rounded_on_device<float>({{2 * mantissa + 1, position - 1}, {-1, 0}}), most);
  EXPECT_EQ(rounded_on_device<float>({{2 * mantissa + 1, position - 1}}), infinity);
  EXPECT_EQ(rounded_on_device<float>({{-2 * mantissa - 1, position - 1}}), -infinity);
}

TEST(device_exact_sum, reports_infinities_and_nan) {
  using namespace heddle::device::detail;
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rounded_on_device<double>({{-7, 3}}, has_plus_infinity), infinity);
  EXPECT_EQ(rounded_on_device<double>({{7, 3}}, has_minus_infinity), -infinity);
  EXPECT_TRUE(std::isnan(rounded_on_device<double>({}, has_plus_infinity | has_minus_infinity)));
  EXPECT_TRUE(std::isnan(rounded_on_device<double>({{1, 1}}, has_nan)));
  EXPECT_TRUE(std::isnan(rounded_on_device<float>({{1, 1}}, has_nan | has_plus_infinity)));
}

// Exponents that rise, fall and jump, so the window moves, with zeros and numbers below the window.
template <typename T>
__host__ __device__ T element_of(std::uint64_t seed, int thread, int i) {
  const std::uint64_t bits = sample_bits(seed, static_cast<std::uint64_t>(thread * 1000 + i));
  const int spread = std::is_same_v<T, float> ? 200 : 1900;
  const int exponent = static_cast<int>(bits % static_cast<std::uint64_t>(spread)) - spread / 2;
  const auto mantissa = static_cast<T>(static_cast<std::int32_t>(bits >> 32) >> 8);
  return (bits >> 20) % 8 == 0 ? T{0} : static_cast<T>(ldexp(mantissa, exponent - 20));
}

constexpr int lane_batches = 90, lane_batch = 4;  // more than an accumulator takes at once

// Every warp adds its lanes' elements twice, and subtracts them twice if `takes_all_away`.
template <typename T>
struct sum_in_lanes {
  std::uint64_t seed;
  bool takes_all_away;
  __device__ T operator()() const {
    __shared__ std::int64_t slots[format<T>::slot_count + 3];
    __shared__ unsigned specials;
    for (int i = heddle::lane_id(); i < format<T>::slot_count + 3; i += heddle::warp_size)
      slots[i] = 0;
    if (heddle::lane_id() == 0) specials = 0;
    __syncwarp();
    detail::exact_lane<T> sum(slots, &specials);
    for (const int sign : {1, 1, -1, -1}) {
      if (sign < 0 && !takes_all_away) break;
      for (int batch = 0; batch < lane_batches; ++batch) {
        T elements[lane_batch];
        for (int i = 0; i < lane_batch; ++i) {
          elements[i] = sign * element_of<T>(seed, heddle::lane_id(), batch * lane_batch + i);
        }
        sum.take(elements);
      }
    }
    sum.empty();
    __syncwarp();
    if (heddle::lane_id() != 0) return T{0};
    return detail::round_exact<T>(slots, specials);
  }
};

// The sum of twice all elements, in a long integer.
template <typename T>
T reference_sum(std::uint64_t seed) {
  std::vector<T> elements;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < lane_batches * lane_batch; ++i) {
      elements.insert(elements.end(), 2, element_of<T>(seed, lane, i));
    }
  }
  return expected_sum(elements);
}

template <typename T>
void expect_exact_lanes() {
  for (std::uint64_t round = 0; round < 4; ++round) {
    const std::uint64_t own_seed = seed() + 77 * round;
    EXPECT_EQ(answers_of(sum_in_lanes<T>{own_seed, true})[0], T{0}) << "round " << round;
    EXPECT_EQ(answers_of(sum_in_lanes<T>{own_seed, false})[0], reference_sum<T>(own_seed))
        << "round " << round;
  }
}

TEST(device_exact_sum, loses_nothing_while_windows_move) {
  HEDDLE_NAME_SEED();
  expect_exact_lanes<float>();
  expect_exact_lanes<double>();
}

}  // namespace
