// Double-precision functions whose argument is a rounding mode, against the processor in that mode.
#include <device_double_functions.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "host_rounding.hpp"
#include "random_bits.hpp"

namespace {

struct mode_pair {
  cudaRoundMode ours;
  int processor;
};
constexpr mode_pair modes[] = {{cudaRoundNearest, FE_TONEAREST},
                               {cudaRoundZero, FE_TOWARDZERO},
                               {cudaRoundPosInf, FE_UPWARD},
                               {cudaRoundMinInf, FE_DOWNWARD}};

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

TEST(double_functions, arithmetic_rounds_in_the_given_mode) {
  SCOPED_TRACE(heddle_test::seed_text());
  float_source<double, std::uint64_t> next(heddle_test::seed());
  for (int i = 0; i < 50000; ++i) {
    const double a = next(), b = next(), c = next();
    for (const mode_pair mode : modes) {
      const auto expected = [&](auto operation, auto... operands) {
        return under_mode<double>(mode.processor, operation, operands...);
      };
      const auto plus = [](double x, double y) { return x + y; };
      const auto minus = [](double x, double y) { return x - y; };
      const auto times = [](double x, double y) { return x * y; };
      const auto fused = [](double x, double y, double z) { return std::fma(x, y, z); };
      ASSERT_TRUE(same(dadd(a, b, mode.ours), expected(plus, a, b))) << a << ' ' << b;
      ASSERT_TRUE(same(dsub(a, b, mode.ours), expected(minus, a, b))) << a << ' ' << b;
      ASSERT_TRUE(same(dmul(a, b, mode.ours), expected(times, a, b))) << a << ' ' << b;
      ASSERT_TRUE(same(fma(a, b, c, mode.ours), expected(fused, a, b, c))) << a << ' ' << b;
    }
    ASSERT_TRUE(same(dadd(a, b), a + b));
    ASSERT_TRUE(same(dsub(a, b), a - b));
    ASSERT_TRUE(same(dmul(a, b), a * b));
  }
}

TEST(double_functions, conversions_round_in_the_given_mode) {
  const double number = 2.5;
  EXPECT_EQ(double2int(-number), -2);  // towards zero by default
  EXPECT_EQ(double2int(number, cudaRoundNearest), 2);
  EXPECT_EQ(double2int(number, cudaRoundPosInf), 3);
  EXPECT_EQ(double2int(-number, cudaRoundMinInf), -3);
  EXPECT_EQ(double2uint(number, cudaRoundPosInf), 3u);
  EXPECT_EQ(double2uint(-number), 0u);
  EXPECT_EQ(double2ll(-number, cudaRoundMinInf), -3);
  EXPECT_EQ(double2ull(number), 2u);
  const long long wide = (1LL << 53) + 1;  // between two doubles
  EXPECT_EQ(ll2double(wide), 0x1p53);
  EXPECT_EQ(ll2double(wide, cudaRoundPosInf), 0x1p53 + 2);
  EXPECT_EQ(ll2double(-wide, cudaRoundMinInf), -0x1p53 - 2);
  EXPECT_EQ(ull2double(wide, cudaRoundZero), 0x1p53);
  EXPECT_EQ(ull2double(wide, cudaRoundPosInf), 0x1p53 + 2);
  EXPECT_EQ(int2double(-7, cudaRoundZero), -7.0);
  EXPECT_EQ(uint2double(0xffffffffu), 4294967295.0);
  EXPECT_EQ(float2double(0.1f, cudaRoundPosInf), static_cast<double>(0.1f));
}

}  // namespace
