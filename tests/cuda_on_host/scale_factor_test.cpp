// e8m0, powers of two as scale factors: both rounding modes, saturation, integers, pairs and fours.
#include <cuda_fp8.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "random_bits.hpp"
#include "tiny_samples.hpp"

namespace {

// Compares with every power: the smallest that is not below, or the largest that is not above.
int expected_code(double number, __nv_saturation_t saturation, cudaRoundMode mode) {
  const double magnitude = std::fabs(number);
  const int beyond = saturation == __NV_SATFINITE ? 0xfe : 0xff;
  if (std::isnan(number)) return 0xff;
  if (std::isinf(number)) return beyond;
  const auto power = [](int code) { return std::ldexp(1.0, code - 127); };
  if (mode == cudaRoundPosInf) {
    for (int code = 0; code <= 0xfe; ++code) {
      if (power(code) >= magnitude) return code;
    }
    return beyond;
  }
  int best = 0;
  for (int code = 0; code <= 0xfe; ++code) {
    if (power(code) <= magnitude) best = code;
  }
  return best;
}

template <typename Check>
void for_each_mode(Check check) {
  for (__nv_saturation_t saturation : {__NV_NOSAT, __NV_SATFINITE}) {
    for (cudaRoundMode mode : {cudaRoundPosInf, cudaRoundZero}) check(saturation, mode);
  }
}

TEST(scale_factor, floats_and_doubles_become_powers_of_two) {
  SCOPED_TRACE(heddle_test::seed_text());
  const std::vector<float> floats = float_samples();
  for_each_mode([&](__nv_saturation_t saturation, cudaRoundMode mode) {
    for (float number : floats) {
      const int expected = expected_code(number, saturation, mode);
      ASSERT_EQ(__nv_cvt_float_to_e8m0(number, saturation, mode), expected) << number;
      ASSERT_EQ(__nv_cvt_double_to_e8m0(number, saturation, mode), expected) << number;
    }
    for (int exponent = -140; exponent <= 140; ++exponent) {
      const double power = std::ldexp(1.0, exponent);
      for (double number : {std::nextafter(power, 0.0), power, std::nextafter(power, HUGE_VAL)}) {
        ASSERT_EQ(__nv_cvt_double_to_e8m0(number, saturation, mode),
                  expected_code(number, saturation, mode))
            << number;
      }
    }
    for (double number : {0.0, -0.0, 1e300, -1e300, 1e-300, 5e-324, HUGE_VAL, -HUGE_VAL}) {
      ASSERT_EQ(__nv_cvt_double_to_e8m0(number, saturation, mode),
                expected_code(number, saturation, mode))
          << number;
    }
    for (float nan : float_nans()) {
      ASSERT_EQ(__nv_cvt_float_to_e8m0(nan, saturation, mode), 0xff);
      ASSERT_EQ(__nv_cvt_double_to_e8m0(nan, saturation, mode), 0xff);
    }
  });
}

TEST(scale_factor, every_bfloat16_becomes_a_power_of_two) {
  for_each_mode([](__nv_saturation_t saturation, cudaRoundMode mode) {
    for (int bits = 0; bits < 0x10000; ++bits) {
      const __nv_bfloat16_raw raw{static_cast<unsigned short>(bits)};
      ASSERT_EQ(__nv_cvt_bfloat16raw_to_e8m0(raw, saturation, mode),
                expected_code(__bfloat162float(raw), saturation, mode))
          << std::hex << bits;
    }
  });
}

TEST(scale_factor, every_code_has_its_value_in_every_type) {
  for (int code = 0; code < 0xff; ++code) {
    const auto byte = static_cast<unsigned char>(code);
    const double value = std::ldexp(1.0, code - 127);
    EXPECT_EQ(__bfloat162float(__nv_cvt_e8m0_to_bf16raw(byte)), value);
    __nv_fp8_e8m0 number;
    number.__x = byte;
    EXPECT_EQ(static_cast<float>(number), value);
    EXPECT_EQ(static_cast<double>(number), value);
    EXPECT_EQ(__bfloat162float(static_cast<__nv_bfloat16>(number)), value);
    EXPECT_EQ(__half_as_ushort(static_cast<__half>(number)),
              __half_as_ushort(__double2half(value)));
    EXPECT_TRUE(static_cast<bool>(number));
    const double whole = std::trunc(value);
    EXPECT_EQ(static_cast<signed char>(number), std::min(whole, 127.0));
    EXPECT_EQ(static_cast<unsigned char>(number), std::min(whole, 255.0));
    EXPECT_EQ(static_cast<short>(number), std::min(whole, 32767.0));
    EXPECT_EQ(static_cast<unsigned short>(number), std::min(whole, 65535.0));
    EXPECT_EQ(static_cast<int>(number), std::min(whole, 2147483647.0));
    EXPECT_EQ(static_cast<unsigned int>(number), std::min(whole, 4294967295.0));
    EXPECT_EQ(static_cast<long long>(number), code < 127 + 63
                                                  ? static_cast<long long>(whole)
                                                  : std::numeric_limits<long long>::max());
    EXPECT_EQ(static_cast<unsigned long long>(number),
              code < 127 + 64 ? static_cast<unsigned long long>(whole)
                              : std::numeric_limits<unsigned long long>::max());
  }
  __nv_fp8_e8m0 nan;
  nan.__x = 0xff;
  EXPECT_EQ(__nv_cvt_e8m0_to_bf16raw(0xff).x, 0x7fff);
  EXPECT_TRUE(std::isnan(static_cast<float>(nan)));
  EXPECT_TRUE(static_cast<bool>(nan));
  EXPECT_EQ(static_cast<unsigned char>(nan), 0);
  EXPECT_EQ(static_cast<int>(nan), 0);
  EXPECT_EQ(static_cast<unsigned long long>(nan), 0x8000000000000000ull);
}

TEST(scale_factor, constructors_round_up_and_saturate) {
  SCOPED_TRACE(heddle_test::seed_text());
  const auto expected = [](double number) {
    return expected_code(number, __NV_SATFINITE, cudaRoundPosInf);
  };
  for (float number : float_samples()) {
    ASSERT_EQ(__nv_fp8_e8m0(number).__x, expected(number)) << number;
    ASSERT_EQ(__nv_fp8_e8m0(static_cast<double>(number)).__x, expected(number)) << number;
  }
  for (int bits = 0; bits < 0x10000; ++bits) {
    const __half half_number = __ushort_as_half(static_cast<unsigned short>(bits));
    const __nv_bfloat16 brain_number = __ushort_as_bfloat16(static_cast<unsigned short>(bits));
    ASSERT_EQ(__nv_fp8_e8m0(half_number).__x, expected(__half2float(half_number))) << bits;
    ASSERT_EQ(__nv_fp8_e8m0(brain_number).__x, expected(__bfloat162float(brain_number))) << bits;
    const auto small = static_cast<short>(bits);
    const auto natural = static_cast<unsigned short>(bits);
    ASSERT_EQ(__nv_fp8_e8m0(small).__x, expected(small)) << bits;
    ASSERT_EQ(__nv_fp8_e8m0(natural).__x, expected(natural)) << bits;
  }
}

TEST(scale_factor, integers_round_up_to_a_power_of_two) {
  EXPECT_EQ(__nv_fp8_e8m0(0).__x, 0);
  for (int exponent = 0; exponent < 64; ++exponent) {
    const unsigned long long power = 1ull << exponent;
    // A power of two is exact, and the number above it needs the next one.
    EXPECT_EQ(__nv_fp8_e8m0(power).__x, 127 + exponent);
    EXPECT_EQ(__nv_fp8_e8m0(static_cast<unsigned long>(power)).__x, 127 + exponent);
    EXPECT_EQ(__nv_fp8_e8m0(power + 1).__x, 127 + exponent + 1);
    if (exponent > 1) {
      EXPECT_EQ(__nv_fp8_e8m0(power - 1).__x, 127 + exponent);
    }
    const auto negative = static_cast<long long>(0 - power);
    EXPECT_EQ(__nv_fp8_e8m0(negative).__x, 127 + exponent);
    EXPECT_EQ(__nv_fp8_e8m0(static_cast<long>(negative)).__x, 127 + exponent);
    if (exponent < 31) {
      EXPECT_EQ(__nv_fp8_e8m0(static_cast<int>(power)).__x, 127 + exponent);
      EXPECT_EQ(__nv_fp8_e8m0(-static_cast<int>(power) - 1).__x, 127 + exponent + 1);
      EXPECT_EQ(__nv_fp8_e8m0(static_cast<unsigned int>(power) + 1).__x, 127 + exponent + 1);
    }
  }
  EXPECT_EQ(__nv_fp8_e8m0(~0ull).__x, 127 + 64);
}

TEST(scale_factor, pairs_and_fours_hold_their_numbers_from_the_low_byte_on) {
  SCOPED_TRACE(heddle_test::seed_text());
  float_source<float, std::uint32_t> next(heddle_test::seed());
  for (int i = 0; i < 20000; ++i) {
    const float a = next(), b = next(), c = next(), d = next();
    const auto code = [](float number) {
      return static_cast<unsigned>(expected_code(number, __NV_SATFINITE, cudaRoundPosInf));
    };
    const unsigned low = code(a) | code(b) << 8, high = code(c) | code(d) << 8;
    ASSERT_EQ(__nv_fp8x2_e8m0(float2{a, b}).__x, low);
    ASSERT_EQ(__nv_fp8x2_e8m0(double2{a, b}).__x, low);
    ASSERT_EQ(__nv_fp8x4_e8m0(float4{a, b, c, d}).__x, low | high << 16);
    ASSERT_EQ(__nv_fp8x4_e8m0(double4_32a{a, b, c, d}).__x, low | high << 16);
    for_each_mode([&](__nv_saturation_t saturation, cudaRoundMode mode) {
      const int both = expected_code(a, saturation, mode) | expected_code(b, saturation, mode) << 8;
      ASSERT_EQ(__nv_cvt_float2_to_e8m0x2(float2{a, b}, saturation, mode), both);
      ASSERT_EQ(__nv_cvt_double2_to_e8m0x2(double2{a, b}, saturation, mode), both);
      const __nv_bfloat162_raw brains = __floats2bfloat162_rn(a, b);
      const float2 rounded = __bfloat1622float2(brains);
      ASSERT_EQ(__nv_cvt_bfloat162raw_to_e8m0x2(brains, saturation, mode),
                expected_code(rounded.x, saturation, mode) |
                    expected_code(rounded.y, saturation, mode) << 8);
    });
    __nv_fp8x2_e8m0 pair;
    pair.__x = static_cast<unsigned short>(low);
    const __nv_bfloat162_raw brains = __nv_cvt_e8m0x2_to_bf162raw(pair.__x);
    ASSERT_EQ(brains.x, __nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(low)).x);
    ASSERT_EQ(brains.y, __nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(low >> 8)).x);
    const __nv_bfloat162_raw converted = static_cast<__nv_bfloat162>(pair);
    ASSERT_EQ(converted.x, brains.x);
    ASSERT_EQ(converted.y, brains.y);
    const float2 floats = static_cast<float2>(pair);
    ASSERT_EQ(as_bits<std::uint32_t>(floats.y), static_cast<std::uint32_t>(brains.y) << 16);
    ASSERT_EQ(__half_as_ushort(static_cast<__half2>(pair).x),
              __half_as_ushort(__float2half_rn(floats.x)));
  }
}

}  // namespace
