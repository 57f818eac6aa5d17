// Functions with a rounding mode in their name, against the processor in that rounding mode.
#include <gtest/gtest.h>
#include <math_functions.h>

#include <cfenv>
#include <cmath>
#include <vector>

#include "host_rounding.hpp"
#include "random_bits.hpp"

namespace {

struct mode_name {
  int mode;
  const char* name;
};
constexpr mode_name modes[] = {
    {FE_TONEAREST, "rn"}, {FE_TOWARDZERO, "rz"}, {FE_UPWARD, "ru"}, {FE_DOWNWARD, "rd"}};

template <typename Float>
struct functions {
  using two = Float (*)(Float, Float);
  two add[4], sub[4], mul[4], div[4];
  Float (*rcp[4])(Float);
  Float (*root[4])(Float);
  Float (*fma[4])(Float, Float, Float);
};
const functions<float> single_functions = {
    {__fadd_rn, __fadd_rz, __fadd_ru, __fadd_rd}, {__fsub_rn, __fsub_rz, __fsub_ru, __fsub_rd},
    {__fmul_rn, __fmul_rz, __fmul_ru, __fmul_rd}, {__fdiv_rn, __fdiv_rz, __fdiv_ru, __fdiv_rd},
    {__frcp_rn, __frcp_rz, __frcp_ru, __frcp_rd}, {__fsqrt_rn, __fsqrt_rz, __fsqrt_ru, __fsqrt_rd},
    {__fmaf_rn, __fmaf_rz, __fmaf_ru, __fmaf_rd}};
const functions<double> double_functions = {
    {__dadd_rn, __dadd_rz, __dadd_ru, __dadd_rd}, {__dsub_rn, __dsub_rz, __dsub_ru, __dsub_rd},
    {__dmul_rn, __dmul_rz, __dmul_ru, __dmul_rd}, {__ddiv_rn, __ddiv_rz, __ddiv_ru, __ddiv_rd},
    {__drcp_rn, __drcp_rz, __drcp_ru, __drcp_rd}, {__dsqrt_rn, __dsqrt_rz, __dsqrt_ru, __dsqrt_rd},
    {__fma_rn, __fma_rz, __fma_ru, __fma_rd}};

template <typename Float>
bool same(Float a, Float b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <typename Float>
void compare_all(const functions<Float>& f, Float a, Float b, Float c) {
  for (int i = 0; i < 4; ++i) {
    const int mode = modes[i].mode;
    const auto check = [&](const char* what, Float ours, Float expected) {
      if (same(ours, expected)) return;
      ADD_FAILURE() << what << '_' << modes[i].name << std::hexfloat << " of " << a << ", " << b
                    << ", " << c << ": " << ours << ", expected " << expected;
    };
    const auto plus = [](Float x, Float y) -> Float { return x + y; };
    const auto minus = [](Float x, Float y) -> Float { return x - y; };
    const auto times = [](Float x, Float y) -> Float { return x * y; };
    const auto over = [](Float x, Float y) -> Float { return x / y; };
    const auto root = [](Float x) -> Float { return std::sqrt(x); };
    const auto fused = [](Float x, Float y, Float z) -> Float { return std::fma(x, y, z); };
    check("add", f.add[i](a, b), under_mode<Float>(mode, plus, a, b));
    check("sub", f.sub[i](a, b), under_mode<Float>(mode, minus, a, b));
    check("mul", f.mul[i](a, b), under_mode<Float>(mode, times, a, b));
    check("div", f.div[i](a, b), under_mode<Float>(mode, over, a, b));
    check("rcp", f.rcp[i](a), under_mode<Float>(mode, over, Float(1), a));
    check("sqrt", f.root[i](a), under_mode<Float>(mode, root, a));
    check("fma", f.fma[i](a, b, c), under_mode<Float>(mode, fused, a, b, c));
  }
}

template <typename Float>
std::vector<Float> special_values() {
  using limits = std::numeric_limits<Float>;
  std::vector<Float> values = {0,
                               1,
                               3,
                               limits::denorm_min(),
                               3 * limits::denorm_min(),
                               limits::min(),
                               limits::min() - limits::denorm_min(),
                               limits::max(),
                               limits::max() / 2,
                               1 + limits::epsilon(),
                               1 - limits::epsilon() / 2,
                               limits::epsilon(),
                               limits::epsilon() / 2,
                               std::sqrt(limits::min()),
                               std::sqrt(limits::max()),
                               limits::infinity(),
                               limits::quiet_NaN()};
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  return values;
}

template <typename Float>
void compare_special_values(const functions<Float>& f) {
  const std::vector<Float> values = special_values<Float>();
  for (Float a : values) {
    for (Float b : values) {
      for (Float c : values) compare_all(f, a, b, c);
    }
  }
}

template <typename Float, typename Bits>
void compare_random_values(const functions<Float>& f) {
  SCOPED_TRACE(heddle_test::seed_text());
  float_source<Float, Bits> next(heddle_test::seed());
  Float a = next(), b = next();
  for (int i = 0; i < 300000 && !testing::Test::HasFailure(); ++i) {
    const Float c = next();
    compare_all(f, a, b, c);
    // The addend nearly cancels the product, which is the hardest case for a fused operation.
    compare_all(f, a, b, -(a * b));
    a = b;
    b = c;
  }
}

TEST(directed_arithmetic, rounds_special_single_values_as_the_processor_does) {
  compare_special_values(single_functions);
}
TEST(directed_arithmetic, rounds_special_double_values_as_the_processor_does) {
  compare_special_values(double_functions);
}
TEST(directed_arithmetic, rounds_random_single_values_as_the_processor_does) {
  compare_random_values<float, std::uint32_t>(single_functions);
}
TEST(directed_arithmetic, rounds_random_double_values_as_the_processor_does) {
  compare_random_values<double, std::uint64_t>(double_functions);
}

TEST(directed_arithmetic, reciprocal_root_is_the_nearest_float) {
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937_64 engine(heddle_test::seed());
  for (int i = 0; i < 300000; ++i) {
    const auto x = as_bits<float>(static_cast<std::uint32_t>(engine() & 0x7fffffff));
    if (!(x > 0) || std::isinf(x)) continue;
    const float result = __frsqrt_rn(x);
    // Compares x * m * m with 1 exactly, for the midpoints m on both sides: a product of
    // 24 + 25 + 25 bits needs two doubles.
    const auto product_minus_one = [x](double m) {
      const double square = m * m;  // 50 bits, exact
      const double high = square * x, low = std::fma(square, static_cast<double>(x), -high);
      return (high - 1) + low;
    };
    const double above = (static_cast<double>(result) + std::nextafter(result, HUGE_VALF)) / 2;
    const double below = (static_cast<double>(result) + std::nextafter(result, 0.0f)) / 2;
    ASSERT_GT(product_minus_one(above), 0) << std::hexfloat << x;
    ASSERT_LT(product_minus_one(below), 0) << std::hexfloat << x;
  }
  EXPECT_EQ(__frsqrt_rn(0.0f), HUGE_VALF);
  EXPECT_EQ(__frsqrt_rn(HUGE_VALF), 0.0f);
  EXPECT_TRUE(std::isnan(__frsqrt_rn(-1.0f)));
}

}  // namespace
