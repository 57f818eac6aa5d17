// CUDA's conversion functions of 8, 6 and 4 bits: saturation, rounding modes, NaN, pairs.
#include <gtest/gtest.h>

#include "tiny_reference.hpp"
#include "tiny_samples.hpp"

namespace {

constexpr __nv_saturation_t saturations[] = {__NV_NOSAT, __NV_SATFINITE};

template <typename Traits>
class fp8_conversion : public testing::Test {};
using fp8_formats = testing::Types<e4m3_traits, e5m2_traits>;
TYPED_TEST_SUITE(fp8_conversion, fp8_formats);

TYPED_TEST(fp8_conversion, floats_and_doubles_are_rounded_once_in_both_saturation_modes) {
  SCOPED_TRACE(heddle_test::seed_text());
  const tiny_reference& reference = TypeParam::reference();
  for (__nv_saturation_t saturation : saturations) {
    const int beyond = saturation == __NV_SATFINITE ? reference.largest() : TypeParam::beyond;
    for (float number : float_samples()) {
      const int expected = reference.nearest(number, beyond);
      ASSERT_EQ(__nv_cvt_float_to_fp8(number, saturation, TypeParam::format), expected) << number;
      ASSERT_EQ(__nv_cvt_double_to_fp8(number, saturation, TypeParam::format), expected) << number;
    }
    for (double number : midpoint_samples(reference)) {
      ASSERT_EQ(__nv_cvt_double_to_fp8(number, saturation, TypeParam::format),
                reference.nearest(number, beyond))
          << number;
    }
  }
}

TYPED_TEST(fp8_conversion, every_half_and_bfloat16_is_rounded_in_both_saturation_modes) {
  const tiny_reference& reference = TypeParam::reference();
  for (__nv_saturation_t saturation : saturations) {
    const int beyond = saturation == __NV_SATFINITE ? reference.largest() : TypeParam::beyond;
    for (int bits = 0; bits < 0x10000; ++bits) {
      const __half_raw half_bits{static_cast<unsigned short>(bits)};
      const __nv_bfloat16_raw brain_bits{static_cast<unsigned short>(bits)};
      const float as_half = __half2float(half_bits), as_brain = __bfloat162float(brain_bits);
      ASSERT_EQ(__nv_cvt_halfraw_to_fp8(half_bits, saturation, TypeParam::format),
                std::isnan(as_half) ? 0x7f : reference.nearest(as_half, beyond))
          << std::hex << bits;
      ASSERT_EQ(__nv_cvt_bfloat16raw_to_fp8(brain_bits, saturation, TypeParam::format),
                std::isnan(as_brain) ? 0x7f : reference.nearest(as_brain, beyond))
          << std::hex << bits;
    }
  }
}

TYPED_TEST(fp8_conversion, every_code_converts_to_half) {
  const tiny_reference& reference = TypeParam::reference();
  for (int code = 0; code < 0x100; ++code) {
    const int magnitude = code & 0x7f;
    const bool is_infinity = TypeParam::format == __NV_E5M2 && magnitude == 0x7c;
    int expected = 0x7fff;
    if (magnitude <= reference.largest()) {
      expected = __half_as_ushort(__double2half(reference.value(code)));
    } else if (is_infinity) {
      expected = code & 0x80 ? 0xfc00 : 0x7c00;
    }
    ASSERT_EQ(__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(code), TypeParam::format).x,
              expected)
        << std::hex << code;
    const __half2_raw both = __nv_cvt_fp8x2_to_halfraw2(
        static_cast<unsigned short>(code << 8 | 0x38), TypeParam::format);
    ASSERT_EQ(both.y, expected) << std::hex << code;
    ASSERT_EQ(both.x, __half_as_ushort(__double2half(reference.value(0x38)))) << std::hex << code;
  }
}

TYPED_TEST(fp8_conversion, pairs_hold_the_first_number_in_the_low_byte) {
  SCOPED_TRACE(heddle_test::seed_text());
  float_source<float, std::uint32_t> next(heddle_test::seed());
  const auto packed = [](int low, int high) { return low | high << 8; };
  for (int i = 0; i < 20000; ++i) {
    const float a = next(), b = next();
    const __half2_raw halves = __floats2half2_rn(a, b);
    const __nv_bfloat162_raw brains = __floats2bfloat162_rn(a, b);
    for (__nv_saturation_t saturation : saturations) {
      constexpr auto format = TypeParam::format;
      ASSERT_EQ(__nv_cvt_float2_to_fp8x2(float2{a, b}, saturation, format),
                packed(__nv_cvt_float_to_fp8(a, saturation, format),
                       __nv_cvt_float_to_fp8(b, saturation, format)));
      ASSERT_EQ(__nv_cvt_double2_to_fp8x2(double2{a, b}, saturation, format),
                packed(__nv_cvt_double_to_fp8(a, saturation, format),
                       __nv_cvt_double_to_fp8(b, saturation, format)));
      ASSERT_EQ(__nv_cvt_halfraw2_to_fp8x2(halves, saturation, format),
                packed(__nv_cvt_halfraw_to_fp8(__half_raw{halves.x}, saturation, format),
                       __nv_cvt_halfraw_to_fp8(__half_raw{halves.y}, saturation, format)));
      ASSERT_EQ(
          __nv_cvt_bfloat16raw2_to_fp8x2(brains, saturation, format),
          packed(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{brains.x}, saturation, format),
                 __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{brains.y}, saturation, format)));
    }
  }
}

// A float's NaN loses sign and payload. CUDA's conversion from double keeps the sign, and in e5m2
// the upper two bits of the payload, of which the first becomes 1.
TEST(fp8_conversion_of_nan, keeps_the_bits_of_a_double_that_cuda_keeps) {
  for (__nv_saturation_t saturation : saturations) {
    for (float nan : float_nans()) {
      ASSERT_EQ(__nv_cvt_float_to_fp8(nan, saturation, __NV_E4M3), 0x7f);
      ASSERT_EQ(__nv_cvt_float_to_fp8(nan, saturation, __NV_E5M2), 0x7f);
    }
    const auto from_bits = [&](std::uint64_t bits, __nv_fp8_interpretation_t format) {
      return __nv_cvt_double_to_fp8(as_bits<double>(bits), saturation, format);
    };
    EXPECT_EQ(from_bits(0x7ff8000000000000, __NV_E4M3), 0x7f);
    EXPECT_EQ(from_bits(0xfff8000000000000, __NV_E4M3), 0xff);
    EXPECT_EQ(from_bits(0x7ff8000000000000, __NV_E5M2), 0x7e);
    EXPECT_EQ(from_bits(0xfff8000000000000, __NV_E5M2), 0xfe);
    EXPECT_EQ(from_bits(0x7ffc000000000000, __NV_E5M2), 0x7f);
    EXPECT_EQ(from_bits(0x7fffffffffffffff, __NV_E5M2), 0x7f);
  }
}

// The conversions of one format of 6 or 4 bits.
template <typename Traits>
struct finite_functions;
#define FINITE_FUNCTIONS(traits, kind, format)                                                   \
  template <>                                                                                    \
  struct finite_functions<traits> {                                                              \
    static int of(float value, cudaRoundMode mode) {                                             \
      return __nv_cvt_float_to_##kind(value, format, mode);                                      \
    }                                                                                            \
    static int of(double value, cudaRoundMode mode) {                                            \
      return __nv_cvt_double_to_##kind(value, format, mode);                                     \
    }                                                                                            \
    static int of(__half_raw value, cudaRoundMode mode) {                                        \
      return __nv_cvt_halfraw_to_##kind(value, format, mode);                                    \
    }                                                                                            \
    static int of(__nv_bfloat16_raw value, cudaRoundMode mode) {                                 \
      return __nv_cvt_bfloat16raw_to_##kind(value, format, mode);                                \
    }                                                                                            \
    static int of(float2 value, cudaRoundMode mode) {                                            \
      return __nv_cvt_float2_to_##kind##x2(value, format, mode);                                 \
    }                                                                                            \
    static int of(double2 value, cudaRoundMode mode) {                                           \
      return __nv_cvt_double2_to_##kind##x2(value, format, mode);                                \
    }                                                                                            \
    static int of(__half2_raw value, cudaRoundMode mode) {                                       \
      return __nv_cvt_halfraw2_to_##kind##x2(value, format, mode);                               \
    }                                                                                            \
    static int of(__nv_bfloat162_raw value, cudaRoundMode mode) {                                \
      return __nv_cvt_bfloat16raw2_to_##kind##x2(value, format, mode);                           \
    }                                                                                            \
    static int to_half(int code) {                                                               \
      return __nv_cvt_##kind##_to_halfraw(static_cast<__nv_##kind##_storage_t>(code), format).x; \
    }                                                                                            \
    static __half2_raw pair_to_half(int codes) {                                                 \
      return __nv_cvt_##kind##x2_to_halfraw2(static_cast<__nv_##kind##x2_storage_t>(codes),      \
                                             format);                                            \
    }                                                                                            \
  };
FINITE_FUNCTIONS(e3m2_traits, fp6, __NV_E3M2)
FINITE_FUNCTIONS(e2m3_traits, fp6, __NV_E2M3)
FINITE_FUNCTIONS(e2m1_traits, fp4, __NV_E2M1)
#undef FINITE_FUNCTIONS

template <typename Traits>
class finite_conversion : public testing::Test {};
using finite_formats = testing::Types<e3m2_traits, e2m3_traits, e2m1_traits>;
TYPED_TEST_SUITE(finite_conversion, finite_formats);

template <typename Traits>
int expected_code(double number, cudaRoundMode mode) {
  const tiny_reference& reference = Traits::reference();
  if (std::isnan(number)) return reference.largest();
  return mode == cudaRoundZero ? reference.truncated(number)
                               : reference.nearest(number, reference.largest());
}

TYPED_TEST(finite_conversion, numbers_are_rounded_once_to_nearest_or_towards_zero) {
  SCOPED_TRACE(heddle_test::seed_text());
  using functions = finite_functions<TypeParam>;
  for (cudaRoundMode mode : {cudaRoundNearest, cudaRoundZero}) {
    for (float number : float_samples()) {
      ASSERT_EQ(functions::of(number, mode), expected_code<TypeParam>(number, mode)) << number;
    }
    for (double number : midpoint_samples(TypeParam::reference())) {
      ASSERT_EQ(functions::of(number, mode), expected_code<TypeParam>(number, mode)) << number;
    }
    for (float nan : float_nans()) {
      ASSERT_EQ(functions::of(nan, mode), TypeParam::nan);
      ASSERT_EQ(functions::of(static_cast<double>(nan), mode), TypeParam::nan);
    }
    for (int bits = 0; bits < 0x10000; ++bits) {
      const __half_raw half_bits{static_cast<unsigned short>(bits)};
      const __nv_bfloat16_raw brain_bits{static_cast<unsigned short>(bits)};
      ASSERT_EQ(functions::of(half_bits, mode),
                expected_code<TypeParam>(__half2float(half_bits), mode))
          << std::hex << bits;
      ASSERT_EQ(functions::of(brain_bits, mode),
                expected_code<TypeParam>(__bfloat162float(brain_bits), mode))
          << std::hex << bits;
    }
  }
}

TYPED_TEST(finite_conversion, every_code_converts_to_half_whatever_the_bits_above_it) {
  using functions = finite_functions<TypeParam>;
  const tiny_reference& reference = TypeParam::reference();
  for (int byte = 0; byte < 0x100; ++byte) {
    const int code = byte & (2 * reference.sign() - 1);
    const int expected = __half_as_ushort(__double2half(reference.value(code)));
    ASSERT_EQ(functions::to_half(byte), expected) << byte;
    const __half2_raw pair = functions::pair_to_half(code << TypeParam::width | 3);
    ASSERT_EQ(pair.x, __half_as_ushort(__double2half(reference.value(3)))) << byte;
    ASSERT_EQ(pair.y, expected) << byte;
  }
}

TYPED_TEST(finite_conversion, pairs_hold_the_first_number_in_the_low_bits) {
  SCOPED_TRACE(heddle_test::seed_text());
  using functions = finite_functions<TypeParam>;
  float_source<float, std::uint32_t> next(heddle_test::seed());
  const auto packed = [](int low, int high) { return low | high << TypeParam::width; };
  for (int i = 0; i < 20000; ++i) {
    const float a = next(), b = next();
    const __half2_raw halves = __floats2half2_rn(a, b);
    const __nv_bfloat162_raw brains = __floats2bfloat162_rn(a, b);
    for (cudaRoundMode mode : {cudaRoundNearest, cudaRoundZero}) {
      const auto of = [&](auto value) { return functions::of(value, mode); };
      ASSERT_EQ(of(float2{a, b}), packed(of(a), of(b)));
      ASSERT_EQ(of(double2{a, b}), packed(of(static_cast<double>(a)), of(static_cast<double>(b))));
      ASSERT_EQ(of(halves), packed(of(__half_raw{halves.x}), of(__half_raw{halves.y})));
      ASSERT_EQ(of(brains),
                packed(of(__nv_bfloat16_raw{brains.x}), of(__nv_bfloat16_raw{brains.y})));
    }
  }
}

#ifndef NDEBUG
TEST(rounding_modes_death, a_mode_that_a_format_does_not_have_fails_an_assertion) {
  EXPECT_DEATH(__nv_cvt_float_to_fp6(1, __NV_E3M2, cudaRoundPosInf), "cudaRoundNearest");
  EXPECT_DEATH(__nv_cvt_double_to_fp4(1, __NV_E2M1, cudaRoundMinInf), "cudaRoundNearest");
  EXPECT_DEATH(__nv_cvt_float_to_e8m0(1, __NV_NOSAT, cudaRoundNearest), "cudaRoundPosInf");
}
#endif

}  // namespace
