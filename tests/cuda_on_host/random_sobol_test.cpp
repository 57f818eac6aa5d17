// Sobol's sequences against their definition, with direction vectors made for the test.
#include <curand_kernel.h>
#include <gtest/gtest.h>

#include <random>

#include "support/seed.hpp"

namespace {

template <typename Word>
struct random_vectors {
  static constexpr unsigned bits = 8 * sizeof(Word);
  Word words[bits];

  explicit random_vectors(std::mt19937_64& random) {
    for (Word& word : words) word = static_cast<Word>(random());
  }
  // Number `index` of the sequence: the xor of the vectors that the Gray code selects.
  Word number(Word index) const {
    Word sum = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
      const Word above = bit + 1 < bits ? index >> (bit + 1) : 0;
      if (((index >> bit) ^ above) & 1) sum ^= words[bit];
    }
    return sum;
  }
};

template <typename State, typename Word, typename Start>
void expect_definition(Word constant, Start start) {
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937_64 random(heddle_test::seed());
  random_vectors<Word> vectors(random);
  for (const Word offset : {Word{0}, Word{1}, Word{255}, static_cast<Word>(random() >> 1)}) {
    State state;
    start(vectors.words, offset, &state);
    for (Word i = 0; i < 300; ++i) {
      ASSERT_EQ(curand(&state), (constant ^ vectors.number(offset + i))) << offset << ' ' << i;
    }
    skipahead(Word{1000}, &state);
    ASSERT_EQ(curand(&state), (constant ^ vectors.number(offset + 1300)));
  }
}

TEST(curand_sobol, plain_numbers_of_32_and_64_bits_follow_the_definition) {
  expect_definition<curandStateSobol32_t>(0u, [](unsigned* vectors, unsigned offset, auto* state) {
    curand_init(vectors, offset, state);
  });
  expect_definition<curandStateSobol64_t>(
      0ull, [](unsigned long long* vectors, unsigned long long offset, auto* state) {
        curand_init(vectors, offset, state);
      });
}

TEST(curand_sobol, scrambled_numbers_are_shifted_by_the_constant) {
  expect_definition<curandStateScrambledSobol32_t>(
      0xdeadbeefu, [](unsigned* vectors, unsigned offset, auto* state) {
        curand_init(vectors, 0xdeadbeefu, offset, state);
      });
  expect_definition<curandStateScrambledSobol64_t>(
      0xfeedfacedeadbeefull,
      [](unsigned long long* vectors, unsigned long long offset, auto* state) {
        curand_init(vectors, 0xfeedfacedeadbeefull, offset, state);
      });
}

TEST(curand_sobol, goes_past_the_last_index) {
  std::mt19937_64 random(5);
  random_vectors<unsigned> vectors(random);
  curandStateSobol32_t state;
  curand_init(vectors.words, 0xffffffffu, &state);
  EXPECT_EQ(curand(&state), vectors.number(0xffffffffu));
  EXPECT_EQ(curand(&state), 0u);  // the sequence is cyclic: from the last Gray code to zero
}

}  // namespace
