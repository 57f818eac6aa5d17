// CUDA's names next to those of the standard library: user code with `using namespace std` stays
// unambiguous.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include <bit_functions.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <device_double_functions.h>
#include <device_functions.h>
#include <math_constants.h>
#include <math_functions.h>
#include <type_conversions.h>
#include <vector_functions.h>

#include <gtest/gtest.h>

namespace without_using {

template <typename T>
T largest(T a, T b) {
  return max(a, b);
}

void use() {
  EXPECT_TRUE((max(1, 2) == 2));
  EXPECT_TRUE((max(1, 2u) == 2));
  EXPECT_TRUE((min(1ul, 2ul) == 1));
  EXPECT_TRUE((min(std::size_t(3), std::size_t(2)) == 2));
  EXPECT_TRUE((max(1.0f, 2.0f) == 2));
  EXPECT_TRUE((max(1.0, 2.0f) == 2));
  EXPECT_TRUE((largest(3ll, 4ll) == 4));
  EXPECT_TRUE((abs(-1) == 1));
  EXPECT_TRUE((abs(-1.5f) == 1.5f));
  EXPECT_TRUE((abs(-1.5) == 1.5));
  EXPECT_TRUE((abs(-3l) == 3));
  EXPECT_TRUE((abs(-3ll) == 3));
  EXPECT_TRUE((sizeof(sqrt(2.0f)) == sizeof(float)));
  EXPECT_TRUE((sizeof(fabs(2.0f)) == sizeof(float)));
  EXPECT_TRUE((sizeof(exp10(2.0f)) == sizeof(float)));
  EXPECT_TRUE((sizeof(rsqrt(2.0f)) == sizeof(float)));
  EXPECT_TRUE((isnan(NAN) && !isinf(1.0) && isfinite(1.0f) && signbit(-1.0f)));
  EXPECT_TRUE((pow(2.0f, 3) == 8 && pow(2.0, 3.0) == 8 && pow(2, 3) == 8));
  EXPECT_TRUE((round(2.5f) == 3 && rint(2.5) == 2 && trunc(-2.5) == -2 && ceil(2.1f) == 3));
  EXPECT_TRUE((fmin(1.0f, 2.0f) == 1 && fmaxf(1, 2) == 2 && fma(2.0, 3.0, 4.0) == 10));
  EXPECT_TRUE((hypot(3.0, 4.0) == 5 && fmod(5.0f, 3.0f) == 2 && copysign(1.0, -2.0) == -1));
}

}  // namespace without_using

namespace with_using {

using namespace std;

void use() {
  EXPECT_TRUE((max(1, 2) == 2));
  EXPECT_TRUE((max(1, 2u) == 2));
  EXPECT_TRUE((min(size_t(3), size_t(2)) == 2));
  EXPECT_TRUE((max(1.0f, 2.0f) == 2));
  EXPECT_TRUE((max<int>(1, 2) == 2));
  EXPECT_TRUE((max({1, 2, 3}) == 3));
  EXPECT_TRUE((max('a', 'b') == 'b'));
  EXPECT_TRUE((max(1, 2, [](int a, int b) { return a > b; }) == 1));
  EXPECT_TRUE((min(short(1), short(2)) == 1));
  EXPECT_TRUE((abs(-1) == 1 && abs(-1.5f) == 1.5f && abs(-1.5) == 1.5 && abs(-3l) == 3));
  EXPECT_TRUE((abs(complex<double>(3, 4)) == 5));
  EXPECT_TRUE((norm(complex<double>(3, 4)) == 25));
  const double components[] = {3, 4};
  EXPECT_TRUE((norm(2, components) == 5));
  EXPECT_TRUE((isnan(NAN) && !isinf(1.0) && isfinite(1.0f) && !signbit(1.0)));
  EXPECT_TRUE((pow(2.0f, 3) == 8 && round(2.5) == 3 && log2(8.0f) == 3 && exp2(3.0) == 8));
  EXPECT_TRUE((sqrt(4.0f) == 2 && cbrt(1.0) == 1 && fabs(-1.0f) == 1 && floor(2.5f) == 2));
  EXPECT_TRUE((lround(2.5) == 3 && remainder(5.0, 3.0) == -1 && ldexp(1.0f, 3) == 8));
  vector<int> numbers{3, 1, 2};
  EXPECT_TRUE((*max_element(numbers.begin(), numbers.end()) == 3));
  EXPECT_TRUE(
      (accumulate(numbers.begin(), numbers.end(), 0, [](int a, int b) { return max(a, b); }) == 3));
  const half h = 2.0f;
  EXPECT_TRUE((__half2float(hsqrt(h * h)) == 2));
  const shared_ptr<half> owned = make_shared<half>(h);
  EXPECT_TRUE((*owned == h && *owned + h > h && !(h != h) && -h < h));
  const __nv_fp8_e4m3 eight(h);
  const __nv_fp6_e2m3 six(static_cast<float>(eight));
  const __nv_fp4_e2m1 four(static_cast<half>(six));
  EXPECT_TRUE((static_cast<float>(four) == 2 && static_cast<bool>(__nv_fp8_e8m0(2))));
  EXPECT_TRUE((fma(2.0, 3.0, 4.0) == 10 && fma(2.0, 3.0, 4.0, cudaRoundZero) == 10));
  __prof_trigger(1);  // does nothing
}

}  // namespace with_using

TEST(coexistence, global_names_work_without_the_standard_namespace) { without_using::use(); }
TEST(coexistence, global_names_work_with_the_standard_namespace) { with_using::use(); }
