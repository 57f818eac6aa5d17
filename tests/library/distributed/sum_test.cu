// Sums of numbers spread over ranks: their error, and their bits.
#include <heddle/device/reproducible_sum.cuh>
#include <heddle/distributed/sum.cuh>

#include <bit>
#include <cmath>
#include <limits>

#include "distributed/parts.cuh"
#include "support/exact_sum.hpp"
#include "support/long_integer.hpp"

namespace {
using namespace heddle_test;
namespace distributed = heddle::distributed;
using heddle::device::workspace;

// Numbers of very different magnitudes and both signs, so that any other order rounds differently.
template <typename T>
std::vector<T> wild_numbers(std::int64_t count) {
  std::vector<T> all(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto bits = sample_bits(common_seed(), i);
    const int exponent = static_cast<int>(bits % 60) - 30;
    all[i] = static_cast<T>(std::ldexp(sample<float>(common_seed() + 1, i), exponent));
  }
  return all;
}

template <typename T>
auto bits_of(T number) {
  return std::bit_cast<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>(number);
}

template <typename T>
class distributed_sum : public testing::Test {};
using real_types = testing::Types<float, double>;
TYPED_TEST_SUITE(distributed_sum, real_types);

TYPED_TEST(distributed_sum, has_the_bits_of_a_single_device) {
  HEDDLE_NAME_COMMON_SEED();
  workspace work;
  for (const std::int64_t count : {0, 1, 7, 1000, 30011}) {
    const auto all = wild_numbers<TypeParam>(count);
    const TypeParam expected = expected_sum(all);
    // One device gets the same result for all numbers.
    const device_array<TypeParam> whole(all), of_one(1);
    heddle::device::reproducible_sum(work, whole.data(), count, of_one.data());
    EXPECT_EQ(bits_of(of_one.values()[0]), bits_of(expected));
    for_each_cut(count, common_seed(), [&](std::int64_t begin, std::int64_t end) {
      const device_array<TypeParam> part(piece_of(all, begin, end)), result(1);
      distributed::reproducible_sum(ranks(), work, part.data(), end - begin, result.data());
      EXPECT_EQ(bits_of(result.values()[0]), bits_of(expected));
    });
  }
}

TYPED_TEST(distributed_sum, is_reproducible_when_ranks_cancel_each_other) {
  workspace work;
  // Ranks alternately hold the largest number and its negative; the first also holds a small one.
  const TypeParam largest = std::numeric_limits<TypeParam>::max();
  const TypeParam smallest = std::numeric_limits<TypeParam>::denorm_min();
  std::vector<TypeParam> mine(64, ranks().rank() % 2 == 0 ? largest : -largest);
  const bool is_left_over = ranks().rank() + 1 == ranks().size() && ranks().size() % 2 != 0;
  if (is_left_over) mine.clear();
  if (ranks().rank() == 0) mine.push_back(smallest);
  const device_array<TypeParam> part(mine), result(1);
  distributed::reproducible_sum(ranks(), work, part.data(), static_cast<std::int64_t>(mine.size()),
                                result.data());
  EXPECT_EQ(result.values()[0], smallest);
}

TYPED_TEST(distributed_sum, is_the_same_on_every_rank_for_infinities_and_nan) {
  workspace work;
  const auto infinity = std::numeric_limits<TypeParam>::infinity();
  const auto sum_of = [&](TypeParam on_first, TypeParam on_last) {
    std::vector<TypeParam> mine{1};
    if (ranks().rank() == 0) mine.push_back(on_first);
    if (ranks().rank() + 1 == ranks().size()) mine.push_back(on_last);
    const device_array<TypeParam> part(mine), result(1);
    distributed::reproducible_sum(ranks(), work, part.data(),
                                  static_cast<std::int64_t>(mine.size()), result.data());
    return result.values()[0];
  };
  EXPECT_EQ(sum_of(infinity, 1), infinity);
  EXPECT_EQ(sum_of(1, -infinity), -infinity);
  EXPECT_TRUE(std::isnan(sum_of(infinity, -infinity)));
  EXPECT_TRUE(std::isnan(sum_of(NAN, infinity)));
}

TYPED_TEST(distributed_sum, keeps_what_rounding_would_lose_between_ranks) {
  HEDDLE_NAME_COMMON_SEED();
  workspace work;
  // The last rank cancels a large number of the first: plain sums of parts lose the rest.
  const TypeParam large = std::ldexp(TypeParam{1}, std::numeric_limits<TypeParam>::digits + 8);
  exact_sum expected;
  std::vector<TypeParam> mine;
  for (int rank = 0; rank < ranks().size(); ++rank) {
    for (int i = 0; i < 100; ++i) {
      const auto number = sample<TypeParam>(common_seed(), 100 * rank + i);
      expected.add(number);
      if (rank == ranks().rank()) mine.push_back(number);
    }
  }
  if (ranks().rank() == 0) mine.push_back(large);
  if (ranks().rank() + 1 == ranks().size()) mine.push_back(-large);
  const device_array<TypeParam> part(mine), result(1);
  distributed::compensated_sum(ranks(), work, part.data(), static_cast<std::int64_t>(mine.size()),
                               result.data());
  const double error = std::abs(expected.distance_to(result.values()[0]));
  // The error of 201 corrections: second order, relative to the large number.
  const double allowed =
      static_cast<double>(large) * 400 * std::pow(std::numeric_limits<TypeParam>::epsilon(), 2);
  EXPECT_LE(error,
            allowed + std::numeric_limits<TypeParam>::epsilon() * std::abs(expected.rounded()));
}

TYPED_TEST(distributed_sum, is_exact_for_exact_sums) {
  workspace work;
  for_each_cut(5000, common_seed(), [&](std::int64_t begin, std::int64_t end) {
    const device_array<TypeParam> part(std::vector<TypeParam>(end - begin, TypeParam(0.25))),
        result(1);
    distributed::sum(ranks(), work, part.data(), end - begin, result.data());
    EXPECT_EQ(result.values()[0], 1250);
  });
}

}  // namespace

int main(int argc, char** argv) { return heddle_test::run_tests_on_ranks(argc, argv); }
