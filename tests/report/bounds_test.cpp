// The functions of the C library keep the bounds that the table of operations states for a GPU, so
// that results differ by no more than twice the bound.
#include <gtest/gtest.h>
#include <report/fidelity/operations.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

namespace heddle_report {
namespace {

// The number of ulp that the table gives for a function.
double bound_of(const std::string& name) {
  const operation_fact* const fact = fact_of_function(name);
  EXPECT_NE(fact, nullptr) << name;
  return fact == nullptr ? 0 : std::strtod(std::string(fact->how).c_str(), nullptr);
}

template <typename T, typename Function, typename Reference>
void expect_within_bound(const std::string& name, Function function, Reference reference,
                         double low, double high) {
  constexpr int samples = 20000;
  ASSERT_GT(bound_of(name), 0) << name;
  // glibc documents a larger error of two functions in double precision.
  const std::string_view function_name = name;
  const double of_library = function_name == "cbrt" ? 4 : function_name == "tanh" ? 2 : 0;
  const double bound = std::max(bound_of(name), of_library);
  for (int i = 0; i <= samples; ++i) {
    const T x = static_cast<T>(low + (high - low) * i / samples);
    const long double wanted = reference(static_cast<long double>(x));
    const T near = std::fabs(static_cast<T>(wanted));
    const long double unit = std::nextafter(near, std::numeric_limits<T>::infinity()) - near;
    // Half a unit more: the bound counts from the correctly rounded result.
    ASSERT_LE(std::fabs(static_cast<long double>(function(x)) - wanted), (bound + 0.5L) * unit)
        << name << " of " << x;
  }
}

#define EXPECT_BOTH(name, low, high)                                                               \
  expect_within_bound<float>(                                                                      \
      #name "f", [](float x) { return ::name##f(x); }, [](long double x) { return std::name(x); }, \
      low, high);                                                                                  \
  expect_within_bound<double>(                                                                     \
      #name, [](double x) { return ::name(x); }, [](long double x) { return std::name(x); }, low,  \
      high)

TEST(c_library, keeps_the_bounds_of_a_gpu) {
  EXPECT_BOTH(exp, -20, 20);
  EXPECT_BOTH(exp2, -20, 20);
  EXPECT_BOTH(expm1, -5, 5);
  EXPECT_BOTH(log, 0.001, 1000);
  EXPECT_BOTH(log2, 0.001, 1000);
  EXPECT_BOTH(log10, 0.001, 1000);
  EXPECT_BOTH(log1p, -0.9, 100);
  EXPECT_BOTH(sin, -30, 30);
  EXPECT_BOTH(cos, -30, 30);
  EXPECT_BOTH(tan, -1.5, 1.5);
  EXPECT_BOTH(asin, -1, 1);
  EXPECT_BOTH(acos, -1, 1);
  EXPECT_BOTH(atan, -50, 50);
  EXPECT_BOTH(sinh, -8, 8);
  EXPECT_BOTH(cosh, -8, 8);
  EXPECT_BOTH(tanh, -5, 5);
  EXPECT_BOTH(asinh, -50, 50);
  EXPECT_BOTH(acosh, 1, 50);
  EXPECT_BOTH(atanh, -0.9, 0.9);
  EXPECT_BOTH(cbrt, -100, 100);
  EXPECT_BOTH(erf, -3, 3);
  EXPECT_BOTH(erfc, -2, 4);
  EXPECT_BOTH(tgamma, 0.5, 20);
  EXPECT_BOTH(lgamma, 3, 100);
}

}  // namespace
}  // namespace heddle_report
