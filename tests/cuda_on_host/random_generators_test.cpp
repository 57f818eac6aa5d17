// cuRAND's pseudorandom generators against published results, plain definitions and walks step by
// step.
#include <curand_kernel.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>

#include "support/seed.hpp"

namespace {

template <typename State>
class curand_generator : public testing::Test {};
using jumping_states =
    testing::Types<curandStateXORWOW_t, curandStateMRG32k3a_t, curandStatePhilox4_32_10_t>;
TYPED_TEST_SUITE(curand_generator, jumping_states);

template <typename State>
State started(unsigned long long seed, unsigned long long subsequence, unsigned long long offset) {
  State state;
  std::memset(static_cast<void*>(&state), 0xa5, sizeof state);
  curand_init(seed, subsequence, offset, &state);
  return state;
}

template <typename State>
std::array<unsigned int, 8> next_eight(State state) {
  std::array<unsigned int, 8> numbers;
  for (unsigned int& number : numbers) number = curand(&state);
  return numbers;
}

TYPED_TEST(curand_generator, skips_as_many_numbers_as_it_is_told) {
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937_64 random(heddle_test::seed());
  for (const unsigned count : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 4096u, 1000003u}) {
    const unsigned long long seed = random();
    auto walked = started<TypeParam>(seed, 5, 0), jumped = walked;
    for (unsigned i = 0; i < count; ++i) curand(&walked);
    skipahead(count, &jumped);
    ASSERT_EQ(next_eight(jumped), next_eight(walked)) << count;
    ASSERT_EQ(next_eight(started<TypeParam>(seed, 5, count)), next_eight(walked)) << count;
  }
}

TYPED_TEST(curand_generator, skips_the_sum_of_two_distances) {
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937_64 random(heddle_test::seed());
  for (int i = 0; i < 50; ++i) {
    const unsigned long long seed = random(), first = random() >> 1, second = random() >> 1;
    auto once = started<TypeParam>(seed, 0, 0), twice = once;
    skipahead(first + second, &once);
    skipahead(first, &twice);
    skipahead(second, &twice);
    ASSERT_EQ(next_eight(once), next_eight(twice));
  }
}

// Returns the state after 2^`log2_count` numbers, by skips of at most 2^63.
template <typename State>
State after_power_of_two(State state, int log2_count) {
  for (int i = 0; i < 1 << (log2_count - 63); ++i) skipahead(1ull << 63, &state);
  return state;
}

TEST(curand_xorwow, subsequences_are_2_to_the_67_numbers_apart) {
  const auto expected = after_power_of_two(started<curandStateXORWOW_t>(42, 0, 9), 67);
  EXPECT_EQ(next_eight(started<curandStateXORWOW_t>(42, 1, 9)), next_eight(expected));
}

TEST(curand_mrg32k3a, subsequences_are_2_to_the_76_numbers_apart) {
  const auto expected = after_power_of_two(started<curandStateMRG32k3a_t>(42, 0, 9), 76);
  EXPECT_EQ(next_eight(started<curandStateMRG32k3a_t>(42, 1, 9)), next_eight(expected));
  auto skipped = started<curandStateMRG32k3a_t>(42, 0, 9);
  skipahead_subsequence(1, &skipped);
  EXPECT_EQ(next_eight(skipped), next_eight(expected));
}

TEST(curand_mrg32k3a, sequences_are_2_to_the_51_subsequences_apart) {
  auto by_sequence = started<curandStateMRG32k3a_t>(7, 3, 1), by_subsequences = by_sequence;
  skipahead_sequence(5, &by_sequence);
  skipahead_subsequence(5ull << 51, &by_subsequences);
  EXPECT_EQ(next_eight(by_sequence), next_eight(by_subsequences));
}

TYPED_TEST(curand_generator, skips_subsequences_one_by_one_or_together) {
  auto one_by_one = started<TypeParam>(11, 0, 0);
  for (int i = 0; i < 1000; ++i) skipahead_sequence(1, &one_by_one);
  auto together = started<TypeParam>(11, 0, 0);
  skipahead_sequence(1000, &together);
  EXPECT_EQ(next_eight(together), next_eight(one_by_one));
}

// Marsaglia's generator as his paper writes it, with one variable for each word.
class marsaglias_xorwow {
 public:
  marsaglias_xorwow(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t w,
                    std::uint32_t v, std::uint32_t d)
      : x_(x), y_(y), z_(z), w_(w), v_(v), d_(d) {}
  std::uint32_t operator()() {
    const std::uint32_t t = x_ ^ (x_ >> 2);
    x_ = y_, y_ = z_, z_ = w_, w_ = v_;
    v_ = (v_ ^ (v_ << 4)) ^ (t ^ (t << 1));
    return (d_ += 362437) + v_;
  }

 private:
  std::uint32_t x_, y_, z_, w_, v_, d_;
};

TEST(curand_xorwow, is_marsaglias_generator) {
  curandStateXORWOW_t state{};
  state.d = 6615241;
  const unsigned int words[] = {123456789, 362436069, 521288629, 88675123, 5783321};
  std::memcpy(state.v, words, sizeof words);
  marsaglias_xorwow expected(123456789, 362436069, 521288629, 88675123, 5783321, 6615241);
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(curand(&state), expected());
}

TEST(curand_xorwow, mixes_both_halves_of_the_seed_into_the_start) {
  for (const unsigned long long seed : {0ull, 1234ull, 0xdeadbeefcafef00dull}) {
    const std::uint32_t low = 1099087573u * (static_cast<std::uint32_t>(seed) ^ 0xaad26b49u);
    const std::uint32_t high = 2591861531u * (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddu);
    marsaglias_xorwow expected(123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high,
                               5783321 + low, 6615241 + low + high);
    auto state = started<curandStateXORWOW_t>(seed, 0, 0);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(curand(&state), expected()) << seed;
  }
}

// The first numbers that the toolkit's own library yields.
TEST(curand_xorwow, seed_0_begins_as_in_the_toolkit) {
  const std::array<unsigned int, 8> begin = next_eight(started<curandStateXORWOW_t>(0, 0, 0));
  EXPECT_EQ(begin[0], 3179217846u);
  EXPECT_EQ(begin[1], 1883133293u);
}

// L'Ecuyer's package RngStreams starts with these numbers. It divides by m1 + 1, and cuRAND by m1.
TEST(curand_mrg32k3a, seed_0_is_lecuyers_own_start) {
  constexpr double m1 = 4294967087;
  auto state = started<curandStateMRG32k3a_t>(0, 0, 0);
  for (const double known : {0.127011122046577, 0.318527565396795, 0.309186015583270}) {
    EXPECT_NEAR(curand_uniform_double(&state) * m1 / (m1 + 1), known, 2e-15);
  }
}

TEST(curand_mrg32k3a, follows_its_two_recurrences) {
  constexpr std::int64_t m1 = 4294967087, m2 = 4294944443;
  auto state = started<curandStateMRG32k3a_t>(0x123456789abcdefull, 0, 0);
  std::int64_t s1[3], s2[3];
  for (int i = 0; i < 3; ++i) s1[i] = state.s1[i], s2[i] = state.s2[i];
  for (int i = 0; i < 10000; ++i) {
    std::int64_t p1 = (1403580 * s1[1] - 810728 * s1[0]) % m1;
    if (p1 < 0) p1 += m1;
    std::int64_t p2 = (527612 * s2[2] - 1370589 * s2[0]) % m2;
    if (p2 < 0) p2 += m2;
    s1[0] = s1[1], s1[1] = s1[2], s1[2] = p1;
    s2[0] = s2[1], s2[1] = s2[2], s2[2] = p2;
    const std::int64_t z = p1 <= p2 ? p1 - p2 + m1 : p1 - p2;
    auto copy = state;
    ASSERT_EQ(curand(&copy), static_cast<unsigned int>(static_cast<double>(z) * 1.000000048662));
    ASSERT_EQ(curand_uniform_double(&state), static_cast<double>(z) * 2.3283065498378288e-10);
  }
}

// If both recurrences yield the same value, the combined one is m1, not 0: log(0) must not occur.
TEST(curand_mrg32k3a, never_yields_zero) {
  curandStateMRG32k3a_t state{};
  state.s1[2] = state.s2[1] = 1;  // the next value of both is 0
  EXPECT_EQ(curand_uniform_double(&state), 4294967087 * 2.3283065498378288e-10);
}

// The known answers that come with the authors' library Random123.
TEST(curand_philox, gives_the_known_answers) {
  struct known_answer {
    uint4 counter;
    uint2 key;
    uint4 block;
  };
  const known_answer known[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const known_answer& one : known) {
    const uint4 block = curand_Philox4x32_10(one.counter, one.key);
    EXPECT_EQ(block.x, one.block.x);
    EXPECT_EQ(block.y, one.block.y);
    EXPECT_EQ(block.z, one.block.z);
    EXPECT_EQ(block.w, one.block.w);
  }
}

TEST(curand_philox, counts_blocks_below_and_subsequences_above) {
  constexpr unsigned long long seed = 0x0123456789abcdefull;
  for (const unsigned long long subsequence : {0ull, 1ull, 0x100000000ull, ~0ull}) {
    for (const unsigned long long offset : {0ull, 6ull, 0xffffffffull * 4, ~0ull}) {
      auto state = started<curandStatePhilox4_32_10_t>(seed, subsequence, offset);
      const unsigned long long blocks = offset / 4;
      const uint4 expected = curand_Philox4x32_10(
          uint4{static_cast<unsigned>(blocks), static_cast<unsigned>(blocks >> 32),
                static_cast<unsigned>(subsequence), static_cast<unsigned>(subsequence >> 32)},
          uint2{0x89abcdef, 0x01234567});
      const unsigned int of_block[] = {expected.x, expected.y, expected.z, expected.w};
      ASSERT_EQ(curand(&state), of_block[offset % 4]) << subsequence << ' ' << offset;
    }
  }
}

TEST(curand_philox, continues_in_the_next_subsequence) {
  auto state = started<curandStatePhilox4_32_10_t>(1, 0, 0);
  for (int i = 0; i < 4; ++i) skipahead(1ull << 63, &state);
  for (int i = 0; i < 4; ++i) skipahead(1ull << 63, &state);
  EXPECT_EQ(next_eight(state), next_eight(started<curandStatePhilox4_32_10_t>(1, 1, 0)));
}

TEST(curand_philox, takes_four_numbers_at_once_from_any_position) {
  for (unsigned used = 0; used < 9; ++used) {
    auto state = started<curandStatePhilox4_32_10_t>(3, 2, used);
    auto one_by_one = state;
    for (int i = 0; i < 5; ++i) {
      const uint4 four = curand4(&state);
      ASSERT_EQ(four.x, curand(&one_by_one));
      ASSERT_EQ(four.y, curand(&one_by_one));
      ASSERT_EQ(four.z, curand(&one_by_one));
      ASSERT_EQ(four.w, curand(&one_by_one));
      ASSERT_EQ(curand(&state), curand(&one_by_one));
    }
  }
}

// A chi-square test of every byte of the numbers, with 255 degrees of freedom: the sum exceeds 400
// with a probability of 1e-8.
TYPED_TEST(curand_generator, fills_all_bytes_evenly) {
  constexpr int draws = 1 << 18;
  auto state = started<TypeParam>(2024, 3, 0);
  std::array<std::array<int, 256>, 4> counts{};
  for (int i = 0; i < draws; ++i) {
    const unsigned int number = curand(&state);
    for (int byte = 0; byte < 4; ++byte) ++counts[byte][number >> 8 * byte & 0xff];
  }
  for (const auto& histogram : counts) {
    double sum = 0;
    for (const int count : histogram) {
      const double difference = count - draws / 256.0;
      sum += difference * difference / (draws / 256.0);
    }
    EXPECT_LT(sum, 400);
    EXPECT_GT(sum, 150);
  }
}

}  // namespace
