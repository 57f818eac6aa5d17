// Conversions with a rounding mode in their name, against the processor and the rules of PTX.
#include <gtest/gtest.h>
#include <type_conversions.h>

#include <cmath>
#include <functional>
#include <limits>

#include "host_rounding.hpp"
#include "random_bits.hpp"

namespace {

constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

// PTX ISA, cvt: NaN gives zero, or only the top bit if either side has 64 bits. Other values are
// rounded, then clamped.
template <typename Integer, typename Float>
Integer expected_integer(Float value, int mode) {
  using limits = std::numeric_limits<Integer>;
  if (std::isnan(value)) {
    const bool is_wide = sizeof(Float) == 8 || sizeof(Integer) == 8;
    return is_wide ? static_cast<Integer>(1ull << (sizeof(Integer) * 8 - 1)) : Integer(0);
  }
  const auto whole = under_mode<Float>(
      mode, [](Float x) { return std::nearbyint(x); }, value);
  if (whole >= std::ldexp(Float(1), limits::digits)) return limits::max();
  if (limits::is_signed ? whole < -std::ldexp(Float(1), limits::digits) : whole < 0) {
    return limits::min();
  }
  return static_cast<Integer>(whole);
}

template <typename Integer, typename Float>
struct to_integer_functions {
  Integer (*by_mode[4])(Float);
  void check(Float value) const {
    for (int i = 0; i < 4; ++i) {
      ASSERT_EQ(by_mode[i](value), (expected_integer<Integer>(value, modes[i])))
          << std::hexfloat << value << " mode " << i;
    }
  }
};
#define TO_INTEGER(source, name, type)                                              \
  to_integer_functions<type, source> {                                              \
    {                                                                               \
      __##source##2##name##_rn, __##source##2##name##_rz, __##source##2##name##_ru, \
          __##source##2##name##_rd                                                  \
    }                                                                               \
  }

template <typename Float>
void for_interesting_values(const std::function<void(Float)>& check) {
  float_source<Float, std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>> next(
      heddle_test::seed());
  for (int i = 0; i < 200000 && !testing::Test::HasFatalFailure(); ++i) check(next());
  for (int bits : {0, 1, 8, 15, 16, 23, 24, 31, 32, 52, 53, 62, 63, 64, 65, 100}) {
    const Float border = std::ldexp(Float(1), bits);
    for (Float value : {border, std::nextafter(border, Float(0)), border - Float(0.5),
                        border + Float(0.5), border + Float(1.5), border * Float(1.25)}) {
      check(value);
      check(-value);
    }
  }
  for (Float value :
       {Float(0), Float(-0.0), Float(0.5), Float(1.5), Float(2.5), Float(-0.5), Float(-1.5),
        Float(-2.5), Float(1e-30), Float(-1e-30), std::numeric_limits<Float>::infinity(),
        -std::numeric_limits<Float>::infinity(), std::numeric_limits<Float>::quiet_NaN()}) {
    check(value);
  }
}

TEST(type_conversions, float_to_integer_rounds_clamps_and_maps_nan) {
  SCOPED_TRACE(heddle_test::seed_text());
  for_interesting_values<float>([](float value) {
    TO_INTEGER(float, int, int).check(value);
    TO_INTEGER(float, uint, unsigned int).check(value);
    TO_INTEGER(float, ll, long long).check(value);
    TO_INTEGER(float, ull, unsigned long long).check(value);
  });
}
TEST(type_conversions, double_to_integer_rounds_clamps_and_maps_nan) {
  SCOPED_TRACE(heddle_test::seed_text());
  for_interesting_values<double>([](double value) {
    TO_INTEGER(double, int, int).check(value);
    TO_INTEGER(double, uint, unsigned int).check(value);
    TO_INTEGER(double, ll, long long).check(value);
    TO_INTEGER(double, ull, unsigned long long).check(value);
  });
}

TEST(type_conversions, out_of_range_and_nan_give_the_gpus_results) {
  EXPECT_EQ(__float2int_rz(1e20f), 2147483647);
  EXPECT_EQ(__float2int_rz(-1e20f), -2147483647 - 1);
  EXPECT_EQ(__float2int_rn(NAN), 0);
  EXPECT_EQ(__float2uint_rz(-3.0f), 0u);
  EXPECT_EQ(__float2uint_rz(NAN), 0u);
  EXPECT_EQ(__float2ll_rz(NAN), std::numeric_limits<long long>::min());
  EXPECT_EQ(__float2ull_rz(NAN), 0x8000000000000000ull);
  EXPECT_EQ(__double2int_rz(NAN), std::numeric_limits<int>::min());
  EXPECT_EQ(__double2uint_rz(NAN), 0x80000000u);
  EXPECT_EQ(__double2ull_rn(-1.0), 0u);
}

template <typename Float, typename Integer>
void expect_from_integer(Float (*const (&functions)[4])(Integer), Integer value) {
  for (int i = 0; i < 4; ++i) {
    const auto expected = under_mode<Float>(
        modes[i], [](Integer x) { return static_cast<Float>(x); }, value);
    ASSERT_EQ(functions[i](value), expected) << value << " mode " << i;
  }
}
#define FROM_INTEGER(target, name, type, value)                                                \
  {                                                                                            \
    target (*const functions[4])(type) = {__##name##2##target##_rn, __##name##2##target##_rz,  \
                                          __##name##2##target##_ru, __##name##2##target##_rd}; \
    expect_from_integer<target, type>(functions, static_cast<type>(value));                    \
  }

TEST(type_conversions, integer_to_float_rounds_in_every_direction) {
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937_64 engine(heddle_test::seed());
  for (int i = 0; i < 200000 && !HasFatalFailure(); ++i) {
    std::uint64_t value = engine() >> (engine() % 64);
    if (i % 3 == 0) value = (std::uint64_t(1) << (i % 64)) + i % 7 - 3;
    if (i % 2) value = 0 - value;
    FROM_INTEGER(float, int, int, value)
    FROM_INTEGER(float, uint, unsigned int, value)
    FROM_INTEGER(float, ll, long long, value)
    FROM_INTEGER(float, ull, unsigned long long, value)
    FROM_INTEGER(double, ll, long long, value)
    FROM_INTEGER(double, ull, unsigned long long, value)
    ASSERT_EQ(__int2double_rn(static_cast<int>(value)), static_cast<int>(value));
    ASSERT_EQ(__uint2double_rn(static_cast<unsigned>(value)), static_cast<unsigned>(value));
  }
}

TEST(type_conversions, double_to_float_rounds_in_every_direction) {
  SCOPED_TRACE(heddle_test::seed_text());
  float (*const functions[])(double) = {__double2float_rn, __double2float_rz, __double2float_ru,
                                        __double2float_rd};
  const auto check = [&](double value) {
    for (int i = 0; i < 4; ++i) {
      const auto expected = under_mode<float>(
          modes[i], [](double x) { return static_cast<float>(x); }, value);
      const float ours = functions[i](value);
      ASSERT_TRUE((std::isnan(ours) && std::isnan(expected)) ||
                  as_bits<std::uint32_t>(ours) == as_bits<std::uint32_t>(expected))
          << std::hexfloat << value << " mode " << i << ": " << ours;
    }
  };
  float_source<double, std::uint64_t> next(heddle_test::seed());
  float_source<float, std::uint32_t> next_single(heddle_test::seed());
  for (int i = 0; i < 300000 && !HasFatalFailure(); ++i) {
    check(next());
    const double near_float = next_single();
    check(near_float);
    check(std::nextafter(near_float, 0.0));
    check(near_float * 1.0000000298023224);  // about half a unit of float above
  }
}

TEST(type_conversions, bits_pass_unchanged) {
  EXPECT_EQ(__float_as_int(-0.0f), std::numeric_limits<int>::min());
  EXPECT_EQ(__float_as_uint(1.0f), 0x3f800000u);
  EXPECT_EQ(__int_as_float(0x3f800000), 1.0f);
  EXPECT_EQ(__uint_as_float(0xc0000000u), -2.0f);
  EXPECT_EQ(__double_as_longlong(1.0), 0x3ff0000000000000ll);
  EXPECT_EQ(__longlong_as_double(0x4000000000000000ll), 2.0);
  EXPECT_EQ(__double2hiint(-1.0), static_cast<int>(0xbff00000u));
  EXPECT_EQ(__double2loint(as_bits<double>(0x3ff00000fedcba98ull)), static_cast<int>(0xfedcba98u));
  EXPECT_EQ(__hiloint2double(0x3ff00000, static_cast<int>(0xfedcba98u)),
            as_bits<double>(0x3ff00000fedcba98ull));
}

}  // namespace
