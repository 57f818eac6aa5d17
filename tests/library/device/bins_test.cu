// The bin of a value: exact for integers, by the documented formula for other numbers.
#include <heddle/device/bins.cuh>

#include <cmath>
#include <limits>
#include <string>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::even_bins;
namespace detail = heddle::device::detail;

constexpr auto here = [] { return heddle::source_location::current(); };

// The bins of many values, one thread each.
template <typename Map, typename Value>
struct ask_map {
  Map map;
  const Value* values;
  __device__ int operator()() const { return map(values[blockIdx.x * blockDim.x + threadIdx.x]); }
};
template <typename Map, typename Value>
std::vector<int> bins_of(const Map& map, std::vector<Value> values) {
  constexpr unsigned threads = 128;
  const std::size_t wanted = values.size();
  const auto blocks = static_cast<unsigned>((wanted + threads - 1) / threads);
  values.resize(std::size_t{1} * blocks * threads);
  const device_array<Value> on_device(values);
  auto bins = answers_of(ask_map<Map, Value>{map, on_device.data()}, threads, blocks);
  bins.resize(wanted);
  return bins;
}

// floor((value - lower) * count / (upper - lower)), in 128 bits.
template <typename Value, typename Bound>
int exact_bin(Value value, const even_bins<Bound>& bins) {
  if (value < static_cast<__int128>(bins.lower) || value >= static_cast<__int128>(bins.upper)) {
    return -1;
  }
  const auto distance = static_cast<unsigned __int128>(static_cast<__int128>(value) - bins.lower);
  const auto range = static_cast<unsigned __int128>(static_cast<__int128>(bins.upper) - bins.lower);
  return static_cast<int>(distance * static_cast<unsigned __int128>(bins.count) / range);
}

// Values at both ends, at the edges of bins, and anywhere.
template <typename Value, typename Bound>
void expect_exact_bins(const even_bins<Bound>& bins) {
  SCOPED_TRACE(testing::Message() << bins.count << " bins from " << bins.lower << " to "
                                  << bins.upper);
  using limits = std::numeric_limits<Value>;
  std::vector<Value> values{limits::lowest(), limits::max(), Value{0}, Value{1}};
  const auto add = [&](__int128 value) {
    if (value >= limits::lowest() && value <= limits::max()) {
      values.push_back(static_cast<Value>(value));
    }
  };
  const auto range = static_cast<__int128>(bins.upper) - bins.lower;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto bin =
        static_cast<__int128>(sample_bits(seed(), i) % static_cast<std::uint64_t>(bins.count + 1));
    for (int beside = -2; beside <= 2; ++beside)
      add(bins.lower + bin * range / bins.count + beside);
    add(sample<Value>(seed(), 1000 + i));
  }
  const auto [map, has_values] = detail::integer_map_for<Value>(bins, here());
  ASSERT_TRUE(has_values);
  const auto found = bins_of(map, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(found[i], exact_bin(values[i], bins)) << "value " << values[i];
  }
}

TEST(device_bins, of_integers_are_exact) {
  HEDDLE_NAME_SEED();
  for (const std::int64_t count : {1, 2, 3, 7, 255, 256, 257, 1000, 65'536}) {
    expect_exact_bins<std::int32_t, std::int64_t>({-5, 1'000'003, count});
    expect_exact_bins<std::int32_t, std::int64_t>(
        {std::numeric_limits<std::int32_t>::lowest(), std::int64_t{1} << 31, count});
    expect_exact_bins<std::uint32_t, std::int64_t>({7, (std::int64_t{1} << 32) - 1, count});
    expect_exact_bins<std::int16_t, int>({-40'000, 100, count});  // beyond the range of the type
    expect_exact_bins<std::uint8_t, int>({0, 256, count});
  }
}

TEST(device_bins, of_wide_integers_are_exact) {
  HEDDLE_NAME_SEED();
  using wide = std::int64_t;
  constexpr wide lowest = std::numeric_limits<wide>::lowest(),
                 most = std::numeric_limits<wide>::max();
  for (const std::int64_t count : {wide{1}, wide{3}, wide{1'000'000'007}, wide{1} << 30}) {
    expect_exact_bins<wide, wide>({-3, 1'000'000'000'000'039, count});
    expect_exact_bins<wide, wide>({lowest, most, count});
    expect_exact_bins<std::uint64_t, std::uint64_t>({1, ~std::uint64_t{0}, count});
  }
}

TEST(device_bins, of_more_bins_than_numbers_leave_some_empty) {
  HEDDLE_NAME_SEED();
  expect_exact_bins<std::int32_t, int>({0, 3, 1'000'000});
  expect_exact_bins<std::int64_t, std::int64_t>({-1, 6, 1 << 29});
}

TEST(device_bins, know_whether_a_type_has_values_in_range) {
  EXPECT_FALSE(detail::integer_map_for<std::uint8_t>(even_bins<int>{256, 300, 4}, here()).second);
  EXPECT_FALSE(detail::integer_map_for<std::int8_t>(even_bins<int>{-300, -128, 4}, here()).second);
  EXPECT_TRUE(detail::integer_map_for<std::int8_t>(even_bins<int>{-300, -127, 4}, here()).second);
}

// The formula of the contract, with each operation rounded once.
template <typename Value>
int formula(Value value, const even_bins<float>& bins) {
  const Value lower = bins.lower, upper = bins.upper;
  const auto scale = static_cast<Value>(static_cast<double>(bins.count) /
                                        (static_cast<double>(bins.upper) - bins.lower));
  if (!(value >= lower && value < upper)) return -1;
  volatile const Value distance = value - lower;
  volatile const Value scaled = distance * scale;
  const auto bin = static_cast<std::int64_t>(scaled);
  return static_cast<int>(bin < bins.count - 1 ? bin : bins.count - 1);
}
template <typename Value>
void expect_the_formula() {
  for (const even_bins<float>& bins : {even_bins<float>{-1, 1, 256},
                                       {0, 0.3f, 10},
                                       {-1e30f, 3, 7},
                                       {1, 1.000001f, 3},
                                       {-5, -4, 1}}) {
    SCOPED_TRACE(testing::Message() << bins.count << " from " << bins.lower);
    using limits = std::numeric_limits<Value>;
    std::vector<Value> values{limits::quiet_NaN(),
                              limits::infinity(),
                              -limits::infinity(),
                              Value{0},
                              -Value{0},
                              bins.lower,
                              bins.upper,
                              std::nextafter(Value{bins.lower}, -limits::infinity()),
                              std::nextafter(Value{bins.upper}, Value{0})};
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const auto part = (static_cast<Value>(sample<float>(seed(), i)) + 1) / 2;
      values.push_back(bins.lower + part * (Value{bins.upper} - bins.lower));
      values.push_back(sample<float>(seed(), 5000 + i) * 3);
    }
    const auto found = bins_of(detail::floating_map_for<Value>(bins, here()), values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(found[i], formula(values[i], bins)) << "value " << values[i];
    }
  }
}

TEST(device_bins, of_floating_point_numbers_follow_the_formula) {
  HEDDLE_NAME_SEED();
  expect_the_formula<float>();
  expect_the_formula<double>();
}

template <typename Make>
void expect_refused(const Make& make, const std::string& part) {
  try {
    make();
    ADD_FAILURE() << "not refused: " << part;
  } catch (const heddle::error& refusal) {
    EXPECT_EQ(refusal.code(), cudaErrorInvalidValue);
    EXPECT_NE(std::string(refusal.what()).find(part), std::string::npos) << refusal.what();
  }
}

TEST(device_bins, are_refused_if_impossible) {
  const auto integers = [](std::int64_t lower, std::int64_t upper) {
    return [=] {
      static_cast<void>(
          detail::integer_map_for<std::int32_t>(even_bins<std::int64_t>{lower, upper, 4}, here()));
    };
  };
  const auto floats = [](float lower, float upper) {
    return [=] {
      static_cast<void>(detail::floating_map_for<float>(even_bins<float>{lower, upper, 4}, here()));
    };
  };
  expect_refused(integers(3, 3), "a lower bound below the upper one");
  expect_refused(integers(4, 3), "a lower bound below the upper one");
  expect_refused(integers(-1, std::int64_t{1} << 32), "at most 2^32 numbers");
  EXPECT_NO_THROW(integers(0, std::int64_t{1} << 32)());
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const auto& [lower, upper] : {std::pair{1.0f, 1.0f},
                                     {2.0f, 1.0f},
                                     {0.0f, infinity},
                                     {0.0f, std::nanf("")},
                                     {-3e38f, 3e38f},
                                     {0.0f, 1e-45f}}) {
    expect_refused(floats(lower, upper), "both finite and neither too near nor too far");
  }
  for (const std::int64_t count :
       {std::int64_t{-1}, std::int64_t{0}, (std::int64_t{1} << 30) + 1}) {
    expect_refused([&] { detail::check_bin_count(count, here()); }, "1 to 2^30 bins");
  }
  EXPECT_NO_THROW(detail::check_bin_count(std::int64_t{1} << 30, here()));
}

}  // namespace
