// device::histogram against plain loops: every method of counting, type and kind of bins.
#include <heddle/device/histogram.cuh>
#include <heddle/device/iterators.cuh>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace device = heddle::device;
using device::bin_edges;
using device::even_bins;
using device::histogram_output;
using device::workspace;

// Grids so small that small counts reach their rounds and remainders, and methods that the default
// uses only for more bins than a test has time for.
struct small_grid : device::histogram_tuning {
  static constexpr int byte_threads = 64;
  static constexpr int byte_in_flight = 2;
  static constexpr int threads = 64;
  static constexpr int large_threads = 64;
  static constexpr int large_in_flight = 2;
  static constexpr int share = 2;
  static constexpr int least_values_per_bin = 0;
};
struct in_parts : small_grid {
  static constexpr int large_bins = 300;
  static constexpr std::size_t most_shared_bytes = 1024;
  static constexpr int most_parts = 1000;
  static constexpr bool packs = false;
};
struct packed : small_grid {
  static constexpr std::size_t most_shared_bytes = 1024;
  static constexpr int most_parts = 1000;
  static constexpr bool packs = true;
};
struct in_global_memory : small_grid {
  static constexpr int most_parts = 0;
};
struct in_global_memory_alone : in_global_memory {
  static constexpr bool matches = false;
};
struct in_many_launches : small_grid {
  static constexpr std::int64_t most_elements = 1000;
};

// The bin of a value, by the formulas of the contract.
template <typename T, typename Bound>
std::int64_t expected_bin(T value, const even_bins<Bound>& bins) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<Bound>) {
    __extension__ using wide = __int128;
    const wide lower = bins.lower, upper = bins.upper;
    if (value < lower || value >= upper) return -1;
    return static_cast<std::int64_t>((value - lower) * bins.count / (upper - lower));
  } else {
    using real =
        std::conditional_t<std::is_same_v<T, double> || (std::is_integral_v<T> && sizeof(T) >= 4),
                           double, float>;
    const real lower = static_cast<real>(bins.lower), upper = static_cast<real>(bins.upper);
    const real number = static_cast<real>(value);
    if (!(number >= lower && number < upper)) return -1;
    const real scale = static_cast<real>(static_cast<double>(bins.count) /
                                         (static_cast<double>(upper) - static_cast<double>(lower)));
    const real distance = number - lower;
    return std::min(static_cast<std::int64_t>(distance * scale), bins.count - 1);
  }
}
template <typename T, typename Edge>
std::int64_t expected_bin(T value, const std::vector<Edge>& edges) {
  if (!(value >= edges.front() && value < edges.back())) return -1;
  return std::upper_bound(edges.begin(), edges.end(), value) - edges.begin() - 1;
}
template <typename Edge>
std::int64_t count_of(const std::vector<Edge>& edges) {
  return static_cast<std::int64_t>(edges.size()) - 1;
}
template <typename Bound>
std::int64_t count_of(const even_bins<Bound>& bins) {
  return bins.count;
}

template <typename Counter, typename T, typename Bins>
std::vector<Counter> expected_counts(const std::vector<T>& values, std::size_t first,
                                     std::int64_t count, const Bins& bins) {
  std::vector<Counter> counts(static_cast<std::size_t>(count_of(bins)));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t bin = expected_bin(values[first + i], bins);
    if (bin >= 0) ++counts[bin];
  }
  return counts;
}

// Counts on the device: first sets the counters, then adds to them.
template <typename Tuning, typename Counter, typename Input, typename Bins>
void expect_counts(workspace& space, const Input& input, std::int64_t count, const Bins& bins,
                   const std::vector<Counter>& expected, const std::string& what) {
  const device_array<Counter> counts(expected.size() + 1);
  const Counter poison = counts.values().back();
  device::histogram<Tuning>(space, input, count, bins, counts.data());
  auto found = counts.values();
  ASSERT_EQ(found.back(), poison) << what << ": written past the last bin";
  found.pop_back();
  ASSERT_EQ(found, expected) << what;
  device::histogram<Tuning>(space, input, count, bins, counts.data(), histogram_output::add);
  found = counts.values();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(found[i], static_cast<Counter>(2 * expected[i])) << what << ", added, bin " << i;
  }
}

const std::vector<std::int64_t> counts_of_interest{0,  1,   2,   15,   16,   17,   31,    33,
                                                   63, 127, 511, 1023, 1024, 4097, 20'011};

template <typename Tuning, typename Counter, typename T, typename Bound>
void expect_even(const std::vector<T>& values, const even_bins<Bound>& bins,
                 const std::string& what) {
  workspace space;
  const device_array<T> on_device(values);
  for (const std::int64_t count : counts_of_interest) {
    const std::size_t start = count % 5;
    if (start + count > values.size()) continue;
    ASSERT_NO_FATAL_FAILURE((expect_counts<Tuning>(
        space, on_device.data() + start, count, bins,
        expected_counts<Counter>(values, start, count, bins),
        what + ": " + std::to_string(count) + " values in " + std::to_string(bins.count))));
  }
}
template <typename Tuning, typename Counter, typename T, typename Edge>
void expect_edges(const std::vector<T>& values, const std::vector<Edge>& edges,
                  const std::string& what) {
  workspace space;
  const device_array<T> on_device(values);
  const device_array<Edge> edges_on_device(edges);
  const bin_edges<Edge> bins{edges_on_device.data(), count_of(edges)};
  for (const std::int64_t count : counts_of_interest) {
    const std::size_t start = count % 3;
    if (start + count > values.size()) continue;
    ASSERT_NO_FATAL_FAILURE((expect_counts<Tuning>(
        space, on_device.data() + start, count, bins,
        expected_counts<Counter>(values, start, count, edges),
        what + ": " + std::to_string(count) + " values in " + std::to_string(bins.count))));
  }
}

// Noise, one value, noise next to one value, and long runs.
enum class look { noisy, constant, skewed, runs };
constexpr look looks[]{look::noisy, look::constant, look::skewed, look::runs};

template <typename T>
std::vector<T> values_that_look(look how, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t place = i;
    if (how == look::constant) place = 0;
    if (how == look::skewed && sample_bits(seed(), i) % 4 != 0) place = 0;
    if (how == look::runs) place = i / 700;
    T value = sample<T>(seed(), 1000 + place);
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4) value %= 1500;
    values[i] = value;
  }
  return values;
}

constexpr std::size_t most_values = 20'020;

template <typename Tuning, typename Counter, typename T, typename Bound = float>
void expect_all_looks(const std::vector<even_bins<Bound>>& kinds, const std::string& what) {
  for (const look how : looks) {
    const auto values = values_that_look<T>(how, most_values);
    for (const auto& bins : kinds) {
      ASSERT_NO_FATAL_FAILURE((expect_even<Tuning, Counter>(
          values, bins, what + ", look " + std::to_string(static_cast<int>(how)))));
    }
  }
}

TEST(device_histogram, counts_bytes_in_bins_that_may_be_wider_or_narrower_than_one) {
  HEDDLE_NAME_SEED();
  const std::vector<even_bins<int>> kinds{{0, 256, 256}, {0, 256, 2},     {0, 256, 16},
                                          {0, 256, 3},   {-10, 1000, 77}, {100, 200, 1000},
                                          {255, 256, 1}, {300, 400, 10}};
  expect_all_looks<small_grid, unsigned, std::uint8_t>(kinds, "bytes");
  expect_all_looks<small_grid, unsigned, std::int8_t>(kinds, "signed bytes");
}
TEST(device_histogram, counts_bytes_in_the_default_grid) {
  HEDDLE_NAME_SEED();
  const auto values = values_that_look<std::uint8_t>(look::noisy, 300'007);
  workspace space;
  const device_array<std::uint8_t> on_device(values);
  const even_bins<int> bins{0, 256, 256};
  for (std::size_t start = 0; start < 17; start += 4) {
    const auto count = static_cast<std::int64_t>(values.size() - start);
    ASSERT_NO_FATAL_FAILURE((expect_counts<device::histogram_tuning>(
        space, on_device.data() + start, count, bins,
        expected_counts<std::uint64_t>(values, start, count, bins),
        "from " + std::to_string(start))));
  }
}
TEST(device_histogram, counts_floats_in_shared_memory) {
  HEDDLE_NAME_SEED();
  const std::vector<even_bins<float>> kinds{{-1, 1, 2},      {-1, 1, 16},      {-0.9f, 0.7f, 256},
                                            {-0.3f, 5, 257}, {-1, 1.5f, 1000}, {-1, 1, 1}};
  expect_all_looks<small_grid, unsigned, float>(kinds, "floats");
  expect_all_looks<device::histogram_tuning, std::int64_t, float>(
      {{-0.9f, 0.7f, 256}, {-1, 1, 5000}}, "floats, default grid");
}
TEST(device_histogram, counts_floats_in_parts) {
  HEDDLE_NAME_SEED();
  expect_all_looks<in_parts, int, float>(
      {{-1, 1, 256}, {-1, 1, 257}, {-1, 1, 512}, {-1, 1, 1025}, {-0.5f, 3, 5001}}, "parts");
}
TEST(device_histogram, counts_floats_in_packed_counters) {
  HEDDLE_NAME_SEED();
  expect_all_looks<packed, unsigned, float>(
      {{-1, 1, 257}, {-1, 1, 511}, {-1, 1, 512}, {-1, 1, 513}, {-1, 1, 1025}, {-0.5f, 3, 5001}},
      "packed");
}
TEST(device_histogram, counts_floats_in_global_memory) {
  HEDDLE_NAME_SEED();
  const std::vector<even_bins<float>> kinds{{-1, 1, 2}, {-0.3f, 5, 1000}, {-1, 1, 1 << 20}};
  for (const look how : looks) {
    const auto values = values_that_look<float>(how, 5'000);
    for (const auto& bins : kinds) {
      ASSERT_NO_FATAL_FAILURE((expect_even<in_global_memory, unsigned>(values, bins, "matched")));
    }
  }
  expect_all_looks<in_global_memory_alone, std::uint64_t, float>({{-0.3f, 5, 1000}}, "alone");
}

// Lanes that never agree overflow a 16-bit counter many times.
TEST(device_histogram, carries_packed_counters_that_overflow) {
  HEDDLE_NAME_SEED();
  std::vector<float> values(700'000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 7 == 0 ? sample<float>(seed(), i) : i % 2 == 0 ? -0.999f : 0.001f;
  }
  workspace space;
  const device_array<float> on_device(values);
  // The two frequent bins are the two halves of one word.
  const even_bins<float> bins{-1, 1, 512};
  ASSERT_NO_FATAL_FAILURE((expect_counts<packed>(
      space, on_device.data(), 700'000, bins, expected_counts<unsigned>(values, 0, 700'000, bins),
      "two frequent bins")));
}
// 65,536 bins and more with the default method, and enough values for it to be chosen.
TEST(device_histogram, counts_more_bins_than_shared_memory_has_words_for) {
  HEDDLE_NAME_SEED();
  workspace space;
  for (const std::int64_t bins_wanted : {65'536, 150'001}) {
    const even_bins<float> bins{-1, 1, bins_wanted};
    const std::int64_t count = 16 * bins_wanted + 3;
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = sample<float>(seed(), i);
    const device_array<float> on_device(values);
    ASSERT_NO_FATAL_FAILURE((expect_counts<device::histogram_tuning>(
        space, on_device.data(), count, bins, expected_counts<unsigned>(values, 0, count, bins),
        std::to_string(bins_wanted) + " bins")));
  }
}

TEST(device_histogram, counts_integers_exactly) {
  HEDDLE_NAME_SEED();
  expect_all_looks<small_grid, unsigned, std::uint16_t>(
      std::vector<even_bins<int>>{{0, 65'536, 256}, {1, 65'535, 7}, {1000, 2000, 5000}}, "u16");
  expect_all_looks<packed, unsigned, std::uint16_t>(std::vector<even_bins<int>>{{0, 65'536, 512}},
                                                    "u16, packed");
  expect_all_looks<small_grid, unsigned, std::int32_t>(
      std::vector<even_bins<std::int64_t>>{{-1500, 1500, 300},
                                           {-1000, 1001, 333},
                                           {-(std::int64_t{1} << 31), std::int64_t{1} << 31, 1000},
                                           {5, 6, 64}},
      "int32");
  expect_all_looks<small_grid, unsigned, std::int64_t>(
      std::vector<even_bins<std::int64_t>>{{-1500, 1500, 300},
                                           {-1499, 1501, 999},
                                           {std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max(), 1000}},
      "int64");
}
// Every distance, and many ranges, at the values where the bin changes.
TEST(device_histogram, puts_integers_on_edges_into_the_right_bin) {
  HEDDLE_NAME_SEED();
  workspace space;
  for (std::uint64_t round = 0; round < 40; ++round) {
    const auto bits = [&](std::uint64_t i) { return sample_bits(seed(), 100 * round + i); };
    const auto range = static_cast<std::int64_t>(bits(0) >> (32 + bits(1) % 31)) + 1;
    const auto lower = static_cast<std::int64_t>(static_cast<std::int32_t>(bits(2)));
    const std::int64_t upper = std::min(lower + range, std::int64_t{1} << 31);
    const even_bins<std::int64_t> bins{lower, upper, static_cast<std::int64_t>(bits(3) % 1000) + 1};
    std::vector<std::int32_t> values;
    for (std::int64_t bin = 0; bin <= bins.count; ++bin) {
      const std::int64_t near = lower + (upper - lower) * bin / bins.count;
      for (std::int64_t value = near - 2; value <= near + 2; ++value) {
        if (std::in_range<std::int32_t>(value)) values.push_back(static_cast<std::int32_t>(value));
      }
    }
    const device_array<std::int32_t> on_device(values);
    const auto count = static_cast<std::int64_t>(values.size());
    ASSERT_NO_FATAL_FAILURE((expect_counts<small_grid>(
        space, on_device.data(), count, bins, expected_counts<unsigned>(values, 0, count, bins),
        std::to_string(lower) + " to " + std::to_string(upper))));
  }
}
// Where all operations are exact, float agrees with float64, on edges and next to them.
template <typename T>
void expect_exact_edges() {
  workspace space;
  const even_bins<T> bins{-2, 6, 64};
  std::vector<T> values{std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                        -std::numeric_limits<T>::infinity(), -T{0}, T{0}};
  for (int edge = -20; edge <= 80; ++edge) {
    const T value = static_cast<T>(-2 + edge * 0.125);
    // Next to an edge the distance from the lower bound is rounded, so stay some bits away.
    values.insert(values.end(), {value, value - T{0x1p-18}, value + T{0x1p-18}});
  }
  std::vector<unsigned> expected(64);
  for (const T value : values) {
    const double place = std::floor((static_cast<double>(value) + 2) * 8);
    if (place >= 0 && place < 64) ++expected[static_cast<std::size_t>(place)];
  }
  const device_array<T> on_device(values);
  ASSERT_NO_FATAL_FAILURE(
      (expect_counts<small_grid>(space, on_device.data(), static_cast<std::int64_t>(values.size()),
                                 bins, expected, "on edges")));
}
TEST(device_histogram, agrees_with_float64_on_edges_and_counts_no_nan) {
  expect_exact_edges<float>();
  expect_exact_edges<double>();
}
TEST(device_histogram, keeps_values_that_round_up_to_the_upper_bound_in_the_last_bin) {
  workspace space;
  // Next to the upper bound, the distance from the lower one is rounded to the whole width.
  const even_bins<float> bins{-1, 1, 4};
  const std::vector<float> values{std::nextafter(1.0f, 0.0f), 1, -1, std::nextafter(-1.0f, -2.0f)};
  const device_array<float> on_device(values);
  expect_counts<small_grid>(space, on_device.data(), 4, bins, std::vector<unsigned>{1, 0, 0, 1},
                            "at the bounds");
}

// Edges that repeat, and values on them.
template <typename Edge>
std::vector<Edge> edges_between(double lower, double upper, int count) {
  std::vector<Edge> edges;
  for (int i = 0; i <= count; ++i) {
    const double place = static_cast<double>(i / 2 + i / 3) / (count / 2 + count / 3);
    edges.push_back(static_cast<Edge>(lower + (upper - lower) * place * place));
  }
  return edges;
}
TEST(device_histogram, counts_between_edges_that_may_repeat) {
  HEDDLE_NAME_SEED();
  for (const int bins : {2, 3, 255, 256, 257, 1000}) {
    const auto edges = edges_between<float>(-0.9, 0.9, bins);
    auto values = values_that_look<float>(look::noisy, most_values);
    for (std::size_t i = 0; i < values.size(); i += 3) values[i] = edges[i % edges.size()];
    for (std::size_t i = 0; i < values.size(); i += 50) values[i] = std::nanf("");
    const std::string what = std::to_string(bins) + " bins";
    ASSERT_NO_FATAL_FAILURE((expect_edges<small_grid, unsigned>(values, edges, what)));
    ASSERT_NO_FATAL_FAILURE((expect_edges<packed, unsigned>(values, edges, what + ", packed")));
  }
  for (const int bins : {1, 2, 50}) {
    ASSERT_NO_FATAL_FAILURE((
        expect_edges<small_grid, unsigned>(values_that_look<std::uint8_t>(look::noisy, most_values),
                                           edges_between<int>(-5, 280, bins), "bytes")));
  }
}

// Edges are looked up by cells of equal width; here one cell has nearly all edges.
TEST(device_histogram, counts_between_edges_of_very_different_distances) {
  HEDDLE_NAME_SEED();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float far : {1e3f, 1e30f, std::numeric_limits<float>::max(), infinity}) {
    std::vector<float> edges{-far};
    for (int i = 0; i < 300; ++i) edges.push_back(static_cast<float>(i) / 300 - 0.5f);
    edges.push_back(far);
    auto values = values_that_look<float>(look::noisy, most_values);
    for (std::size_t i = 0; i < values.size(); i += 3) values[i] = edges[i % edges.size()];
    for (std::size_t i = 0; i < values.size(); i += 50) {
      values[i] = i % 100 == 0 ? infinity : i % 150 == 0 ? -infinity : std::nanf("");
    }
    ASSERT_NO_FATAL_FAILURE(
        (expect_edges<small_grid, unsigned>(values, edges, std::to_string(far))));
  }
  // A range that no number of cells can divide.
  const std::vector<float> near{1.0f, std::nextafter(1.0f, 2.0f)};
  ASSERT_NO_FATAL_FAILURE(
      (expect_edges<small_grid, unsigned>(std::vector<float>(100, 1.0f), near, "neighbours")));
}

struct halved {
  __host__ __device__ float operator()(float value) const { return value / 2; }
};
TEST(device_histogram, reads_iterators) {
  HEDDLE_NAME_SEED();
  workspace space;
  auto values = values_that_look<float>(look::noisy, most_values);
  const device_array<float> on_device(values);
  const device::transformed input{static_cast<const float*>(on_device.data()), halved{}};
  for (float& value : values) value /= 2;
  const even_bins<float> bins{-0.5f, 0.25f, 100};
  for (const std::int64_t count : {0, 1, 999, 1000, 1001, 20'000}) {
    ASSERT_NO_FATAL_FAILURE((expect_counts<in_many_launches>(
        space, input, count, bins, expected_counts<unsigned>(values, 0, count, bins),
        std::to_string(count) + " mapped values")));
  }
}
TEST(device_histogram, counts_in_several_launches_what_would_overflow_one) {
  HEDDLE_NAME_SEED();
  expect_all_looks<in_many_launches, std::uint64_t, float>({{-1, 0.5f, 300}}, "many launches");
  expect_all_looks<in_many_launches, std::uint64_t, std::uint8_t>(
      std::vector<even_bins<int>>{{0, 256, 256}}, "many launches of bytes");
}

TEST(device_histogram, is_captured_and_replayed) {
  HEDDLE_NAME_SEED();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  {
    workspace space(stream);
    const auto values = values_that_look<float>(look::noisy, most_values);
    const auto bytes = values_that_look<std::uint8_t>(look::noisy, most_values);
    const device_array<float> on_device(values);
    const device_array<std::uint8_t> bytes_on_device(bytes);
    const even_bins<float> bins{-1, 1, 512};
    const even_bins<int> byte_bins{0, 256, 256};
    const device_array<unsigned> counts(512), byte_counts(256);
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "the capture");
    device::histogram<packed>(space, on_device.data(), most_values, bins, counts.data());
    device::histogram<small_grid>(space, bytes_on_device.data(), most_values, byte_bins,
                                  byte_counts.data());
    device::histogram<small_grid>(space, bytes_on_device.data(), most_values, byte_bins,
                                  byte_counts.data(), histogram_output::add);
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "the end of the capture");
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph, 0), "the graph");
    for (int replay = 0; replay < 3; ++replay) {
      check(cudaMemsetAsync(counts.data(), 0xa5, 512 * sizeof(unsigned), stream), "poison");
      check(cudaGraphLaunch(ready, stream), "the replay");
      check(cudaStreamSynchronize(stream), "the replay");
      EXPECT_EQ(counts.values(), expected_counts<unsigned>(values, 0, most_values, bins));
      auto twice = expected_counts<unsigned>(bytes, 0, most_values, byte_bins);
      for (unsigned& count : twice) count *= 2;
      EXPECT_EQ(byte_counts.values(), twice);
    }
    check(cudaGraphExecDestroy(ready), "the graph");
    check(cudaGraphDestroy(graph), "the graph");
  }
  check(cudaStreamDestroy(stream), "the stream");
}

TEST(device_histogram, refuses_invalid_bins) {
  workspace space;
  const device_array<float> values(16);
  const device_array<int> integers(16);
  const device_array<unsigned> counts(16);
  const auto refused = [&](const even_bins<float>& bins, std::int64_t count = 16) {
    EXPECT_THROW(device::histogram<small_grid>(space, values.data(), count, bins, counts.data()),
                 heddle::error)
        << bins.lower << " to " << bins.upper << ", " << bins.count;
  };
  refused({0, 1, 0});
  refused({0, 1, device::most_bins + 1});
  refused({1, 1, 4});
  refused({2, 1, 4});
  refused({0, 1, 4}, -1);
  refused({0, std::numeric_limits<float>::infinity(), 4});
  refused({std::nanf(""), 1, 4});
  refused({-3e38f, 3e38f, 4});
  EXPECT_THROW(device::histogram<small_grid>(space, integers.data(), 16, even_bins<int>{3, 3, 4},
                                             counts.data()),
               heddle::error);
  EXPECT_THROW(device::histogram<small_grid>(
                   space, integers.data(), 16,
                   even_bins<std::int64_t>{0, (std::int64_t{1} << 32) + 1, 4}, counts.data()),
               heddle::error);
}

}  // namespace
