// Arithmetic, comparison and functions of half and bfloat16, against exact references.
#include <gtest/gtest.h>

#include "narrow_reference.hpp"
#include "random_bits.hpp"

namespace {

template <typename Traits>
class narrow_arithmetic : public testing::Test {};
using both_types = testing::Types<half_traits, bfloat16_traits>;
TYPED_TEST_SUITE(narrow_arithmetic, both_types);

// Random patterns, now and then close to the previous one.
class pattern_source {
 public:
  explicit pattern_source(std::uint64_t seed) : engine_(seed) {}
  int operator()() {
    const std::uint64_t word = engine_();
    const int fresh = static_cast<int>(word & 0xffff);
    const int choice = static_cast<int>(word >> 16 & 7);
    if (choice == 0)
      last_ ^= 0x8000;
    else if (choice == 1)
      last_ = (last_ + (fresh & 15) - 8) & 0xffff;
    else if (choice == 2)
      last_ = fresh & 0x83ff;
    else
      last_ = fresh;
    return last_;
  }

 private:
  std::mt19937_64 engine_;
  int last_ = 0;
};

int saturated(const narrow_reference& reference, int pattern) {
  const double value = reference.value(pattern);
  if (!(value > 0)) return 0;
  return value > 1 ? reference.round(1.0) : pattern;
}

TYPED_TEST(narrow_arithmetic, sums_products_and_quotients_round_once) {
  SCOPED_TRACE(heddle_test::seed_text());
  const narrow_reference& reference = TypeParam::reference();
  pattern_source next(heddle_test::seed());
  for (int i = 0; i < 1000000; ++i) {
    const int first = next(), second = next();
    const double a = reference.value(first), b = reference.value(second);
    const auto x = TypeParam::from_bits(first), y = TypeParam::from_bits(second);
    // A zero sum has the same sign under truncation as under rounding to nearest.
    const int sum = reference.round(truncate([](double p, double q) { return p + q; }, a, b));
    const int difference =
        reference.round(truncate([](double p, double q) { return p - q; }, a, b));
    const int product = reference.round(truncate([](double p, double q) { return p * q; }, a, b));
    const int quotient = reference.round(truncate([](double p, double q) { return p / q; }, a, b));
    ASSERT_EQ(TypeParam::bits(x + y), sum) << a << " + " << b;
    ASSERT_EQ(TypeParam::bits(x - y), difference) << a << " - " << b;
    ASSERT_EQ(TypeParam::bits(x * y), product) << a << " * " << b;
    ASSERT_EQ(TypeParam::bits(x / y), quotient) << a << " / " << b;
    ASSERT_EQ(TypeParam::bits(__hadd_rn(x, y)), sum);
    ASSERT_EQ(TypeParam::bits(__hadd_sat(x, y)), saturated(reference, sum));
    ASSERT_EQ(TypeParam::bits(__hsub_sat(x, y)), saturated(reference, difference));
    ASSERT_EQ(TypeParam::bits(__hmul_sat(x, y)), saturated(reference, product));
  }
}

TYPED_TEST(narrow_arithmetic, a_fused_product_and_sum_round_once) {
  SCOPED_TRACE(heddle_test::seed_text());
  const narrow_reference& reference = TypeParam::reference();
  pattern_source next(heddle_test::seed() + 1);
  for (int i = 0; i < 1000000; ++i) {
    const int first = next(), second = next();
    int third = next();
    const double a = reference.value(first), b = reference.value(second);
    // Half of the time, the addend nearly cancels the product.
    if (i % 2) third = ((reference.round(a * b) ^ 0x8000) + i / 2 % 3 - 1) & 0xffff;
    const double c = reference.value(third);
    const int expected = reference.round(
        truncate([](double p, double q, double r) { return std::fma(p, q, r); }, a, b, c));
    const auto x = TypeParam::from_bits(first), y = TypeParam::from_bits(second),
               z = TypeParam::from_bits(third);
    ASSERT_EQ(TypeParam::bits(__hfma(x, y, z)), expected) << a << " * " << b << " + " << c;
    ASSERT_EQ(TypeParam::bits(__hfma_sat(x, y, z)), saturated(reference, expected));
    const bool is_clamped = !reference.is_nan(expected) && expected & 0x8000;
    ASSERT_EQ(TypeParam::bits(__hfma_relu(x, y, z)), is_clamped ? 0 : expected);
  }
}

TYPED_TEST(narrow_arithmetic, a_tiny_addend_decides_a_tie_of_the_product) {
  const narrow_reference& reference = TypeParam::reference();
  // The product 1.5 * (1 + u) is a midpoint for odd u.
  for (int pattern = reference.round(1.0); pattern < reference.round(1.3); ++pattern) {
    const double a = reference.value(pattern);
    const double tiny = reference.value(1);
    for (double c : {tiny, -tiny, 0.0}) {
      const truncated exact =
          truncate([](double p, double q, double r) { return std::fma(p, q, r); }, a, 1.5, c);
      ASSERT_EQ(TypeParam::bits(__hfma(TypeParam::from_double(a), TypeParam::from_double(1.5),
                                       TypeParam::from_double(c))),
                reference.round(exact))
          << a << " " << c;
    }
  }
}

TYPED_TEST(narrow_arithmetic, comparison_follows_the_values_and_nan_rules) {
  SCOPED_TRACE(heddle_test::seed_text());
  const narrow_reference& reference = TypeParam::reference();
  pattern_source next(heddle_test::seed() + 2);
  for (int i = 0; i < 1000000; ++i) {
    const int first = next(), second = next();
    const double a = reference.value(first), b = reference.value(second);
    const auto x = TypeParam::from_bits(first), y = TypeParam::from_bits(second);
    const bool has_nan = std::isnan(a) || std::isnan(b);
    ASSERT_EQ(x == y, a == b);
    ASSERT_EQ(x != y, a != b);
    ASSERT_EQ(x < y, a < b);
    ASSERT_EQ(x > y, a > b);
    ASSERT_EQ(x <= y, a <= b);
    ASSERT_EQ(x >= y, a >= b);
    ASSERT_EQ(__hne(x, y), !has_nan && a != b);
    ASSERT_EQ(__hneu(x, y), has_nan || a != b);
    ASSERT_EQ(__hequ(x, y), has_nan || a == b);
    ASSERT_EQ(__hltu(x, y), has_nan || a < b);
    ASSERT_EQ(__hleu(x, y), has_nan || a <= b);
    ASSERT_EQ(__hgtu(x, y), has_nan || a > b);
    ASSERT_EQ(__hgeu(x, y), has_nan || a >= b);

    const bool first_is_smaller = a < b || (a == b && std::signbit(a));
    const int smaller = std::isnan(a)   ? (std::isnan(b) ? 0x7fff : second)
                        : std::isnan(b) ? first
                                        : (first_is_smaller ? first : second);
    const int larger = std::isnan(a)   ? (std::isnan(b) ? 0x7fff : second)
                       : std::isnan(b) ? first
                                       : (first_is_smaller ? second : first);
    ASSERT_EQ(TypeParam::bits(__hmin(x, y)), smaller);
    ASSERT_EQ(TypeParam::bits(__hmax(x, y)), larger);
    ASSERT_EQ(TypeParam::bits(__hmin_nan(x, y)), has_nan ? 0x7fff : smaller);
    ASSERT_EQ(TypeParam::bits(__hmax_nan(x, y)), has_nan ? 0x7fff : larger);
  }
}

TYPED_TEST(narrow_arithmetic, pairs_do_in_each_half_what_the_scalar_does) {
  SCOPED_TRACE(heddle_test::seed_text());
  using pair = typename TypeParam::pair;
  pattern_source next(heddle_test::seed() + 3);
  const auto bits = [](pair p) { return TypeParam::bits(p.x) | TypeParam::bits(p.y) << 16; };
  for (int i = 0; i < 100000; ++i) {
    const pair a(TypeParam::from_bits(next()), TypeParam::from_bits(next()));
    const pair b(TypeParam::from_bits(next()), TypeParam::from_bits(next()));
    const pair c(TypeParam::from_bits(next()), TypeParam::from_bits(next()));
    ASSERT_EQ(bits(a + b), bits(pair(a.x + b.x, a.y + b.y)));
    ASSERT_EQ(bits(a - b), bits(pair(a.x - b.x, a.y - b.y)));
    ASSERT_EQ(bits(a * b), bits(pair(a.x * b.x, a.y * b.y)));
    ASSERT_EQ(bits(a / b), bits(pair(a.x / b.x, a.y / b.y)));
    ASSERT_EQ(bits(-a), bits(pair(-a.x, -a.y)));
    ASSERT_EQ(bits(__hfma2(a, b, c)), bits(pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y))));
    ASSERT_EQ(bits(__hmax2(a, b)), bits(pair(__hmax(a.x, b.x), __hmax(a.y, b.y))));
    ASSERT_EQ(bits(__hmin2_nan(a, b)), bits(pair(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y))));
    ASSERT_EQ(a == b, a.x == b.x && a.y == b.y);
    ASSERT_EQ(a != b, a.x != b.x && a.y != b.y);  // true only if both halves differ
    ASSERT_EQ(a < b, a.x < b.x && a.y < b.y);
    ASSERT_EQ(__hbgtu2(a, b), __hgtu(a.x, b.x) && __hgtu(a.y, b.y));
    ASSERT_EQ(__hle2_mask(a, b), (a.x <= b.x ? 0xffffu : 0) | (a.y <= b.y ? 0xffff0000u : 0));
    const pair ones = __hge2(a, b);
    ASSERT_EQ(TypeParam::to_float(ones.x), a.x >= b.x ? 1.0f : 0.0f);
    ASSERT_EQ(TypeParam::to_float(ones.y), a.y >= b.y ? 1.0f : 0.0f);
  }
}

TYPED_TEST(narrow_arithmetic, functions_of_one_argument_are_right_for_every_pattern) {
  const narrow_reference& reference = TypeParam::reference();
  for (int pattern = 0; pattern < 0x10000; ++pattern) {
    const auto x = TypeParam::from_bits(pattern);
    const double a = reference.value(pattern);
    const int nan = 0x7fff;
    const bool is_nan = std::isnan(a);
    ASSERT_EQ(TypeParam::bits(-x), is_nan ? nan : pattern ^ 0x8000);
    ASSERT_EQ(TypeParam::bits(__habs(x)), is_nan ? nan : pattern & 0x7fff);
    ASSERT_EQ(TypeParam::bits(hsqrt(x)),
              reference.round(truncate([](double v) { return std::sqrt(v); }, a)));
    ASSERT_EQ(TypeParam::bits(hrcp(x)),
              reference.round(truncate([](double v) { return 1 / v; }, a)));
    ASSERT_EQ(TypeParam::bits(hfloor(x)), reference.round(std::floor(a)));
    ASSERT_EQ(TypeParam::bits(hceil(x)), reference.round(std::ceil(a)));
    ASSERT_EQ(TypeParam::bits(htrunc(x)), reference.round(std::trunc(a)));
    ASSERT_EQ(TypeParam::bits(hrint(x)), reference.round(std::nearbyint(a)));
    ASSERT_EQ(__hisnan(x), is_nan);
    ASSERT_EQ(__hisinf(x), std::isinf(a) ? (a > 0 ? 1 : -1) : 0);
    // These need not be correctly rounded: both neighbours of the long double result are accepted.
    const auto is_close = [&](typename TypeParam::scalar ours, long double exact) {
      const double ours_value = reference.value(TypeParam::bits(ours));
      if (std::isnan(exact)) return TypeParam::bits(ours) == nan;
      const int lower = reference.round(static_cast<double>(exact), direction::down);
      const int upper = reference.round(static_cast<double>(exact), direction::up);
      return ours_value == reference.value(lower) || ours_value == reference.value(upper);
    };
    const auto wide = static_cast<long double>(a);
    ASSERT_TRUE(is_close(hexp(x), std::exp(wide))) << a;
    ASSERT_TRUE(is_close(hexp2(x), std::exp2(wide))) << a;
    ASSERT_TRUE(is_close(hexp10(x), std::pow(10.0L, wide))) << a;
    ASSERT_TRUE(is_close(hlog(x), std::log(wide))) << a;
    ASSERT_TRUE(is_close(hlog2(x), std::log2(wide))) << a;
    ASSERT_TRUE(is_close(hlog10(x), std::log10(wide))) << a;
    ASSERT_TRUE(is_close(hsin(x), std::sin(wide))) << a;
    ASSERT_TRUE(is_close(hcos(x), std::cos(wide))) << a;
    ASSERT_TRUE(is_close(htanh(x), std::tanh(wide))) << a;
    ASSERT_TRUE(is_close(hrsqrt(x), 1 / std::sqrt(wide))) << a;
  }
}

TYPED_TEST(narrow_arithmetic, steps_and_compound_assignment_change_the_operand) {
  auto x = TypeParam::from_double(2);
  EXPECT_EQ(TypeParam::to_float(x++), 2);
  EXPECT_EQ(TypeParam::to_float(x--), 3);
  EXPECT_EQ(TypeParam::to_float(++x), 3);
  EXPECT_EQ(TypeParam::to_float(--x), 2);
  EXPECT_EQ(TypeParam::to_float(x += x), 4);
  EXPECT_EQ(TypeParam::to_float(x *= x), 16);
  EXPECT_EQ(TypeParam::to_float(x /= TypeParam::from_double(8)), 2);
  EXPECT_EQ(TypeParam::to_float(x -= x), 0);
  EXPECT_EQ(TypeParam::to_float(+x), 0);
}

TEST(narrow_arithmetic_complex, multiplies_and_adds_complex_numbers) {
  // (1 + 2i)(3 + 4i) + (5 + 6i) = -5 + 10i + 5 + 6i
  const __half2 result =
      __hcmadd(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4), __floats2half2_rn(5, 6));
  EXPECT_EQ(__low2float(result), 0);
  EXPECT_EQ(__high2float(result), 16);
}

}  // namespace
