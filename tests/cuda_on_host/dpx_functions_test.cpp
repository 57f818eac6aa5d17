// DPX functions, against wide arithmetic on each operand or each part of it.
#include <dpx_functions.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "packed_words.hpp"

namespace {

// The low bits of a number, as a signed or unsigned number.
long wrapped(long number, int bits, bool is_signed) {
  const long range = 1L << bits;
  const long low = ((number % range) + range) % range;
  return is_signed && low >= range / 2 ? low - range : low;
}

using function_of_words = std::function<unsigned int(unsigned int, unsigned int, unsigned int)>;
struct case_of_three {
  const char* name;
  function_of_words function;
  int bits;
  bool is_signed;
  std::function<long(long, long, long)> operation;  // of the sum or the extremes, before rectifying
  bool is_rectified;
};

// All forms of one function: on whole words and on halves, signed, unsigned and rectified.
#define FORMS(name, expression)                                                                 \
  {#name "_s32", as_words(name##_s32), 32, true, OPERATION(32, true, expression), false},       \
      {#name "_u32", as_words(name##_u32), 32, false, OPERATION(32, false, expression), false}, \
      {#name "_s32_relu",                                                                       \
       as_words(name##_s32_relu),                                                               \
       32,                                                                                      \
       true,                                                                                    \
       OPERATION(32, true, expression),                                                         \
       true},                                                                                   \
      {#name "_s16x2", name##_s16x2, 16, true, OPERATION(16, true, expression), false},         \
      {#name "_u16x2", name##_u16x2, 16, false, OPERATION(16, false, expression), false}, {     \
#name "_s16x2_relu", name##_s16x2_relu, 16, true, OPERATION(16, true, expression), true     \
  }
#define OPERATION(part_bits, part_is_signed, expression)        \
  [](long x, long y, long z) {                                  \
    const long sum = wrapped(x + y, part_bits, part_is_signed); \
    (void)sum;                                                  \
    return static_cast<long>(expression);                       \
  }

template <typename T>
function_of_words as_words(T (*function)(T, T, T)) {
  return [function](unsigned int a, unsigned int b, unsigned int c) {
    return static_cast<unsigned int>(
        function(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)));
  };
}

TEST(dpx_functions, sums_wrap_and_extremes_are_those_of_every_part) {
  SCOPED_TRACE(heddle_test::seed_text());
  const case_of_three cases[] = {
      FORMS(__viaddmax, std::max(sum, z)),
      FORMS(__viaddmin, std::min(sum, z)),
      FORMS(__vimax3, std::max({x, y, z})),
      FORMS(__vimin3, std::min({x, y, z})),
  };
  packed_word_source next(heddle_test::seed());
  for (int i = 0; i < 20000; ++i) {
    const unsigned int a = next(), b = next(), c = next();
    for (const case_of_three& test : cases) {
      unsigned int expected = 0;
      for (int position = 0; position < 32; position += test.bits) {
        const auto part = [&](unsigned int word) {
          return wrapped(static_cast<long>(word >> position), test.bits, test.is_signed);
        };
        long value = test.operation(part(a), part(b), part(c));
        if (test.is_rectified) value = std::max(value, 0L);
        expected |= static_cast<unsigned int>(wrapped(value, test.bits, false)) << position;
      }
      ASSERT_EQ(test.function(a, b, c), expected)
          << test.name << std::hex << ' ' << a << ' ' << b << ' ' << c;
    }
    const auto s = static_cast<int>(a), t = static_cast<int>(b);
    ASSERT_EQ(__vimax_s32_relu(s, t), std::max({s, t, 0}));
    ASSERT_EQ(__vimin_s32_relu(s, t), std::max(std::min(s, t), 0));
    ASSERT_EQ(__vimax_s16x2_relu(a, b), taken_apart(a, b, 16, true, [](long x, long y) {
                return std::max({x, y, 0L});
              }));
    ASSERT_EQ(__vimin_s16x2_relu(a, b), taken_apart(a, b, 16, true, [](long x, long y) {
                return std::max(std::min(x, y), 0L);
              }));
  }
}

TEST(dpx_functions, extremes_report_whether_they_are_the_first_operand) {
  SCOPED_TRACE(heddle_test::seed_text());
  packed_word_source next(heddle_test::seed());
  for (int i = 0; i < 20000; ++i) {
    const unsigned int a = next(), b = next();
    const auto s = static_cast<int>(a), t = static_cast<int>(b);
    bool is_first = s < t;  // wrong, so the function must write it
    ASSERT_EQ(__vibmax_s32(s, t, &is_first), std::max(s, t));
    ASSERT_EQ(is_first, s >= t) << s << ' ' << t;
    is_first = s > t;
    ASSERT_EQ(__vibmin_s32(s, t, &is_first), std::min(s, t));
    ASSERT_EQ(is_first, s <= t) << s << ' ' << t;
    is_first = a < b;
    ASSERT_EQ(__vibmax_u32(a, b, &is_first), std::max(a, b));
    ASSERT_EQ(is_first, a >= b) << a << ' ' << b;
    is_first = a > b;
    ASSERT_EQ(__vibmin_u32(a, b, &is_first), std::min(a, b));
    ASSERT_EQ(is_first, a <= b) << a << ' ' << b;

    for (bool is_signed : {false, true}) {
      const auto part = [&](unsigned int word, int position) {
        return wrapped(static_cast<long>(word >> position), 16, is_signed);
      };
      const bool high_is_larger = part(a, 16) >= part(b, 16);
      const bool low_is_larger = part(a, 0) >= part(b, 0);
      bool high = !high_is_larger, low = !low_is_larger;
      ASSERT_EQ(is_signed ? __vibmax_s16x2(a, b, &high, &low) : __vibmax_u16x2(a, b, &high, &low),
                taken_apart(a, b, 16, is_signed, [](long x, long y) { return std::max(x, y); }));
      ASSERT_EQ(high, high_is_larger) << std::hex << a << ' ' << b;
      ASSERT_EQ(low, low_is_larger) << std::hex << a << ' ' << b;
      const bool high_is_smaller = part(a, 16) <= part(b, 16);
      const bool low_is_smaller = part(a, 0) <= part(b, 0);
      high = !high_is_smaller;
      low = !low_is_smaller;
      ASSERT_EQ(is_signed ? __vibmin_s16x2(a, b, &high, &low) : __vibmin_u16x2(a, b, &high, &low),
                taken_apart(a, b, 16, is_signed, [](long x, long y) { return std::min(x, y); }));
      ASSERT_EQ(high, high_is_smaller) << std::hex << a << ' ' << b;
      ASSERT_EQ(low, low_is_smaller) << std::hex << a << ' ' << b;
    }
  }
}

}  // namespace
