// PTX's floating-point instructions and conversions against the processor and exact references.
#include <cuda_runtime.h>
#include <detail/inline_ptx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "host_rounding.hpp"
#include "random_bits.hpp"

namespace {

namespace ptx = heddle_host::ptx;
namespace how = heddle_host::ptx::how;

constexpr int rounds = 20000;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

// Special numbers often, other bit patterns else.
class samples {
 public:
  samples() : engine_(heddle_test::seed()) {}
  float operator()() {
    const float special[]{0.0f,   -0.0f,   1.0f,     -1.0f,     0.5f,
                          1e-40f, -1e-45f, infinity, -infinity, not_a_number};
    const auto bits = static_cast<unsigned>(engine_());
    const auto choice = engine_() % 20;
    return choice < 10 ? special[choice] : ptx::take<float>(bits);
  }
  unsigned bits() { return static_cast<unsigned>(engine_()); }

 private:
  std::mt19937_64 engine_;
};

// Equal bits, or both NaN.
void expect_same(float got, float expected) {
  if (expected != expected)
    ASSERT_TRUE(got != got) << got;
  else
    ASSERT_EQ(ptx::take<unsigned>(got), ptx::take<unsigned>(expected)) << got << ' ' << expected;
}

float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

TEST(ptx_numbers, each_rounding_mode_agrees_with_the_processor) {
  SCOPED_TRACE(heddle_test::seed_text());
  samples next;
  const auto sum_of = [](float x, float y) { return x + y; };
  const auto product_of = [](float x, float y) { return x * y; };
  const auto quotient_of = [](float x, float y) { return x / y; };
  const auto fused = [](float x, float y, float z) { return std::fma(x, y, z); };
  for (int round = 0; round < rounds; ++round) {
    const float a = next(), b = next(), c = next();
    expect_same(ptx::add<float, how::rz>(a, b), under_mode<float>(FE_TOWARDZERO, sum_of, a, b));
    expect_same(ptx::sub<float, how::rm>(a, b), under_mode<float>(FE_DOWNWARD, sum_of, a, -b));
    expect_same(ptx::mul<float, how::rp>(a, b), under_mode<float>(FE_UPWARD, product_of, a, b));
    expect_same(ptx::fma<float, how::rz>(a, b, c),
                under_mode<float>(FE_TOWARDZERO, fused, a, b, c));
    expect_same(ptx::div_rounded<float, how::rm>(a, b),
                under_mode<float>(FE_DOWNWARD, quotient_of, a, b));
    expect_same(ptx::add<float, how::rn>(a, b), a + b);
    expect_same(ptx::rcp<float, how::rn>(a), 1.0f / a);
    expect_same(ptx::mul<float, how::ftz>(a, b), flush(flush(a) * flush(b)));
    const float sum = a + b;
    expect_same(ptx::add<float, how::sat>(a, b), sum > 0 ? std::fmin(sum, 1.0f) : 0.0f);
  }
}

TEST(ptx_numbers, minimum_and_maximum_follow_their_modifiers) {
  expect_same(ptx::min<float, how::none>(not_a_number, 2), 2);
  expect_same(ptx::max<float, how::NaN>(not_a_number, 2), not_a_number);
  expect_same(ptx::min<float, how::none>(0.0f, -0.0f), -0.0f);
  expect_same(ptx::max<float, how::none>(-0.0f, 0.0f), 0.0f);
  expect_same(ptx::max<float, how::ftz>(1e-40f, -1.0f), 0.0f);
  expect_same(ptx::min<float, how::xorsign | how::abs>(-3, 2), -2);
  expect_same(ptx::max<float, how::xorsign | how::abs>(-3, -2), 3);
  EXPECT_EQ((ptx::min<int, how::relu>(-3, 5)), 0);
  EXPECT_EQ((ptx::max<int, how::relu>(-3, -5)), 0);
  expect_same(ptx::copysign<float>(-1, 7), -7);
}

TEST(ptx_numbers, comparisons_of_nan_hold_only_if_they_are_unordered) {
  EXPECT_FALSE((ptx::compare<float, how::eq>(not_a_number, 1)));
  EXPECT_FALSE((ptx::compare<float, how::ne>(not_a_number, 1)));
  EXPECT_TRUE((ptx::compare<float, how::neu>(not_a_number, 1)));
  EXPECT_TRUE((ptx::compare<float, how::ltu>(1, not_a_number)));
  EXPECT_FALSE((ptx::compare<float, how::ltu>(2, 1)));
  EXPECT_TRUE((ptx::compare<float, how::nan>(1, not_a_number)));
  EXPECT_FALSE((ptx::compare<float, how::num>(1, not_a_number)));
  EXPECT_TRUE((ptx::compare<float, how::eq | how::ftz>(1e-40f, -1e-40f)));
  EXPECT_FALSE((ptx::compare<unsigned, how::lo>(~0u, 0)));
  EXPECT_TRUE((ptx::compare<int, how::lt>(-1, 0)));
  EXPECT_TRUE((ptx::compare<unsigned, how::hs>(3, 3)));
}

TEST(ptx_numbers, a_set_is_all_ones_or_one) {
  EXPECT_EQ((ptx::set<unsigned, int, how::lt>(1, 2)), ~0u);
  EXPECT_EQ((ptx::set<float, int, how::lt>(1, 2)), 1.0f);
  EXPECT_EQ((ptx::set<int, int, how::lt | how::and_>(1, 2, false)), 0);
  EXPECT_EQ((ptx::set<int, int, how::lt | how::or_>(2, 1, true)), -1);
  EXPECT_EQ((ptx::set<int, int, how::lt | how::xor_>(1, 2, true)), 0);
  EXPECT_EQ((ptx::set<ptx::f16, int, how::lt>(1, 2).bits), 0x3c00);
  EXPECT_EQ((ptx::slct<int, float, how::none>(5, 6, not_a_number)), 6);
  EXPECT_EQ((ptx::slct<int, float, how::none>(5, 6, -0.0f)), 5);
}

TEST(ptx_numbers, properties_partition_the_numbers) {
  for (const float x : {0.0f, 1.0f, 1e-40f, infinity, not_a_number}) {
    EXPECT_EQ((ptx::testp<float, how::finite>(x)), std::isfinite(x)) << x;
    EXPECT_EQ((ptx::testp<float, how::infinite>(x)), std::isinf(x)) << x;
    EXPECT_EQ((ptx::testp<float, how::number>(x)), x == x) << x;
    EXPECT_EQ((ptx::testp<float, how::notanumber>(x)), x != x) << x;
    EXPECT_EQ((ptx::testp<float, how::normal>(x)), x == 1.0f || x == 0.0f) << x;
    EXPECT_EQ((ptx::testp<float, how::subnormal>(x)), x == 1e-40f) << x;
  }
}

// Each half against the function for one: exact in double, then rounded by an exhaustive search.
TEST(ptx_numbers, halves_are_computed_one_by_one_and_rounded_once) {
  SCOPED_TRACE(heddle_test::seed_text());
  samples next;
  const auto value = [](unsigned bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const double fraction = bits & 0x3ff;
    const double size =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -size : size;
  };
  // No neighbour of the result is closer to the exact value, and of two equally close ones the
  // even is chosen.
  const auto is_nearest = [&](unsigned got, double exact) {
    if ((got & 0x7fff) == 0x7c00) return std::fabs(exact) >= 65520;
    const double error = std::fabs(value(got) - exact);
    for (const int step : {-1, 1}) {
      const unsigned neighbour = got + static_cast<unsigned>(step);
      if ((neighbour & 0x7fff) >= 0x7c00 || (got & 0x7fff) == 0) continue;
      const double other = std::fabs(value(neighbour) - exact);
      if (other < error || (other == error && (got & 1) != 0)) return false;
    }
    return std::fabs(exact) < 65520;
  };
  for (int round = 0; round < rounds; ++round) {
    const unsigned a = next.bits() & 0xbfffbfff, b = next.bits() & 0xbfffbfff;
    const unsigned sum = ptx::add<ptx::f16x2, how::rn>({a}, {b}).bits;
    const unsigned product = ptx::mul<ptx::f16x2, how::rn>({a}, {b}).bits;
    for (const int shift : {0, 16}) {
      const unsigned x = a >> shift & 0xffff, y = b >> shift & 0xffff;
      ASSERT_TRUE(is_nearest(sum >> shift & 0xffff, value(x) + value(y))) << x << ' ' << y;
      ASSERT_TRUE(is_nearest(product >> shift & 0xffff, value(x) * value(y))) << x << ' ' << y;
    }
  }
  EXPECT_EQ((ptx::neg<ptx::bf16x2, how::none>({0x3f808000u}).bits), 0xbf800000u);
  EXPECT_EQ((ptx::fma<ptx::f16, how::rn | how::relu>({0x3c00}, {0xbc00}, {0}).bits), 0);
}

TEST(ptx_numbers, conversions_of_integers_clamp_only_if_they_saturate) {
  EXPECT_EQ((ptx::cvt<ptx::s8, int, how::none>(300)), 44);
  EXPECT_EQ((ptx::cvt<ptx::s8, int, how::sat>(300)), 127);
  EXPECT_EQ((ptx::cvt<ptx::u8, int, how::sat>(-5)), 0);
  EXPECT_EQ((ptx::cvt<int, unsigned, how::sat>(~0u)), 0x7fffffff);
  EXPECT_EQ((ptx::cvt<unsigned, long long, how::sat>(-1)), 0u);
  EXPECT_EQ((ptx::cvt<unsigned, long long, how::sat>(1ll << 40)), ~0u);
  EXPECT_EQ((ptx::cvt<ptx::s16, long long, how::sat>(-1ll << 40)), -32768);
  EXPECT_EQ((ptx::cvt<long long, int, how::none>(-2)), -2);
}

TEST(ptx_numbers, clamped_integers_are_packed) {
  EXPECT_EQ((ptx::cvt_pack<ptx::s16, int>(-70000, 5)), 0x80000005u);
  EXPECT_EQ((ptx::cvt_pack<ptx::u8, int, unsigned>(300, -1, 0xabcd1234u)), 0x1234ff00u);
  EXPECT_EQ((ptx::cvt_pack<ptx::s8, int, unsigned>(-2, 200, 0)), 0xfe7fu);
}

TEST(ptx_numbers, pairs_of_floats_are_computed_one_by_one) {
  const auto pair = [](float upper, float lower) {
    return ptx::f32x2{static_cast<ptx::u64>(ptx::take<unsigned>(upper)) << 32 |
                      ptx::take<unsigned>(lower)};
  };
  const auto a = pair(3, -2), b = pair(0.5f, 8);
  EXPECT_EQ((ptx::add<ptx::f32x2, how::rn>(a, b).bits), pair(3.5f, 6).bits);
  EXPECT_EQ((ptx::sub<ptx::f32x2, how::rn>(a, b).bits), pair(2.5f, -10).bits);
  EXPECT_EQ((ptx::fma<ptx::f32x2, how::rn>(a, b, a).bits), pair(4.5f, -18).bits);
  EXPECT_EQ((ptx::mul<ptx::f32x2, how::ftz>(pair(1e-40f, 2), b).bits), pair(0, 16).bits);
}

TEST(ptx_numbers, conversions_of_numbers_round_as_they_say) {
  EXPECT_EQ((ptx::cvt<int, float, how::rni>(2.5f)), 2);
  EXPECT_EQ((ptx::cvt<int, float, how::rzi>(-2.7f)), -2);
  EXPECT_EQ((ptx::cvt<int, float, how::rmi>(-2.1f)), -3);
  EXPECT_EQ((ptx::cvt<int, float, how::rpi>(2.1f)), 3);
  EXPECT_EQ((ptx::cvt<int, float, how::rzi>(not_a_number)), 0);
  EXPECT_EQ((ptx::cvt<ptx::u8, float, how::rzi>(1e9f)), 255);
  EXPECT_EQ((ptx::cvt<unsigned, double, how::rzi>(-1.0)), 0u);
  expect_same(ptx::cvt<float, float, how::rni>(2.5f), 2.0f);
  expect_same(ptx::cvt<float, float, how::rpi>(-0.5f), -0.0f);
  expect_same(ptx::cvt<float, float, how::sat>(not_a_number), 0.0f);
  expect_same(ptx::cvt<float, int, how::rz>(0x7fffffff), 0x7fffff80);
  expect_same(ptx::cvt<float, double, how::rp>(1 + 1e-12), std::nextafter(1.0f, 2.0f));
  EXPECT_EQ((ptx::cvt<ptx::f16, float, how::rn>(65520.0f).bits), 0x7c00);
  EXPECT_EQ((ptx::cvt<ptx::f16, float, how::rz>(65520.0f).bits), 0x7bff);
  EXPECT_EQ((ptx::cvt<ptx::bf16, float, how::rn>(1.0f).bits), 0x3f80);
  expect_same(ptx::cvt<float, ptx::f16, how::none>({0xc000}), -2.0f);
  EXPECT_EQ((ptx::cvt_pair<ptx::f16x2, float, how::rn>(1.0f, 2.0f).bits), 0x3c004000u);
  EXPECT_EQ(ptx::cvt_rna_tf32(ptx::take<float>(0x3f801000u)), 0x3f802000u);
  EXPECT_EQ(ptx::cvt_rna_tf32(ptx::take<float>(0x3f800fffu)), 0x3f800000u);
}

// All 256 patterns there and back; then values between them, against a search for the nearest.
TEST(ptx_numbers, floats_of_8_bits_round_to_the_nearest_and_saturate) {
  const auto e4m3 = [](unsigned bits) {
    const int exponent = static_cast<int>(bits >> 3 & 15);
    const double fraction = bits & 7;
    const double size =
        exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8 + fraction, exponent - 10);
    return bits & 0x80 ? -size : size;
  };
  for (unsigned bits = 0; bits < 256; ++bits) {
    if ((bits & 0x7f) == 0x7f) continue;
    const auto x = static_cast<float>(e4m3(bits));
    const auto both = ptx::cvt_pair<ptx::e4m3x2, float, how::rn | how::satfinite>(x, 1.0f);
    EXPECT_EQ(both.bits, bits << 8 | 0x38) << bits;
    const auto wide = ptx::cvt_widen_pair<ptx::f16x2, ptx::e4m3x2, how::rn>(both);
    expect_same(ptx::cvt<float, ptx::f16, how::none>({static_cast<ptx::u16>(wide.bits >> 16)}), x);
  }
  const auto convert = [](float x) {
    return ptx::cvt_pair<ptx::e4m3x2, float, how::rn | how::satfinite>(0.0f, x).bits;
  };
  for (unsigned bits = 0; bits < 0x7e; ++bits) {
    const double low = e4m3(bits), high = e4m3(bits + 1);
    const auto middle = static_cast<float>((low + high) / 2);
    EXPECT_EQ(convert(middle), bits % 2 == 0 ? bits : bits + 1);
    EXPECT_EQ(convert(std::nextafter(middle, 0.0f)), bits);
    EXPECT_EQ(convert(std::nextafter(middle, 1000.0f)), bits + 1);
  }
  EXPECT_EQ(convert(1e6f), 0x7e);
  EXPECT_EQ(convert(-infinity), 0xfe);
  EXPECT_EQ(convert(not_a_number), 0x7f);
  const auto small = ptx::cvt_pair<ptx::e5m2x2, float, how::rn | how::satfinite>(1e9f, -1.0f);
  EXPECT_EQ(small.bits, 0x7bbc);
}

}  // namespace
