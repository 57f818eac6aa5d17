// SIMD functions on the parts of a word, against scalar arithmetic on each part.
#include <gtest/gtest.h>
#include <simd_functions.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "packed_words.hpp"

namespace {

struct case_of_two {
  const char* name;
  unsigned int (*halves)(unsigned int, unsigned int);
  unsigned int (*bytes)(unsigned int, unsigned int);
  bool is_signed;
  std::function<long(long, long, long, long)> operation;  // x, y, smallest, largest
};
#define CASE(name, is_signed, expression)                                       \
  {                                                                             \
#name, name##2, name##4, is_signed, [](long x, long y, long low, long high) { \
     (void)low, (void)high;                                                       \
     return static_cast<long>(expression);                                        \
   } \
  }

TEST(simd_functions, every_part_is_computed_separately) {
  SCOPED_TRACE(heddle_test::seed_text());
  const case_of_two cases[] = {
      CASE(__vadd, true, x + y),
      CASE(__vsub, true, x - y),
      CASE(__vaddss, true, std::clamp(x + y, low, high)),
      CASE(__vaddus, false, std::clamp(x + y, low, high)),
      CASE(__vsubss, true, std::clamp(x - y, low, high)),
      CASE(__vsubus, false, std::clamp(x - y, low, high)),
      CASE(__vabsdiffs, true, std::max(x, y) - std::min(x, y)),
      CASE(__vabsdiffu, false, std::max(x, y) - std::min(x, y)),
      CASE(__vavgs, true, (x + y >= 0 ? (x + y + 1) / 2 : -((1 - x - y) / 2))),
      CASE(__vavgu, false, (x + y + 1) / 2),
      CASE(__vhaddu, false, (x + y) / 2),
      CASE(__vmaxs, true, std::max(x, y)),
      CASE(__vmaxu, false, std::max(x, y)),
      CASE(__vmins, true, std::min(x, y)),
      CASE(__vminu, false, std::min(x, y)),
      CASE(__vcmpeq, false, x == y ? -1 : 0),
      CASE(__vcmpne, false, x != y ? -1 : 0),
      CASE(__vcmpges, true, x >= y ? -1 : 0),
      CASE(__vcmpgeu, false, x >= y ? -1 : 0),
      CASE(__vcmpgts, true, x > y ? -1 : 0),
      CASE(__vcmpgtu, false, x > y ? -1 : 0),
      CASE(__vcmples, true, x <= y ? -1 : 0),
      CASE(__vcmpleu, false, x <= y ? -1 : 0),
      CASE(__vcmplts, true, x < y ? -1 : 0),
      CASE(__vcmpltu, false, x < y ? -1 : 0),
      CASE(__vseteq, false, x == y),
      CASE(__vsetne, false, x != y),
      CASE(__vsetges, true, x >= y),
      CASE(__vsetgeu, false, x >= y),
      CASE(__vsetgts, true, x > y),
      CASE(__vsetgtu, false, x > y),
      CASE(__vsetles, true, x <= y),
      CASE(__vsetleu, false, x <= y),
      CASE(__vsetlts, true, x < y),
      CASE(__vsetltu, false, x < y),
  };
  for (const case_of_two& c : cases) {
    packed_word_source next(heddle_test::seed());
    for (int i = 0; i < 5000; ++i) {
      const unsigned int a = next(), b = next();
      for (int bits : {16, 8}) {
        const long low = c.is_signed ? -(1L << (bits - 1)) : 0;
        const long high = c.is_signed ? (1L << (bits - 1)) - 1 : (1L << bits) - 1;
        const auto operation = [&](long x, long y) { return c.operation(x, y, low, high); };
        ASSERT_EQ((bits == 16 ? c.halves : c.bytes)(a, b),
                  taken_apart(a, b, bits, c.is_signed, operation))
            << c.name << ' ' << std::hex << a << ' ' << b << " bits " << bits;
      }
    }
  }
}

TEST(simd_functions, functions_of_one_word_treat_every_part_separately) {
  SCOPED_TRACE(heddle_test::seed_text());
  packed_word_source next(heddle_test::seed());
  for (int i = 0; i < 20000; ++i) {
    const unsigned int a = next();
    for (int bits : {16, 8}) {
      const long largest = (1L << (bits - 1)) - 1;
      const auto check = [&](const char* name, unsigned int ours, const long_operation& operation) {
        ASSERT_EQ(ours, taken_apart(a, a, bits, true, operation))
            << name << ' ' << std::hex << a << " bits " << bits;
      };
      check("abs", bits == 16 ? __vabs2(a) : __vabs4(a), [](long x, long) { return std::abs(x); });
      check("abs, saturated", bits == 16 ? __vabsss2(a) : __vabsss4(a),
            [&](long x, long) { return std::min(std::abs(x), largest); });
      check("neg", bits == 16 ? __vneg2(a) : __vneg4(a), [](long x, long) { return -x; });
      check("neg, saturated", bits == 16 ? __vnegss2(a) : __vnegss4(a),
            [&](long x, long) { return std::min(-x, largest); });
    }
  }
}

TEST(simd_functions, sums_of_distances_add_up_every_part) {
  SCOPED_TRACE(heddle_test::seed_text());
  packed_word_source next(heddle_test::seed());
  for (int i = 0; i < 20000; ++i) {
    const unsigned int a = next(), b = next();
    for (int bits : {16, 8}) {
      for (bool is_signed : {false, true}) {
        unsigned int sum = 0;
        taken_apart(a, b, bits, is_signed, [&](long x, long y) {
          sum += static_cast<unsigned int>(std::abs(x - y));
          return 0;
        });
        const unsigned int ours = bits == 16 ? (is_signed ? __vsads2(a, b) : __vsadu2(a, b))
                                             : (is_signed ? __vsads4(a, b) : __vsadu4(a, b));
        ASSERT_EQ(ours, sum) << std::hex << a << ' ' << b << " bits " << bits;
      }
    }
  }
}

}  // namespace
