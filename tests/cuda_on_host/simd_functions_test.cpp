// SIMD functions on the parts of a word, against scalar arithmetic on each part.
#include <dpx_functions.h>
#include <gtest/gtest.h>
#include <simd_functions.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "random_bits.hpp"

namespace {

using long_operation = std::function<long(long, long)>;

// Applies the operation to each part of `bits` bits and packs the results.
unsigned int taken_apart(unsigned int a, unsigned int b, int bits, bool is_signed,
                         const long_operation& operation) {
  const unsigned int range = 1u << bits;
  unsigned int result = 0;
  for (int position = 32 - bits; position >= 0; position -= bits) {
    long x = static_cast<long>(a / (1u << position) % range);
    long y = static_cast<long>(b / (1u << position) % range);
    if (is_signed && x >= range / 2) x -= range;
    if (is_signed && y >= range / 2) y -= range;
    result = result * range + static_cast<unsigned int>(operation(x, y) & (range - 1));
  }
  return result;
}

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
      CASE(__vsetgtu, false, x > y),
      CASE(__vsetles, true, x <= y),
      CASE(__vsetltu, false, x < y),
  };
  for (const case_of_two& c : cases) {
    std::mt19937_64 engine(heddle_test::seed());
    for (int i = 0; i < 5000; ++i) {
      const auto a = static_cast<unsigned int>(engine());
      auto b = static_cast<unsigned int>(engine());
      if (i % 4 == 0) b = a ^ (b & 0x01000180u);
      if (i % 4 == 1) b = a ^ 0x80808080u;
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

TEST(simd_functions, functions_of_one_word_and_sums_of_distances_are_right) {
  EXPECT_EQ(__vabs4(0x80ff017fu), 0x8001017fu);
  EXPECT_EQ(__vabsss4(0x80ff017fu), 0x7f01017fu);
  EXPECT_EQ(__vneg4(0x80ff017fu), 0x8001ff81u);
  EXPECT_EQ(__vnegss4(0x80ff017fu), 0x7f01ff81u);
  EXPECT_EQ(__vabs2(0x8000ffffu), 0x80000001u);
  EXPECT_EQ(__vabsss2(0x8000ffffu), 0x7fff0001u);
  EXPECT_EQ(__vneg2(0x80000001u), 0x8000ffffu);
  EXPECT_EQ(__vnegss2(0x80000001u), 0x7fffffffu);
  EXPECT_EQ(__vsadu4(0xff000102u, 0x00ff0201u), 255u + 255 + 1 + 1);
  EXPECT_EQ(__vsads4(0xff000102u, 0x00ff0201u), 1u + 1 + 1 + 1);
  EXPECT_EQ(__vsadu2(0xffff0001u, 0x00000003u), 65535u + 2);
  EXPECT_EQ(__vsads2(0xffff0001u, 0x00000003u), 1u + 2);
}

TEST(dpx_functions, sums_wrap_and_three_way_extremes_are_right) {
  const int most = 2147483647, least = -2147483647 - 1;
  EXPECT_EQ(__viaddmax_s32(3, 4, 5), 7);
  EXPECT_EQ(__viaddmax_s32(most, 1, -5), -5);
  EXPECT_EQ(__viaddmin_s32(most, 1, -5), least);
  EXPECT_EQ(__viaddmax_s32_relu(-3, 1, -7), 0);
  EXPECT_EQ(__viaddmax_u32(0xffffffffu, 2, 0), 1u);
  EXPECT_EQ(__vimax3_s32(-3, -1, -2), -1);
  EXPECT_EQ(__vimin3_s32(3, 1, 2), 1);
  EXPECT_EQ(__vimin3_s32_relu(-3, 1, 2), 0);
  EXPECT_EQ(__vimax3_u32(3, 0xffffffffu, 2), 0xffffffffu);
  EXPECT_EQ(__viaddmax_s16x2(0x7fff0001u, 0x00010001u, 0xfffe0000u), 0xfffe0002u);
  EXPECT_EQ(__viaddmax_u16x2(0xffff0001u, 0x00020001u, 0x00000005u), 0x00010005u);
  EXPECT_EQ(__vimin3_s16x2(0xffff0003u, 0x00010002u, 0x00020001u), 0xffff0001u);
  EXPECT_EQ(__vimin3_s16x2_relu(0xffff0003u, 0x00010002u, 0x00020001u), 0x00000001u);
  EXPECT_EQ(__vimax_s32_relu(-1, -2), 0);
  EXPECT_EQ(__vimin_s16x2_relu(0xffff0003u, 0x00010002u), 0x00000002u);
}

TEST(dpx_functions, extremes_report_which_operand_they_return) {
  bool first = false, high = false, low = false;
  EXPECT_EQ(__vibmax_s32(3, -4, &first), 3);
  EXPECT_TRUE(first);
  EXPECT_EQ(__vibmax_u32(3, 0xfffffffcu, &first), 0xfffffffcu);
  EXPECT_FALSE(first);
  EXPECT_EQ(__vibmin_s32(5, 5, &first), 5);
  EXPECT_TRUE(first);
  EXPECT_EQ(__vibmax_s16x2(0xffff0001u, 0x00010000u, &high, &low), 0x00010001u);
  EXPECT_FALSE(high);
  EXPECT_TRUE(low);
  EXPECT_EQ(__vibmin_u16x2(0xffff0001u, 0x00010001u, &high, &low), 0x00010001u);
  EXPECT_FALSE(high);
  EXPECT_TRUE(low);
}

}  // namespace
