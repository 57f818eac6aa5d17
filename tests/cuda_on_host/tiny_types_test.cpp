// The types of 8, 6 and 4 bits: layout, constructors, conversion operators, pairs and fours.
#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>

#include "tiny_reference.hpp"
#include "tiny_samples.hpp"

namespace {

template <typename Traits>
class tiny_types : public testing::Test {};
using all_formats = testing::Types<e4m3_traits, e5m2_traits, e3m2_traits, e2m3_traits, e2m1_traits>;
TYPED_TEST_SUITE(tiny_types, all_formats);

template <typename Type, typename Word>
constexpr bool has_layout() {
  return sizeof(Type) == sizeof(Word) && alignof(Type) == sizeof(Word) &&
         std::is_same<decltype(Type::__x), Word>::value &&
         std::is_trivially_copyable<Type>::value &&
         std::is_trivially_default_constructible<Type>::value &&
         std::is_standard_layout<Type>::value;
}
template <typename Traits, typename Scalar, typename Pair, typename Four>
constexpr bool have_layouts() {
  return has_layout<typename Traits::scalar, Scalar>() &&
         has_layout<typename Traits::pair, Pair>() && has_layout<typename Traits::four, Four>();
}
static_assert(have_layouts<e4m3_traits, unsigned char, unsigned short, unsigned int>(), "e4m3");
static_assert(have_layouts<e5m2_traits, unsigned char, unsigned short, unsigned int>(), "e5m2");
static_assert(have_layouts<e3m2_traits, unsigned char, unsigned short, unsigned int>(), "e3m2");
static_assert(have_layouts<e2m3_traits, unsigned char, unsigned short, unsigned int>(), "e2m3");
static_assert(have_layouts<e2m1_traits, unsigned char, unsigned char, unsigned short>(), "e2m1");
static_assert(has_layout<__nv_fp8_e8m0, unsigned char>(), "e8m0");
static_assert(has_layout<__nv_fp8x2_e8m0, unsigned short>(), "e8m0");
static_assert(has_layout<__nv_fp8x4_e8m0, unsigned int>(), "e8m0");
static_assert(!std::is_convertible<float, __nv_fp8_e4m3>::value, "only said out loud");
static_assert(!std::is_convertible<__nv_fp8_e4m3, float>::value, "only said out loud");
static_assert(!std::is_constructible<__nv_fp8_e4m3, __nv_fp8_e5m2>::value, "not in one step");
static_assert(!std::is_constructible<__nv_bfloat162, __nv_fp8x2_e4m3>::value, "not in CUDA");
static_assert(std::is_constructible<__nv_bfloat162, __nv_fp8x2_e8m0>::value, "in CUDA");

template <typename Type, typename Word>
Type with_code(Word code) {
  Type value;
  value.__x = static_cast<decltype(value.__x)>(code);
  return value;
}

TYPED_TEST(tiny_types, constructors_round_to_nearest_and_saturate) {
  SCOPED_TRACE(heddle_test::seed_text());
  using scalar = typename TypeParam::scalar;
  const tiny_reference& reference = TypeParam::reference();
  for (float number : float_samples()) {
    const int expected = reference.nearest(number, reference.largest());
    ASSERT_EQ(scalar(number).__x, expected) << number;
    ASSERT_EQ(scalar(static_cast<double>(number)).__x, expected) << number;
  }
  for (double number : midpoint_samples(reference)) {
    ASSERT_EQ(scalar(number).__x, reference.nearest(number, reference.largest())) << number;
  }
  for (float nan : float_nans()) ASSERT_EQ(scalar(nan).__x, TypeParam::nan);
}

TYPED_TEST(tiny_types, every_half_and_bfloat16_is_rounded_like_its_value) {
  using scalar = typename TypeParam::scalar;
  const tiny_reference& reference = TypeParam::reference();
  for (int bits = 0; bits < 0x10000; ++bits) {
    const __half half_number = __ushort_as_half(static_cast<unsigned short>(bits));
    const __nv_bfloat16 brain_number = __ushort_as_bfloat16(static_cast<unsigned short>(bits));
    const float as_half = __half2float(half_number), as_brain = __bfloat162float(brain_number);
    ASSERT_EQ(scalar(half_number).__x, std::isnan(as_half)
                                           ? TypeParam::nan
                                           : reference.nearest(as_half, reference.largest()))
        << std::hex << bits;
    ASSERT_EQ(scalar(brain_number).__x, std::isnan(as_brain)
                                            ? TypeParam::nan
                                            : reference.nearest(as_brain, reference.largest()))
        << std::hex << bits;
  }
}

TYPED_TEST(tiny_types, integers_are_rounded_like_their_value) {
  using scalar = typename TypeParam::scalar;
  const tiny_reference& reference = TypeParam::reference();
  const auto expected = [&](double number) {
    return reference.nearest(number, reference.largest());
  };
  for (int number = -70000; number <= 70000; ++number) {
    ASSERT_EQ(scalar(number).__x, expected(number)) << number;
    ASSERT_EQ(scalar(static_cast<long>(number)).__x, expected(number)) << number;
    ASSERT_EQ(scalar(static_cast<long long>(number)).__x, expected(number)) << number;
    const auto small = static_cast<short>(number);
    ASSERT_EQ(scalar(small).__x, expected(small)) << number;
    const auto magnitude = static_cast<unsigned int>(std::abs(number));
    ASSERT_EQ(scalar(magnitude).__x, expected(magnitude)) << number;
    ASSERT_EQ(scalar(static_cast<unsigned long>(magnitude)).__x, expected(magnitude)) << number;
    ASSERT_EQ(scalar(static_cast<unsigned long long>(magnitude)).__x, expected(magnitude));
    const auto small_magnitude = static_cast<unsigned short>(magnitude);
    ASSERT_EQ(scalar(small_magnitude).__x, expected(small_magnitude)) << number;
  }
  EXPECT_EQ(scalar(std::numeric_limits<long long>::min()).__x, expected(-1e30));
  EXPECT_EQ(scalar(std::numeric_limits<unsigned long long>::max()).__x, expected(1e30));
}

TYPED_TEST(tiny_types, every_finite_code_has_its_value_in_every_type) {
  using scalar = typename TypeParam::scalar;
  const tiny_reference& reference = TypeParam::reference();
  for (int magnitude = 0; magnitude <= reference.largest(); ++magnitude) {
    for (int code : {magnitude, magnitude | reference.sign()}) {
      const scalar number = with_code<scalar>(code);
      const double value = reference.value(code);
      ASSERT_EQ(static_cast<float>(number), value) << code;
      ASSERT_EQ(std::signbit(static_cast<float>(number)), std::signbit(value)) << code;
      ASSERT_EQ(static_cast<double>(number), value) << code;
      ASSERT_EQ(__half2float(static_cast<__half>(number)), value) << code;
      ASSERT_EQ(__bfloat162float(static_cast<__nv_bfloat16>(number)), value) << code;
      ASSERT_EQ(static_cast<bool>(number), value != 0) << code;
      const auto whole = static_cast<long long>(value);  // truncates, as CUDA does
      const auto clamped = [&](long long low, long long high) {
        return std::clamp(whole, low, high);
      };
      ASSERT_EQ(static_cast<signed char>(number), clamped(-128, 127)) << code;
      ASSERT_EQ(static_cast<unsigned char>(number), clamped(0, 255)) << code;
      ASSERT_EQ(static_cast<char>(number),
                std::is_signed<char>::value ? clamped(-128, 127) : clamped(0, 255));
      ASSERT_EQ(static_cast<short>(number), clamped(-32768, 32767)) << code;
      ASSERT_EQ(static_cast<unsigned short>(number), clamped(0, 65535)) << code;
      ASSERT_EQ(static_cast<int>(number), whole) << code;
      ASSERT_EQ(static_cast<unsigned int>(number), clamped(0, 1 << 30)) << code;
      ASSERT_EQ(static_cast<long>(number), whole) << code;
      ASSERT_EQ(static_cast<unsigned long>(number), clamped(0, 1 << 30)) << code;
      ASSERT_EQ(static_cast<long long>(number), whole) << code;
      ASSERT_EQ(static_cast<unsigned long long>(number), clamped(0, 1 << 30)) << code;
    }
  }
}

TYPED_TEST(tiny_types, pairs_and_fours_hold_their_numbers_from_the_low_bits_on) {
  SCOPED_TRACE(heddle_test::seed_text());
  using scalar = typename TypeParam::scalar;
  using pair = typename TypeParam::pair;
  using four = typename TypeParam::four;
  float_source<float, std::uint32_t> next(heddle_test::seed());
  const auto packed = [](unsigned low, unsigned high) { return low | high << TypeParam::width; };
  for (int i = 0; i < 20000; ++i) {
    const float a = next(), b = next(), c = next(), d = next();
    const unsigned low = packed(scalar(a).__x, scalar(b).__x);
    const unsigned high = packed(scalar(c).__x, scalar(d).__x);
    const unsigned all = low | high << 2 * TypeParam::width;
    ASSERT_EQ(pair(float2{a, b}).__x, low);
    ASSERT_EQ(four(float4{a, b, c, d}).__x, all);

    const double doubles[] = {a, b, c, d};
    unsigned of_doubles = 0;
    for (int k = 3; k >= 0; --k) {
      of_doubles = of_doubles << TypeParam::width | scalar(doubles[k]).__x;
    }
    const unsigned pair_mask = (1u << 2 * TypeParam::width) - 1;
    ASSERT_EQ(pair(double2{a, b}).__x, of_doubles & pair_mask);
    ASSERT_EQ(four(double4{a, b, c, d}).__x, of_doubles);
    ASSERT_EQ(four(double4_16a{a, b, c, d}).__x, of_doubles);
    ASSERT_EQ(four(double4_32a{a, b, c, d}).__x, of_doubles);

    const __half2 halves[] = {__floats2half2_rn(a, b), __floats2half2_rn(c, d)};
    const __nv_bfloat162 brains[] = {__floats2bfloat162_rn(a, b), __floats2bfloat162_rn(c, d)};
    const unsigned low_halves = packed(scalar(halves[0].x).__x, scalar(halves[0].y).__x);
    const unsigned high_halves = packed(scalar(halves[1].x).__x, scalar(halves[1].y).__x);
    const unsigned low_brains = packed(scalar(brains[0].x).__x, scalar(brains[0].y).__x);
    const unsigned high_brains = packed(scalar(brains[1].x).__x, scalar(brains[1].y).__x);
    ASSERT_EQ(pair(halves[0]).__x, low_halves);
    ASSERT_EQ(pair(brains[0]).__x, low_brains);
    ASSERT_EQ(four(halves[0], halves[1]).__x, low_halves | high_halves << 2 * TypeParam::width);
    ASSERT_EQ(four(brains[0], brains[1]).__x, low_brains | high_brains << 2 * TypeParam::width);

    const auto bits = [](float number) { return as_bits<std::uint32_t>(number); };
    const auto value = [](unsigned code) { return static_cast<float>(with_code<scalar>(code)); };
    const unsigned code_mask = (1u << TypeParam::width) - 1;
    const float2 two = static_cast<float2>(with_code<pair>(low));
    ASSERT_EQ(bits(two.x), bits(value(low & code_mask)));
    ASSERT_EQ(bits(two.y), bits(value(low >> TypeParam::width)));
    const float4 wide = static_cast<float4>(with_code<four>(all));
    const float wide_parts[] = {wide.x, wide.y, wide.z, wide.w};
    for (int k = 0; k < 4; ++k) {
      ASSERT_EQ(bits(wide_parts[k]), bits(value(all >> k * TypeParam::width & code_mask)));
    }
    const __half2 half_pair = static_cast<__half2>(with_code<pair>(low));
    ASSERT_EQ(bits(__half2float(half_pair.x)), bits(two.x));
    ASSERT_EQ(bits(__half2float(half_pair.y)), bits(two.y));
  }
}

TEST(tiny_types_special, nan_and_infinity_convert_as_in_cuda) {
  for (int code : {0x7f, 0xff}) {
    const auto number = with_code<__nv_fp8_e4m3>(code);
    EXPECT_EQ(as_bits<std::uint32_t>(static_cast<float>(number)), 0x7fffffffu);
    EXPECT_EQ(__half_as_ushort(static_cast<__half>(number)), 0x7fff);
    EXPECT_EQ(__bfloat16_as_ushort(static_cast<__nv_bfloat16>(number)), 0x7fff);
    EXPECT_EQ(static_cast<unsigned char>(number), 0);
    EXPECT_EQ(static_cast<int>(number), 0);
    EXPECT_EQ(static_cast<unsigned long long>(number), 0x8000000000000000ull);
    EXPECT_TRUE(static_cast<bool>(number));
  }
  for (int code : {0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff}) {
    const auto number = with_code<__nv_fp8_e5m2>(code);
    EXPECT_EQ(as_bits<std::uint32_t>(static_cast<float>(number)), 0x7fffffffu);
    EXPECT_EQ(__half_as_ushort(static_cast<__half>(number)), 0x7fff);
    EXPECT_EQ(static_cast<signed char>(number), 0);
  }
  const auto infinity = with_code<__nv_fp8_e5m2>(0x7c), negative = with_code<__nv_fp8_e5m2>(0xfc);
  EXPECT_EQ(static_cast<float>(infinity), HUGE_VALF);
  EXPECT_EQ(static_cast<float>(negative), -HUGE_VALF);
  EXPECT_EQ(__half_as_ushort(static_cast<__half>(negative)), 0xfc00);
  EXPECT_EQ(static_cast<unsigned char>(infinity), 255);
  EXPECT_EQ(static_cast<short>(negative), -32768);
}

}  // namespace
