// Operators against plain expressions, their identities, and which are declared commutative.
#include <heddle/core/operators.cuh>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;

struct verdict {
  bool keeps_value, commutes;
};

__device__ bool are_same(float a, float b) { return __float_as_uint(a) == __float_as_uint(b); }
__device__ bool are_same(double a, double b) {
  return __double_as_longlong(a) == __double_as_longlong(b);
}
__device__ bool are_same(__half a, __half b) { return __half_as_ushort(a) == __half_as_ushort(b); }
__device__ bool are_same(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __bfloat16_as_ushort(a) == __bfloat16_as_ushort(b);
}
template <std::integral T>
__device__ bool are_same(T a, T b) {
  return a == b;
}

template <typename Op, typename T>
__device__ verdict judge(T a, T b) {
  const Op op;
  const T nothing = heddle::identity<Op, T>();
  return {are_same(op(a, nothing), a) && are_same(op(nothing, a), a),
          !heddle::commutes<Op, T> || are_same(op(a, b), op(b, a))};
}

template <typename Op, typename T>
struct judge_samples {
  std::uint64_t seed;
  __device__ verdict operator()() const {
    T a = sample<T>(seed, 2 * threadIdx.x);
    T b = sample<T>(seed, 2 * threadIdx.x + 1);
    if constexpr (std::is_same_v<Op, heddle::logical_and> ||
                  std::is_same_v<Op, heddle::logical_or> ||
                  std::is_same_v<Op, heddle::logical_xor>) {
      a = a % 2 != 0;  // these operators return 0 or 1
      b = b % 2 != 0;
    }
    return judge<Op>(a, b);
  }
};

template <typename Op, typename... Types>
void expect_laws(const char* name) {
  const auto expect_for = [&](auto zero) {
    using type = decltype(zero);
    static_assert(heddle::combines<Op, type> && heddle::has_identity<Op, type>);
    const auto answers = answers_of(judge_samples<Op, type>{seed()}, 256);
    for (const verdict& answer : answers) {
      ASSERT_TRUE(answer.keeps_value) << name << " with its identity changes a value";
      ASSERT_TRUE(answer.commutes) << name << " is said to commute";
    }
  };
  (expect_for(Types{}), ...);
}

TEST(operators, leave_values_unchanged_with_their_identity_and_commute_as_declared) {
  HEDDLE_NAME_SEED();
  using heddle::plus, heddle::multiplies, heddle::minimum, heddle::maximum;
  expect_laws<plus, int, std::uint64_t, float, double, __half, __nv_bfloat16>("plus");
  expect_laws<multiplies, int, std::uint64_t, float, double, __half, __nv_bfloat16>("multiplies");
  expect_laws<minimum, int, std::uint64_t, float, double, __half, __nv_bfloat16>("minimum");
  expect_laws<maximum, int, std::uint64_t, float, double, __half, __nv_bfloat16>("maximum");
  expect_laws<heddle::bit_and, int, std::uint64_t>("bit_and");
  expect_laws<heddle::bit_or, int, std::uint64_t>("bit_or");
  expect_laws<heddle::bit_xor, int, std::uint64_t>("bit_xor");
  expect_laws<heddle::logical_and, int>("logical_and");
  expect_laws<heddle::logical_or, int>("logical_or");
  expect_laws<heddle::logical_xor, int>("logical_xor");
}

// What the operators make of two samples.
template <typename T>
struct combined {
  T sum, product, smaller, larger;
};

template <typename T>
struct combine_samples {
  std::uint64_t seed;
  __device__ combined<T> operator()() const {
    const T a = sample<T>(seed, 2 * threadIdx.x), b = sample<T>(seed, 2 * threadIdx.x + 1);
    return {heddle::plus{}(a, b), heddle::multiplies{}(a, b), heddle::minimum{}(a, b),
            heddle::maximum{}(a, b)};
  }
};

// Integers wrap around. Sums and products of samples of up to four bytes are exact in double.
template <typename T>
combined<T> expected_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    return {static_cast<T>(x + y), static_cast<T>(x * y), std::min(a, b), std::max(a, b)};
  } else {
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    return {static_cast<T>(x + y), static_cast<T>(x * y), x < y ? a : b, x < y ? b : a};
  }
}

template <typename T>
void expect_combined() {
  const auto answers = answers_of(combine_samples<T>{seed()}, 256);
  for (std::size_t i = 0; i < 256; ++i) {
    const T a = sample<T>(seed(), 2 * i), b = sample<T>(seed(), 2 * i + 1);
    const combined<T> expected = expected_of(a, b);
    ASSERT_EQ(std::memcmp(&answers[i], &expected, sizeof expected), 0)
        << "pair " << i << ", " << __PRETTY_FUNCTION__;
  }
}

TEST(operators, add_multiply_and_compare_as_plain_expressions_do) {
  HEDDLE_NAME_SEED();
  expect_combined<std::int8_t>();
  expect_combined<int>();
  expect_combined<std::uint64_t>();
  expect_combined<float>();
  expect_combined<double>();
  expect_combined<__half>();
  expect_combined<__nv_bfloat16>();
}

struct bits_and_truths {
  int bits[3], truths[3][3];  // and, or, exclusive or; of 0 and 0, of 0 and 2, of 1 and 2
  friend bool operator==(const bits_and_truths&, const bits_and_truths&) = default;
};

struct ask_bits_and_truths {
  int zero;  // not known to the compiler
  __device__ bits_and_truths operator()() const {
    const int a[3]{zero, zero, zero + 1}, b[3]{zero, zero + 2, zero + 2};
    const int x = zero + 0b1100, y = zero + 0b1010;
    bits_and_truths answer{
        {heddle::bit_and{}(x, y), heddle::bit_or{}(x, y), heddle::bit_xor{}(x, y)}, {}};
    for (int i = 0; i < 3; ++i) {
      answer.truths[0][i] = heddle::logical_and{}(a[i], b[i]);
      answer.truths[1][i] = heddle::logical_or{}(a[i], b[i]);
      answer.truths[2][i] = heddle::logical_xor{}(a[i], b[i]);
    }
    return answer;
  }
};

TEST(operators, combine_bits_and_truths_by_their_tables) {
  const bits_and_truths expected{{0b1000, 0b1110, 0b0110}, {{0, 0, 1}, {0, 1, 1}, {0, 1, 0}}};
  EXPECT_TRUE(answers_of(ask_bits_and_truths{0}, 1)[0] == expected);
}

TEST(operators, have_the_identities_of_arithmetic) {
  using heddle::identity;
  EXPECT_EQ((identity<heddle::plus, int>()), 0);
  EXPECT_EQ((identity<heddle::multiplies, double>()), 1.0);
  EXPECT_EQ((identity<heddle::minimum, float>()), std::numeric_limits<float>::infinity());
  EXPECT_EQ((identity<heddle::maximum, double>()), -std::numeric_limits<double>::infinity());
  EXPECT_EQ((identity<heddle::minimum, std::int8_t>()), 127);
  EXPECT_EQ((identity<heddle::maximum, std::int8_t>()), -128);
  EXPECT_EQ((identity<heddle::maximum, unsigned>()), 0u);
  EXPECT_EQ(static_cast<float>(identity<heddle::maximum, __half>()),
            -std::numeric_limits<float>::infinity());
  EXPECT_EQ((identity<heddle::bit_and, std::uint16_t>()), 0xffff);
  EXPECT_EQ((identity<heddle::bit_or, int>()), 0);
  EXPECT_EQ((identity<heddle::bit_xor, int>()), 0);
  EXPECT_EQ((identity<heddle::logical_and, int>()), 1);
  EXPECT_EQ((identity<heddle::logical_or, int>()), 0);
  EXPECT_EQ((identity<heddle::logical_xor, int>()), 0);
}

struct ordered {
  int key, mark;
  friend __host__ __device__ bool operator<(const ordered& a, const ordered& b) {
    return a.key < b.key;
  }
};

TEST(operators, take_the_first_of_two_equal_values) {
  const ordered first{5, 1}, second{5, 2}, smaller{4, 3};
  EXPECT_EQ(heddle::minimum{}(first, second).mark, 1);
  EXPECT_EQ(heddle::maximum{}(first, second).mark, 1);
  EXPECT_EQ(heddle::minimum{}(first, smaller).mark, 3);
  EXPECT_EQ(heddle::maximum{}(smaller, first).mark, 1);
}

struct extremes {
  float smallest[4], largest[4];
  double smallest_double[4], largest_double[4];
  bool smallest_half_is_number, largest_bfloat_is_number;
};

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Extremes of -0 and +0, +0 and -0, NaN and 1, 1 and NaN.
struct ask_extremes {
  float zero;  // not known to the compiler
  __device__ extremes operator()() const {
    const float a[4]{-zero, zero, nan, 1}, b[4]{zero, -zero, 1, nan};
    extremes answer;
    for (int i = 0; i < 4; ++i) {
      answer.smallest[i] = heddle::minimum{}(a[i], b[i]);
      answer.largest[i] = heddle::maximum{}(a[i], b[i]);
      answer.smallest_double[i] = heddle::minimum{}(double{a[i]}, double{b[i]});
      answer.largest_double[i] = heddle::maximum{}(double{a[i]}, double{b[i]});
    }
    const __half half = heddle::minimum{}(__float2half(nan), __float2half(1));
    const __nv_bfloat16 bfloat = heddle::maximum{}(__float2bfloat16(1), __float2bfloat16(nan));
    answer.smallest_half_is_number = __half2float(half) == 1;
    answer.largest_bfloat_is_number = __bfloat162float(bfloat) == 1;
    return answer;
  }
};

TEST(operators, let_nan_lose_and_put_minus_zero_below_zero) {
  const extremes answer = answers_of(ask_extremes{0.0f}, 1)[0];
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(std::signbit(answer.smallest[i]));
    EXPECT_FALSE(std::signbit(answer.largest[i]));
    EXPECT_TRUE(std::signbit(answer.smallest_double[i]));
    EXPECT_FALSE(std::signbit(answer.largest_double[i]));
  }
  for (int i = 2; i < 4; ++i) {
    EXPECT_EQ(answer.smallest[i], 1);
    EXPECT_EQ(answer.largest[i], 1);
    EXPECT_EQ(answer.smallest_double[i], 1);
    EXPECT_EQ(answer.largest_double[i], 1);
  }
  EXPECT_TRUE(answer.smallest_half_is_number);
  EXPECT_TRUE(answer.largest_bfloat_is_number);
}

}  // namespace
