// Values as words and back: types of every size, their last bytes, the padding of the last word.
#include <heddle/core/words.cuh>

#include <cmath>
#include <cstring>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using heddle::exchangeable;
using heddle::detail::words_of;
using namespace heddle_test;

template <int size>
struct bytes_of {
  unsigned char bytes[size];
};
struct no_plain_copy {
  int* owner;
  no_plain_copy(const no_plain_copy& other) : owner(other.owner) {}
};
struct without_default {
  explicit __host__ __device__ without_default(double number) : value(number) {}
  double value;
};

static_assert(exchangeable<bytes_of<64>> && !exchangeable<bytes_of<65>>);
static_assert(exchangeable<without_default> && !exchangeable<no_plain_copy>);
static_assert(words_of<char>::count == 1 && words_of<bytes_of<4>>::count == 1);
static_assert(words_of<bytes_of<5>>::count == 2 && words_of<bytes_of<64>>::count == 16);

// The words, then the value they convert back to; unused words are zero.
template <int size>
struct through_words {
  std::uint64_t seed;
  struct answer {
    std::uint32_t words[16];
    bytes_of<size> value;
  };
  __device__ answer operator()() const {
    bytes_of<size> own;
    for (int i = 0; i < size; ++i) {
      own.bytes[i] = sample<std::uint8_t>(seed, threadIdx.x * std::uint64_t{64} + i);
    }
    const words_of<bytes_of<size>> words(own);
    answer found{};
    for (int i = 0; i < words_of<bytes_of<size>>::count; ++i) found.words[i] = words.words[i];
    found.value = words.value();
    return found;
  }
};

template <int size>
void expect_the_same_bytes() {
  SCOPED_TRACE(size);
  const auto answers = answers_of(through_words<size>{seed()}, 8);
  for (std::size_t thread = 0; thread < answers.size(); ++thread) {
    unsigned char expected[64] = {};
    for (int i = 0; i < size; ++i) {
      expected[i] = sample<std::uint8_t>(seed(), thread * 64 + static_cast<std::uint64_t>(i));
    }
    ASSERT_EQ(std::memcmp(answers[thread].words, expected, 64), 0) << "the words differ";
    ASSERT_EQ(std::memcmp(&answers[thread].value, expected, size), 0) << "the value differs";
  }
}

TEST(core_words, hold_every_byte_and_fill_the_last_word_with_zeros) {
  HEDDLE_NAME_SEED();
  expect_the_same_bytes<1>();
  expect_the_same_bytes<2>();
  expect_the_same_bytes<3>();
  expect_the_same_bytes<4>();
  expect_the_same_bytes<7>();
  expect_the_same_bytes<12>();
  expect_the_same_bytes<33>();
  expect_the_same_bytes<64>();
}

struct without_default_through_words {
  __device__ double operator()() const {
    return words_of<without_default>(without_default(-0.0)).value().value;
  }
};

TEST(core_words, give_back_types_without_default_constructor_and_the_sign_of_zero) {
  const double found = answers_of(without_default_through_words{}, 1)[0];
  EXPECT_TRUE(found == 0 && std::signbit(found));
}

struct words_of_nothing {
  __device__ int operator()() const { return words_of<int>().value(); }
};

TEST(core_words, are_zero_initially) { EXPECT_EQ(answers_of(words_of_nothing{}, 1)[0], 0); }

}  // namespace
