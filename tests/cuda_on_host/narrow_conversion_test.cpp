// Conversions of half and bfloat16: every pattern, every rounding mode, every midpoint.
#include <gtest/gtest.h>

#include <limits>

#include "narrow_reference.hpp"
#include "random_bits.hpp"

namespace {

constexpr direction all_directions[] = {direction::nearest, direction::zero, direction::up,
                                        direction::down};

template <typename Traits>
class narrow_conversion : public testing::Test {};
using both_types = testing::Types<half_traits, bfloat16_traits>;
TYPED_TEST_SUITE(narrow_conversion, both_types);

TYPED_TEST(narrow_conversion, every_pattern_converts_to_its_float_value) {
  for (int pattern = 0; pattern < 0x10000; ++pattern) {
    const auto number = TypeParam::from_bits(pattern);
    ASSERT_EQ(TypeParam::bits(number), pattern);
    const float value = TypeParam::to_float(number);
    const double expected = TypeParam::reference().value(pattern);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << std::hex << pattern;
    } else {
      ASSERT_EQ(value, expected) << std::hex << pattern;
      ASSERT_EQ(std::signbit(value), std::signbit(expected)) << std::hex << pattern;
    }
    ASSERT_EQ(as_bits<std::uint32_t>(static_cast<float>(number)), as_bits<std::uint32_t>(value));
  }
}

TYPED_TEST(narrow_conversion, every_pattern_survives_a_round_trip_through_float_and_double) {
  for (int pattern = 0; pattern < 0x10000; ++pattern) {
    const float value = TypeParam::to_float(TypeParam::from_bits(pattern));
    const int expected = TypeParam::reference().is_nan(pattern) ? 0x7fff : pattern;
    for (direction mode : all_directions) {
      ASSERT_EQ(TypeParam::bits(TypeParam::from_float(value, mode)), expected);
    }
    ASSERT_EQ(TypeParam::bits(TypeParam::from_double(value)), expected);
  }
}

template <typename Traits>
void expect_rounded(float value) {
  for (direction mode : all_directions) {
    const int expected = Traits::reference().round(static_cast<double>(value), mode);
    ASSERT_EQ(Traits::bits(Traits::from_float(value, mode)), expected)
        << std::hexfloat << value << " rounding " << static_cast<int>(mode);
  }
}

TYPED_TEST(narrow_conversion, floats_around_every_value_and_midpoint_round_in_every_direction) {
  const narrow_reference& reference = TypeParam::reference();
  for (int pattern = 0; pattern < reference.infinity(); ++pattern) {
    const double value = reference.value(pattern);
    const double next = pattern + 1 < reference.infinity()
                            ? reference.value(pattern + 1)
                            : value + (value - reference.value(pattern - 1));
    for (double point : {value, (value + next) / 2, next}) {
      const auto single = static_cast<float>(point);
      for (float sign : {1.0f, -1.0f}) {
        expect_rounded<TypeParam>(sign * single);
        expect_rounded<TypeParam>(sign * std::nextafter(single, HUGE_VALF));
        expect_rounded<TypeParam>(sign * std::nextafter(single, 0.0f));
      }
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(narrow_conversion, random_floats_round_in_every_direction) {
  SCOPED_TRACE(heddle_test::seed_text());
  float_source<float, std::uint32_t> next(heddle_test::seed());
  for (int i = 0; i < 1000000 && !this->HasFatalFailure(); ++i) expect_rounded<TypeParam>(next());
}

TYPED_TEST(narrow_conversion, doubles_around_every_midpoint_round_once) {
  const narrow_reference& reference = TypeParam::reference();
  for (int pattern = 0; pattern + 1 < reference.infinity(); ++pattern) {
    const double middle = (reference.value(pattern) + reference.value(pattern + 1)) / 2;
    // So close to the midpoint that float cannot represent the difference.
    for (double point : {middle, std::nextafter(middle, HUGE_VAL), std::nextafter(middle, 0.0)}) {
      for (double value : {point, -point}) {
        ASSERT_EQ(TypeParam::bits(TypeParam::from_double(value)), reference.round(value))
            << std::hexfloat << value;
      }
    }
  }
  EXPECT_EQ(TypeParam::bits(TypeParam::from_double(1e300)), reference.infinity());
  EXPECT_EQ(TypeParam::bits(TypeParam::from_double(-5e-324)), 0x8000);
  EXPECT_EQ(TypeParam::bits(TypeParam::from_double(std::nan(""))), 0x7fff);
}

// The result of an integer conversion by definition: round, then clamp. NaN gives 0, or only the
// top bit for 64 bits (PTX ISA, cvt).
template <typename Integer>
Integer expected_integer(double value, direction mode) {
  if (std::isnan(value)) {
    return sizeof(Integer) == 8 ? static_cast<Integer>(1ull << 63) : Integer(0);
  }
  double whole = std::floor(value);
  const double part = value - whole;
  if (mode == direction::up && part > 0) whole += 1;
  if (mode == direction::zero && part > 0 && value < 0) whole += 1;
  if (mode == direction::nearest && (part > 0.5 || (part == 0.5 && std::fmod(whole, 2) != 0))) {
    whole += 1;
  }
  using limits = std::numeric_limits<Integer>;
  if (whole >= std::ldexp(1.0, limits::digits)) return limits::max();
  if (whole < static_cast<double>(limits::min())) return limits::min();
  return static_cast<Integer>(whole);
}

template <typename Integer>
void expect_integers(const narrow_reference& reference, int pattern, Integer rn, Integer rz,
                     Integer ru, Integer rd) {
  const double value = reference.value(pattern);
  ASSERT_EQ(rn, expected_integer<Integer>(value, direction::nearest)) << value;
  ASSERT_EQ(rz, expected_integer<Integer>(value, direction::zero)) << value;
  ASSERT_EQ(ru, expected_integer<Integer>(value, direction::up)) << value;
  ASSERT_EQ(rd, expected_integer<Integer>(value, direction::down)) << value;
}

#define EXPECT_INTEGERS(reference, word, name, type)                                              \
  expect_integers<type>(reference, pattern, __##word##2##name##_rn(x), __##word##2##name##_rz(x), \
                        __##word##2##name##_ru(x), __##word##2##name##_rd(x))

TEST(narrow_conversion_to_integer, every_half_rounds_clamps_and_maps_nan) {
  const narrow_reference& reference = half_traits::reference();
  for (int pattern = 0; pattern < 0x10000 && !HasFatalFailure(); ++pattern) {
    const __half x = half_traits::from_bits(pattern);
    EXPECT_INTEGERS(reference, half, short, short);
    EXPECT_INTEGERS(reference, half, ushort, unsigned short);
    EXPECT_INTEGERS(reference, half, int, int);
    EXPECT_INTEGERS(reference, half, uint, unsigned int);
    EXPECT_INTEGERS(reference, half, ll, long long);
    EXPECT_INTEGERS(reference, half, ull, unsigned long long);
    const double value = reference.value(pattern);
    ASSERT_EQ(__half2char_rz(x), expected_integer<signed char>(value, direction::zero));
    ASSERT_EQ(__half2uchar_rz(x), expected_integer<unsigned char>(value, direction::zero));
    ASSERT_EQ(static_cast<int>(x), expected_integer<int>(value, direction::zero));
    ASSERT_EQ(static_cast<unsigned long>(x),
              expected_integer<unsigned long>(value, direction::zero));
    ASSERT_EQ(static_cast<bool>(x), value != 0);
  }
}
TEST(narrow_conversion_to_integer, every_bfloat16_rounds_clamps_and_maps_nan) {
  const narrow_reference& reference = bfloat16_traits::reference();
  for (int pattern = 0; pattern < 0x10000 && !HasFatalFailure(); ++pattern) {
    const __nv_bfloat16 x = bfloat16_traits::from_bits(pattern);
    EXPECT_INTEGERS(reference, bfloat16, short, short);
    EXPECT_INTEGERS(reference, bfloat16, ushort, unsigned short);
    EXPECT_INTEGERS(reference, bfloat16, int, int);
    EXPECT_INTEGERS(reference, bfloat16, uint, unsigned int);
    EXPECT_INTEGERS(reference, bfloat16, ll, long long);
    EXPECT_INTEGERS(reference, bfloat16, ull, unsigned long long);
  }
}

TEST(narrow_conversion_from_integer, rounds_once_in_every_direction) {
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937_64 engine(heddle_test::seed());
  for (int i = 0; i < 300000; ++i) {
    const std::uint64_t bits = engine() >> (engine() % 64);
    const auto value = static_cast<long long>(engine() % 2 ? bits : 0 - bits);
    // The reference only needs the value truncated to double and whether anything was cut off.
    const truncated exact = truncate([](long long x) { return static_cast<double>(x); }, value);
    const auto half = [&](direction mode) { return half_traits::reference().round(exact, mode); };
    ASSERT_EQ(__half_as_ushort(__ll2half_rn(value)), half(direction::nearest)) << value;
    ASSERT_EQ(__half_as_ushort(__ll2half_rz(value)), half(direction::zero)) << value;
    ASSERT_EQ(__half_as_ushort(__ll2half_ru(value)), half(direction::up)) << value;
    ASSERT_EQ(__half_as_ushort(__ll2half_rd(value)), half(direction::down)) << value;
    const auto brain = [&](direction mode) {
      return bfloat16_traits::reference().round(exact, mode);
    };
    ASSERT_EQ(__bfloat16_as_ushort(__ll2bfloat16_rn(value)), brain(direction::nearest)) << value;
    ASSERT_EQ(__bfloat16_as_ushort(__ll2bfloat16_rz(value)), brain(direction::zero)) << value;
    ASSERT_EQ(__bfloat16_as_ushort(__ll2bfloat16_ru(value)), brain(direction::up)) << value;
    ASSERT_EQ(__bfloat16_as_ushort(__ll2bfloat16_rd(value)), brain(direction::down)) << value;
    const auto small = static_cast<int>(value);
    const auto word = static_cast<unsigned int>(value);
    const auto tiny = static_cast<unsigned short>(value);
    ASSERT_EQ(__half_as_ushort(__int2half_rd(small)),
              half_traits::reference().round(static_cast<double>(small), direction::down));
    ASSERT_EQ(__half_as_ushort(__uint2half_rz(word)),
              half_traits::reference().round(static_cast<double>(word), direction::zero));
    ASSERT_EQ(__half_as_ushort(__ushort2half_ru(tiny)),
              half_traits::reference().round(static_cast<double>(tiny), direction::up));
    ASSERT_EQ(__half_as_ushort(__half(word)),
              half_traits::reference().round(static_cast<double>(word)));
  }
  EXPECT_EQ(__bfloat16_as_ushort(__ull2bfloat16_rn(~0ull)), 0x5f80);
  EXPECT_EQ(__bfloat16_as_ushort(__ull2bfloat16_rz(~0ull)), 0x5f7f);
}

TEST(narrow_conversion_between_types, rounds_once) {
  for (int pattern = 0; pattern < 0x10000; ++pattern) {
    const double of_half = half_traits::reference().value(pattern);
    const double of_bfloat16 = bfloat16_traits::reference().value(pattern);
    ASSERT_EQ(__bfloat16_as_ushort(__nv_bfloat16(half_traits::from_bits(pattern))),
              bfloat16_traits::reference().round(of_half));
    ASSERT_EQ(__half_as_ushort(__half(bfloat16_traits::from_bits(pattern))),
              half_traits::reference().round(of_bfloat16));
  }
}

}  // namespace
