// ascending and descending, and the codes that sort like them, over all 16-bit numbers.
#include <heddle/core/ordering.cuh>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;

// The documented order: -∞ … -0, +0 … +∞, then every NaN. Descending order reverses all but NaN.
using place = std::tuple<bool, long double, bool>;
template <typename T>
place place_of(T number, bool is_down) {
  if constexpr (std::is_integral_v<T>) {
    return {false, is_down ? -static_cast<long double>(number) : number, false};
  } else {
    const auto value = static_cast<double>(number);
    if (std::isnan(value)) return {true, 0, false};
    return {false, is_down ? -value : value, std::signbit(value) == is_down};
  }
}

template <typename T>
T from_bits(std::uint64_t bits) {
  alignas(T) unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &bits, sizeof(T));
  return *reinterpret_cast<const T*>(bytes);
}
template <typename T>
std::uint64_t bits_of(const T& number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof(T));
  return bits;
}

// Checks that codes convert back bit for bit and have the same order as the numbers.
template <typename Before, typename T>
void expect_codes_in_order(const std::vector<T>& numbers, bool is_down) {
  SCOPED_TRACE(__PRETTY_FUNCTION__);
  std::vector<std::pair<heddle::order_code<T>, place>> places;
  for (const T& number : numbers) {
    const auto code = Before::code(number);
    ASSERT_EQ(bits_of(Before::template number<T>(code)), bits_of(number));
    if (sizeof(T) <= 2 && std::is_unsigned_v<heddle::order_code<T>>) {
      ASSERT_LE(code, heddle::order_code<T>{0xffff});
    }
    places.emplace_back(code, place_of(number, is_down));
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i) {
    ASSERT_TRUE(places[i - 1].second <= places[i].second) << "code " << places[i].first;
    if (places[i - 1].second < places[i].second) {
      ASSERT_LT(places[i - 1].first, places[i].first);
    }
  }
}

template <typename T>
void expect_codes_of_all_16_bits() {
  std::vector<T> numbers;
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) numbers.push_back(from_bits<T>(bits));
  expect_codes_in_order<heddle::ascending>(numbers, false);
  expect_codes_in_order<heddle::descending>(numbers, true);
}

TEST(core_ordering, has_a_code_for_every_number_of_16_bits) {
  expect_codes_of_all_16_bits<std::int16_t>();
  expect_codes_of_all_16_bits<std::uint16_t>();
  expect_codes_of_all_16_bits<__half>();
  expect_codes_of_all_16_bits<__nv_bfloat16>();
}

template <typename T>
void expect_codes_of_samples() {
  std::vector<T> numbers;
  for (int i = 0; i < 2000; ++i) numbers.push_back(from_bits<T>(sample_bits(seed(), i)));
  for (int high = 0; high < 0x100; ++high) {
    for (std::uint64_t low : {0ull, 1ull, ~0ull}) {
      const int shift = static_cast<int>(sizeof(T)) * 8 - 8;
      numbers.push_back(from_bits<T>(std::uint64_t(high) << shift | (low & ((1ull << shift) - 1))));
    }
  }
  expect_codes_in_order<heddle::ascending>(numbers, false);
  expect_codes_in_order<heddle::descending>(numbers, true);
}

TEST(core_ordering, has_codes_for_wide_numbers) {
  HEDDLE_NAME_SEED();
  expect_codes_of_samples<std::int32_t>();
  expect_codes_of_samples<std::uint32_t>();
  expect_codes_of_samples<float>();
  expect_codes_of_samples<double>();
}

// Which pairs of numbers are in order: one bit per pair, one word per lane.
struct compare_on_device {
  float numbers[6];
  __device__ int operator()() const {
    int answer = 0;
    for (int i = 0; i < 6; ++i) {
      const float mine = numbers[threadIdx.x % 6];
      answer |= (heddle::ascending{}(mine, numbers[i]) ? 1 : 0) << 2 * i;
      answer |= (heddle::descending{}(mine, numbers[i]) ? 2 : 0) << 2 * i;
    }
    return answer;
  }
};

TEST(core_ordering, orders_numbers_strictly_with_nan_last) {
  const float infinity = std::numeric_limits<float>::infinity();
  const compare_on_device given{
      {-infinity, -0.0f, 0.0f, 1.5f, infinity, std::numeric_limits<float>::quiet_NaN()}};
  const auto answers = answers_of(given, 6);
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 6; ++b) {
      const bool is_nan = a == 5 || b == 5;
      EXPECT_EQ(answers[a] >> 2 * b & 1, a < b ? 1 : 0) << a << " before " << b;
      EXPECT_EQ(answers[a] >> 2 * b & 2, (is_nan ? a < b : b < a) ? 2 : 0) << a << " before " << b;
    }
  }
}

}  // namespace
