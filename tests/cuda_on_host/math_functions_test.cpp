// CUDA's maths: functions that C++ lacks, fast intrinsics, minima and maxima.
#include <cuComplex.h>
#include <gtest/gtest.h>
#include <math_constants.h>
#include <math_functions.h>

#include <limits>
#include <type_traits>

#include "function_samples.hpp"
#include "random_bits.hpp"

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The distance of the two in units in the last place of `expected`.
double units_apart(double ours, double expected) {
  if (ours == expected) return 0;
  const double unit = std::nextafter(std::fabs(expected), infinity) - std::fabs(expected);
  return std::fabs(ours - expected) / unit;
}

template <std::size_t count>
void expect_samples(const char* name, double (*function)(double), const sample (&samples)[count],
                    double units) {
  for (const sample& s : samples) {
    EXPECT_LE(units_apart(function(s.argument), s.value), units)
        << name << " of " << s.argument << ": " << function(s.argument) << ", expected " << s.value;
  }
}
template <std::size_t count>
void expect_single_samples(const char* name, float (*function)(float), double (*in_double)(double),
                           const sample (&samples)[count]) {
  for (const sample& s : samples) {
    const auto argument = static_cast<float>(s.argument);
    const auto expected = static_cast<float>(in_double(argument));
    const float ours = function(argument);
    if (ours == expected) continue;
    const float unit = std::nextafter(std::fabs(expected), HUGE_VALF) - std::fabs(expected);
    EXPECT_LE(std::fabs(ours - expected), unit) << name << " of " << argument;
  }
}

#define EXPECT_SAMPLES(name, units)                   \
  expect_samples(#name, name, name##_samples, units); \
  expect_single_samples(#name "f", name##f, name, name##_samples)

TEST(math_functions, special_functions_have_their_values) {
  EXPECT_SAMPLES(erfcx, 3);
  EXPECT_SAMPLES(erfinv, 3);
  EXPECT_SAMPLES(erfcinv, 3);
  EXPECT_SAMPLES(normcdf, 3);
  EXPECT_SAMPLES(normcdfinv, 3);
  EXPECT_SAMPLES(cyl_bessel_i0, 40);
  EXPECT_SAMPLES(cyl_bessel_i1, 40);
  EXPECT_SAMPLES(sinpi, 2);
  EXPECT_SAMPLES(cospi, 2);
  EXPECT_SAMPLES(rcbrt, 2);
  EXPECT_SAMPLES(rsqrt, 2);
  EXPECT_SAMPLES(exp10, 2);
}

TEST(math_functions, special_functions_keep_their_limits) {
  EXPECT_EQ(erfcx(infinity), 0);
  EXPECT_EQ(erfcx(-infinity), infinity);
  EXPECT_EQ(erfcx(-30.0), infinity);
  EXPECT_TRUE(isnan(erfcx(NAN)));
  EXPECT_EQ(erfinv(1.0), infinity);
  EXPECT_EQ(erfinv(-1.0), -infinity);
  EXPECT_EQ(erfinv(0.0), 0);
  EXPECT_TRUE(isnan(erfinv(1.5)));
  EXPECT_EQ(erfcinv(0.0), infinity);
  EXPECT_EQ(erfcinv(2.0), -infinity);
  EXPECT_EQ(erfcinv(1.0), 0);
  EXPECT_TRUE(isnan(erfcinv(-0.1)));
  EXPECT_EQ(normcdf(infinity), 1);
  EXPECT_EQ(normcdf(-infinity), 0);
  EXPECT_EQ(normcdfinv(0.5), 0);
  EXPECT_EQ(normcdfinv(0.0), -infinity);
  EXPECT_EQ(normcdfinv(1.0), infinity);
  EXPECT_EQ(rsqrt(0.0), infinity);
  EXPECT_EQ(rsqrtf(4.0f), 0.5f);
  EXPECT_TRUE(isnan(rsqrt(-1.0)));
}

TEST(math_functions, half_turns_are_exact_at_quarters) {
  for (double n : {0.0, 1.0, 2.0, 3.0, 1e6, 1e6 + 1, 1e300}) {
    EXPECT_EQ(sinpi(n), 0) << n;
    EXPECT_FALSE(std::signbit(sinpi(n)));
    EXPECT_TRUE(std::signbit(sinpi(-n)));
    EXPECT_EQ(cospi(n), std::fmod(n, 2) == 0 ? 1 : -1) << n;
    if (n < 1e10) {
      EXPECT_EQ(cospi(n + 0.5), 0) << n;
      EXPECT_EQ(sinpi(n + 0.5), std::fmod(n, 2) == 0 ? 1 : -1) << n;
      EXPECT_EQ(cospi(-n - 0.5), 0) << n;
    }
  }
  EXPECT_TRUE(isnan(sinpi(infinity)));
  EXPECT_TRUE(isnan(cospi(-infinity)));
  double sine, cosine;
  sincospi(0.3, &sine, &cosine);
  EXPECT_EQ(sine, sinpi(0.3));
  EXPECT_EQ(cosine, cospi(0.3));
  float sine_single, cosine_single;
  sincospi(0.3f, &sine_single, &cosine_single);
  EXPECT_EQ(sine_single, sinpif(0.3f));
  EXPECT_EQ(cosine_single, cospif(0.3f));
  sincos(0.3f, &sine_single, &cosine_single);
  EXPECT_EQ(sine_single, sinf(0.3f));
}

TEST(math_functions, lengths_neither_overflow_nor_vanish) {
  EXPECT_EQ(norm3d(2, 3, 6), 7);
  EXPECT_EQ(norm4d(2, 4, 5, 6), 9);
  EXPECT_EQ(norm3d(0x1p1000 * 2, 0x1p1000 * 3, 0x1p1000 * 6), 0x1p1000 * 7);
  EXPECT_EQ(norm3d(0x1p-1040 * 2, 0x1p-1040 * 3, 0x1p-1040 * 6), 0x1p-1040 * 7);
  EXPECT_EQ(norm3d(NAN, infinity, 1), infinity);
  EXPECT_TRUE(isnan(norm3d(NAN, 1, 1)));
  EXPECT_EQ(rnorm3d(2, 3, 6), 1.0 / 7);
  EXPECT_EQ(rnorm4d(0, 0, 0, 0), infinity);
  EXPECT_EQ(rhypot(3.0, 4.0), 0.2);
  EXPECT_EQ(norm3df(0x1p120f * 2, 0x1p120f * 3, 0x1p120f * 6), 0x1p120f * 7);
  EXPECT_EQ(norm4df(2, 4, 5, 6), 9);
  EXPECT_EQ(norm3df(NAN, HUGE_VALF, 1), HUGE_VALF);
  const double components[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(norm(9, components), 3);
  EXPECT_EQ(rnorm(9, components), 1.0 / 3);
}

TEST(math_functions, fast_intrinsics_keep_the_manuals_special_cases) {
  EXPECT_EQ(__fdividef(6, 3), 2);
  EXPECT_EQ(__fdividef(1, 0x1p126f), 0x1p-126f);
  EXPECT_EQ(__fdividef(0x1p126f, 0x1.8p126f), 0);
  EXPECT_EQ(__fdividef(-1, 0x1p127f), 0);
  EXPECT_TRUE(isnan(__fdividef(HUGE_VALF, 0x1p127f)));
  EXPECT_TRUE(isnan(__fdividef(NAN, 0x1p127f)));
  EXPECT_EQ(__fdividef(1, HUGE_VALF), 0);
  EXPECT_TRUE(isnan(__powf(-2, 2)));
  EXPECT_EQ(__powf(2, 10), 1024);
  EXPECT_EQ(__powf(0, 2), 0);
  EXPECT_EQ(__saturatef(0.25f), 0.25f);
  EXPECT_EQ(__saturatef(7), 1);
  EXPECT_EQ(__saturatef(-7), 0);
  EXPECT_FALSE(std::signbit(__saturatef(-0.0f)));
  EXPECT_EQ(__saturatef(NAN), 0);
  EXPECT_EQ(__expf(1.5f), expf(1.5f));
  EXPECT_EQ(__exp10f(2), 100);
  EXPECT_EQ(__logf(3), logf(3));
  EXPECT_EQ(__log2f(8), 3);
  EXPECT_EQ(__log10f(1000), 3);
  float sine, cosine;
  __sincosf(0.5f, &sine, &cosine);
  EXPECT_EQ(sine, __sinf(0.5f));
  EXPECT_EQ(cosine, __cosf(0.5f));
  EXPECT_EQ(__tanf(0.5f), tanf(0.5f));
  EXPECT_EQ(__tanhf(0.5f), tanhf(0.5f));
}

TEST(math_functions, min_and_max_resolve_mixed_types_as_cuda_does) {
  static_assert(std::is_same_v<decltype(max(1, 2u)), unsigned>);
  static_assert(std::is_same_v<decltype(min(1u, -2)), unsigned>);
  static_assert(std::is_same_v<decltype(max(1l, 2ul)), unsigned long>);
  static_assert(std::is_same_v<decltype(max(1ll, 2ull)), unsigned long long>);
  static_assert(std::is_same_v<decltype(min(1.0f, 2.0)), double>);
  static_assert(std::is_same_v<decltype(min(1.0f, 2.0f)), float>);
  static_assert(std::is_same_v<decltype(max(short(1), short(2))), int>);
  static_assert(max(3, 4) == 4 && min(3ul, 4ul) == 3);
  EXPECT_EQ(max(-1, 2u), 4294967295u);
  EXPECT_EQ(min(-1, 2u), 2u);
  EXPECT_EQ(max(1.0f, NAN), 1.0f);
  EXPECT_EQ(min(std::nan(""), 2.0), 2.0);
  EXPECT_TRUE(isnan(max(NAN, NAN)));
  EXPECT_FALSE(std::signbit(max(-0.0f, 0.0f)));
  EXPECT_FALSE(std::signbit(max(0.0f, -0.0f)));
  EXPECT_TRUE(std::signbit(min(0.0, -0.0)));
  EXPECT_TRUE(std::signbit(min(-0.0, 0.0)));
  EXPECT_EQ(umax(1, 2), 2u);
  EXPECT_EQ(llmin(-1, 2), -1);
  EXPECT_EQ(ullmax(1, 2), 2u);
}

TEST(math_functions, constants_have_their_values) {
  EXPECT_EQ(CUDART_INF_F, HUGE_VALF);
  EXPECT_TRUE(isnan(CUDART_NAN_F));
  EXPECT_EQ(CUDART_PI, M_PI);
  EXPECT_EQ(CUDART_PI_F, static_cast<float>(M_PI));
  EXPECT_EQ(CUDART_LN2, M_LN2);
  EXPECT_EQ(CUDART_SQRT_TWO_F, static_cast<float>(M_SQRT2));
  EXPECT_EQ(CUDART_NORM_HUGE_F, std::numeric_limits<float>::max());
  EXPECT_EQ(CUDART_MIN_DENORM, std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(std::signbit(CUDART_NEG_ZERO_F));
}

TEST(complex_numbers, follow_the_definitions) {
  const cuDoubleComplex a = make_cuDoubleComplex(1, 2), b = make_cuDoubleComplex(3, -4);
  EXPECT_EQ(cuCadd(a, b).x, 4);
  EXPECT_EQ(cuCsub(a, b).y, 6);
  EXPECT_EQ(cuCmul(a, b).x, 11);
  EXPECT_EQ(cuCmul(a, b).y, 2);
  EXPECT_NEAR(cuCdiv(a, b).x, -0.2, 1e-15);
  EXPECT_NEAR(cuCdiv(a, b).y, 0.4, 1e-15);
  EXPECT_EQ(cuCabs(b), 5);
  EXPECT_EQ(cuCabs(make_cuDoubleComplex(0x1p1000 * 3, 0x1p1000 * 4)), 0x1p1000 * 5);
  EXPECT_EQ(cuConj(a).y, -2);
  EXPECT_EQ(cuCfma(a, b, a).x, 12);
  EXPECT_EQ(cuCfma(a, b, a).y, 4);
  const cuComplex tiny = make_cuComplex(0x1p-100f, 0x1p-100f);
  EXPECT_EQ(cuCrealf(cuCdivf(tiny, tiny)), 1);
  EXPECT_EQ(cuCimagf(cuCdivf(tiny, tiny)), 0);
  EXPECT_EQ(cuCabsf(make_cuFloatComplex(0, HUGE_VALF)), HUGE_VALF);
  EXPECT_EQ(cuComplexDoubleToFloat(a).y, 2.0f);
}

}  // namespace
