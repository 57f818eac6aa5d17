// device::sort and sort_pairs against std::stable_sort.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <heddle/device/sort.cuh>

#include <algorithm>
#include <compare>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "device/guards.cuh"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::sort_order;
using heddle::device::sort_settings;
using heddle::device::workspace;
namespace device = heddle::device;

// Tiles so small that small counts have many of them, more than are read at once.
struct many_tiles : device::sort_tuning {
  static constexpr int alone_bytes = 0;
  static constexpr int cluster_bytes = 0;
  static constexpr int few_threads = 256;
  static constexpr int few_items = 2;
  static constexpr int window = 2;
  static constexpr int tiles_each = 1 << 20;
};
constexpr std::int64_t tile = 512;

// Several launches for each digit.
struct many_portions : many_tiles {
  static constexpr std::int64_t portion = 3 * tile + 100;
};
// The tiles of large inputs.
struct large_tiles : device::sort_tuning {
  static constexpr int alone_bytes = 0;
  static constexpr int cluster_bytes = 0;
  static constexpr int tiles_each = 0;
};
// A cluster for everything.
struct in_cluster : device::sort_tuning {
  static constexpr int alone_bytes = 0;
  static constexpr int cluster_blocks = 4;
};
struct counts_keys : device::sort_tuning {
  static constexpr int alone_bytes = 0;
  static constexpr int cluster_bytes = 0;
  static constexpr std::int64_t counted_whole = 1;
};

template <typename T>
std::uint64_t bits_of(const T& value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <typename T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

// Whether a key comes first, by the standard library's total order.
template <typename T>
bool is_before(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::strong_order(a, b) < 0;
  } else if constexpr (std::is_integral_v<T>) {
    return a < b;
  } else {
    // Half and bfloat16: the sign and the magnitude of their bits.
    const auto place = [](const T& number) {
      const auto bits = static_cast<int>(bits_of(number));
      return (bits & 0x8000) != 0 ? -1 - (bits & 0x7fff) : bits;
    };
    return place(a) < place(b);
  }
}

// Where the keys come from in stable order.
template <typename T>
std::vector<std::uint32_t> sorted_places(const std::vector<T>& keys,
                                         sort_order order = sort_order::ascending) {
  std::vector<std::uint32_t> places(keys.size());
  std::iota(places.begin(), places.end(), 0u);
  std::stable_sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
    return order == sort_order::ascending ? is_before(keys[a], keys[b])
                                          : is_before(keys[b], keys[a]);
  });
  return places;
}
template <typename T>
std::vector<T> taken(const std::vector<T>& values, const std::vector<std::uint32_t>& places) {
  std::vector<T> result;
  for (const std::uint32_t place : places) result.push_back(values[place]);
  return result;
}

enum class content { random, few, equal, ascending, descending, low_byte };

// Keys of every bit pattern, NaNs included.
template <typename T>
std::vector<T> keys_with(content what, std::int64_t count, std::uint64_t stream = 0) {
  std::vector<T> keys(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t bits = sample_bits(seed() + stream, i);
    keys[i] = from_bits<T>(what == content::few        ? bits % 5 * 0x3f17'4c00'3f17'4c01ull
                           : what == content::equal    ? 0x4242'4242'4242'4242ull
                           : what == content::low_byte ? 0x4242'4242'4242'4200ull | (bits & 0xff)
                                                       : bits);
  }
  if (what == content::ascending) keys = taken(keys, sorted_places(keys));
  if (what == content::descending) keys = taken(keys, sorted_places(keys, sort_order::descending));
  return keys;
}

// The first key with other bits; -1: none.
template <typename T>
std::int64_t first_other_bits(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return static_cast<std::int64_t>(std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0) return static_cast<std::int64_t>(i);
  }
  return -1;
}

template <typename Tuning, typename T>
void expect_sorted(workspace& work, const std::vector<T>& keys,
                   sort_order order = sort_order::ascending) {
  const auto expected = taken(keys, sorted_places(keys, order));
  const auto count = static_cast<std::int64_t>(keys.size());
  const device_array<T> input(keys);
  const guarded_array<T> output(keys.size());
  device::sort<Tuning>(work, input.data(), count, output.data(), {.order = order});
  EXPECT_EQ(first_other_bits(output.values(), expected), -1) << count << " keys";
  EXPECT_EQ(first_other_bits(input.values(), keys), -1) << "the input has changed";
  device::sort<Tuning>(work, input.data(), count, input.data(), {.order = order});
  EXPECT_EQ(first_other_bits(input.values(), expected), -1) << count << " keys, in place";
}

// Pairs prove that the sort is stable: the values are the places of the keys.
template <typename Tuning, typename T>
void expect_pairs_sorted(workspace& work, const std::vector<T>& keys,
                         sort_order order = sort_order::ascending) {
  const auto expected = sorted_places(keys, order);
  const auto sorted = taken(keys, expected);
  std::vector<std::uint32_t> places(keys.size());
  std::iota(places.begin(), places.end(), 0u);
  const auto count = static_cast<std::int64_t>(keys.size());
  const device_array<T> input(keys);
  const device_array<std::uint32_t> values(places);
  const guarded_array<T> output(keys.size());
  const guarded_array<std::uint32_t> output_values(keys.size());
  device::sort_pairs<Tuning>(work, input.data(), values.data(), count, output.data(),
                             output_values.data(), {.order = order});
  EXPECT_EQ(first_other_bits(output.values(), sorted), -1) << count << " keys";
  EXPECT_EQ(first_difference(output_values.values(), expected), -1) << count << " values";
  EXPECT_EQ(first_other_bits(input.values(), keys), -1) << "the keys have changed";
  EXPECT_EQ(first_difference(values.values(), places), -1) << "the values have changed";
  device::sort_pairs<Tuning>(work, input.data(), values.data(), count, input.data(), values.data(),
                             {.order = order});
  EXPECT_EQ(first_other_bits(input.values(), sorted), -1) << count << " keys, in place";
  EXPECT_EQ(first_difference(values.values(), expected), -1) << count << " values, in place";
}

const std::vector<std::int64_t> awkward_counts{
    0,   1,        2,    31,       32,       33,           255,
    257, tile - 1, tile, tile + 1, 2 * tile, 7 * tile + 3, 12 * tile - 1,
    9001};

TEST(sort, sorts_awkward_counts) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count : awkward_counts) {
    const auto keys = keys_with<std::uint32_t>(content::random, count);
    expect_sorted<device::sort_tuning>(work, keys);
    expect_sorted<in_cluster>(work, keys);
    expect_sorted<many_tiles>(work, keys);
    expect_sorted<many_portions>(work, keys);
    expect_sorted<large_tiles>(work, keys);
  }
}

TEST(sort_pairs, keeps_the_order_of_equal_keys_for_awkward_counts) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count : awkward_counts) {
    const auto keys = keys_with<std::uint32_t>(content::few, count);
    expect_pairs_sorted<device::sort_tuning>(work, keys);
    expect_pairs_sorted<in_cluster>(work, keys);
    expect_pairs_sorted<many_tiles>(work, keys);
    expect_pairs_sorted<many_portions>(work, keys);
    expect_pairs_sorted<large_tiles>(work, keys);
  }
}

// Digits that are the same in all keys are skipped, and the last pass must still reach the output.
TEST(sort, sorts_keys_of_every_distribution) {
  HEDDLE_NAME_SEED();
  workspace work;
  const std::int64_t count = 5 * tile + 77;
  for (const content what : {content::random, content::few, content::equal, content::ascending,
                             content::descending, content::low_byte}) {
    SCOPED_TRACE(static_cast<int>(what));
    for (const sort_order order : {sort_order::ascending, sort_order::descending}) {
      const auto keys = keys_with<std::uint32_t>(what, count);
      expect_sorted<many_tiles>(work, keys, order);
      expect_pairs_sorted<many_tiles>(work, keys, order);
      expect_pairs_sorted<device::sort_tuning>(work, keys, order);
      expect_pairs_sorted<in_cluster>(work, keys, order);
    }
  }
}

template <typename T>
class sort_of : public ::testing::Test {};
using key_types =
    ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, __half, __nv_bfloat16,
                     std::int32_t, float, std::int64_t, std::uint64_t, double>;
TYPED_TEST_SUITE(sort_of, key_types);

TYPED_TEST(sort_of, any_number_type) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count : {std::int64_t{100}, 4 * tile + 5}) {
    auto keys = keys_with<TypeParam>(content::random, count);
    if constexpr (!std::is_integral_v<TypeParam>) {
      keys[7] = from_bits<TypeParam>(0);  // +0 before -0 in the input
      keys[8] = from_bits<TypeParam>(std::uint64_t{1} << (8 * sizeof(TypeParam) - 1));
    }
    for (const sort_order order : {sort_order::ascending, sort_order::descending}) {
      expect_sorted<device::sort_tuning>(work, keys, order);
      expect_sorted<many_tiles>(work, keys, order);
      if constexpr (sizeof(TypeParam) == 2) expect_sorted<counts_keys>(work, keys, order);
      expect_pairs_sorted<many_tiles>(work, keys, order);
    }
  }
}

TEST(sort, orders_nans_infinities_and_zeros_by_their_sign) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float nan = from_bits<float>(0x7fc00000u), minus_nan = from_bits<float>(0xffc00000u);
  const std::vector<float> keys{nan, 0.0f, -infinity, 1.0f, minus_nan, -0.0f, infinity, -1.0f};
  const std::vector<float> expected{minus_nan, -infinity, -1.0f, -0.0f, 0.0f, 1.0f, infinity, nan};
  workspace work;
  const device_array<float> input(keys);
  const guarded_array<float> output(keys.size());
  device::sort(work, input.data(), 8, output.data());
  EXPECT_EQ(first_other_bits(output.values(), expected), -1);
  device::sort(work, input.data(), 8, input.data(), {.order = sort_order::descending});
  EXPECT_EQ(first_other_bits(input.values(), {expected.rbegin(), expected.rend()}), -1);
}

// The bits [begin, end) of a key.
std::uint64_t part_of(std::uint64_t key, int begin, int end) {
  return end - begin == 64 ? key : key >> begin & ((std::uint64_t{1} << (end - begin)) - 1);
}

template <typename Tuning, typename T>
void expect_sorted_by_bits(workspace& work, std::int64_t count, int begin, int end) {
  const auto keys = keys_with<T>(content::random, count);
  std::vector<std::uint64_t> parts;
  for (const T key : keys) parts.push_back(part_of(bits_of(key), begin, end));
  for (const sort_order order : {sort_order::ascending, sort_order::descending}) {
    SCOPED_TRACE("bits " + std::to_string(begin) + " to " + std::to_string(end));
    const sort_settings settings{.order = order, .begin_bit = begin, .end_bit = end};
    const auto expected = taken(keys, sorted_places(parts, order));
    const device_array<T> input(keys);
    const guarded_array<T> output(keys.size());
    device::sort<Tuning>(work, input.data(), count, output.data(), settings);
    EXPECT_EQ(first_difference(output.values(), expected), -1);
    device::sort<Tuning>(work, input.data(), count, input.data(), settings);
    EXPECT_EQ(first_difference(input.values(), expected), -1) << "in place";
  }
}

TEST(sort, sorts_by_any_bits_and_keeps_the_order_of_the_others) {
  HEDDLE_NAME_SEED();
  workspace work;
  const std::int64_t count = 3 * tile + 9;
  for (const auto& [begin, end] : std::vector<std::pair<int, int>>{
           {0, 0}, {0, 1}, {5, 6}, {3, 11}, {0, 24}, {7, 31}, {8, 32}}) {
    expect_sorted_by_bits<device::sort_tuning, std::uint32_t>(work, count, begin, end);
    expect_sorted_by_bits<many_tiles, std::uint32_t>(work, count, begin, end);
  }
  expect_sorted_by_bits<many_tiles, std::uint64_t>(work, count, 30, 41);
  expect_sorted_by_bits<many_tiles, std::uint64_t>(work, count, 1, 64);
  expect_sorted_by_bits<many_tiles, std::uint8_t>(work, count, 2, 7);
}

struct odd_value {
  std::uint16_t words[3];
  friend bool operator==(const odd_value& a, const odd_value& b) {
    return std::memcmp(a.words, b.words, sizeof(a.words)) == 0;
  }
};
struct large_value {
  double numbers[5];
  friend bool operator==(const large_value& a, const large_value& b) {
    return std::memcmp(a.numbers, b.numbers, sizeof(a.numbers)) == 0;
  }
};

template <typename Tuning, typename Value>
void expect_values_moved(workspace& work, const std::vector<Value>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  const auto keys = keys_with<std::int16_t>(content::random, count);
  const auto places = sorted_places(keys);
  const device_array<std::int16_t> input(keys);
  const device_array<Value> input_values(values);
  const guarded_array<std::int16_t> output(keys.size());
  const guarded_array<Value> output_values(values.size());
  device::sort_pairs<Tuning>(work, input.data(), input_values.data(), count, output.data(),
                             output_values.data());
  EXPECT_EQ(first_difference(output.values(), taken(keys, places)), -1);
  EXPECT_EQ(first_difference(output_values.values(), taken(values, places)), -1);
  // Only the values in place.
  device::sort_pairs<Tuning>(work, input.data(), input_values.data(), count, output.data(),
                             input_values.data());
  EXPECT_EQ(first_difference(input_values.values(), taken(values, places)), -1) << "in place";
}

TEST(sort_pairs, moves_values_of_every_size) {
  HEDDLE_NAME_SEED();
  workspace work;
  const std::size_t count = 3 * tile + 40;
  std::vector<std::uint8_t> bytes(count);
  std::vector<odd_value> odd(count);
  std::vector<double> wide(count);
  std::vector<large_value> large(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = sample_bits(seed() + 3, i);
    bytes[i] = static_cast<std::uint8_t>(bits);
    for (int j = 0; j < 3; ++j) odd[i].words[j] = static_cast<std::uint16_t>(bits >> 16 * j);
    wide[i] = static_cast<double>(bits);
    for (int j = 0; j < 5; ++j) large[i].numbers[j] = static_cast<double>(bits) + j;
  }
  expect_values_moved<many_tiles>(work, bytes);
  expect_values_moved<many_tiles>(work, odd);
  expect_values_moved<device::sort_tuning>(work, odd);
  expect_values_moved<many_tiles>(work, wide);
  expect_values_moved<many_tiles>(work, large);
  expect_values_moved<device::sort_tuning>(work, large);
}

template <typename Tuning, typename T>
void expect_sorted_from_any_start() {
  workspace work;
  const std::int64_t count = 4 * tile + 11;
  for (int offset = 0; offset < 5; ++offset) {
    const auto all = keys_with<T>(content::random, count + offset);
    const std::vector<T> keys(all.begin() + offset, all.end());
    const device_array<T> input(all);
    const guarded_array<T> output(keys.size());  // itself 17 elements from the start
    device::sort<Tuning>(work, input.data() + offset, count, output.data());
    EXPECT_EQ(first_difference(output.values(), taken(keys, sorted_places(keys))), -1)
        << "offset " << offset;
  }
}

TEST(sort, starts_anywhere) {
  HEDDLE_NAME_SEED();
  expect_sorted_from_any_start<many_tiles, std::uint32_t>();
  expect_sorted_from_any_start<many_tiles, std::uint64_t>();
  expect_sorted_from_any_start<counts_keys, std::uint16_t>();
  expect_sorted_from_any_start<counts_keys, std::uint8_t>();
  expect_sorted_from_any_start<device::sort_tuning, std::uint8_t>();
}

// Bytes are counted and written again, with runs that are longer and shorter than a vector.
TEST(sort, counts_bytes_of_every_distribution) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const content what : {content::random, content::few, content::equal}) {
    expect_sorted<counts_keys>(work, keys_with<std::uint8_t>(what, 20001));
    expect_sorted<counts_keys>(work, keys_with<std::int16_t>(what, 20001));
  }
  expect_sorted<counts_keys>(work, keys_with<std::uint8_t>(content::random, 3));
}

TEST(sort, leaves_its_kept_memory_ready_for_other_sorts) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count : {9 * tile, 2 * tile + 1, 40 * tile + 7, 3 * tile}) {
    expect_sorted<many_tiles>(work, keys_with<std::uint32_t>(content::random, count));
    expect_pairs_sorted<many_tiles>(work, keys_with<double>(content::few, count));
    expect_sorted<counts_keys>(work, keys_with<std::uint8_t>(content::random, count));
  }
}

TEST(sort, sorts_in_two_streams_with_a_workspace_each) {
  HEDDLE_NAME_SEED();
  const std::int64_t count = 21 * tile + 1;
  cudaStream_t streams[2];
  std::vector<workspace> works;
  std::vector<std::vector<std::uint32_t>> keys;
  for (cudaStream_t& stream : streams) {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    works.emplace_back(stream);
    keys.push_back(keys_with<std::uint32_t>(content::random, count, works.size()));
  }
  const device_array<std::uint32_t> first(keys[0]), second(keys[1]);
  for (int call = 0; call < 2; ++call) {
    device::sort<many_tiles>(works[0], first.data(), count, first.data());
    device::sort<many_tiles>(works[1], second.data(), count, second.data());
  }
  for (cudaStream_t stream : streams) check(cudaStreamSynchronize(stream), "kernels");
  EXPECT_EQ(first_difference(first.values(), taken(keys[0], sorted_places(keys[0]))), -1);
  EXPECT_EQ(first_difference(second.values(), taken(keys[1], sorted_places(keys[1]))), -1);
  works.clear();
  for (cudaStream_t stream : streams) check(cudaStreamDestroy(stream), "stream");
}

template <typename Tuning>
void expect_replays(std::int64_t count) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "stream");
  {
    workspace work(stream);
    const auto size = static_cast<std::size_t>(count);
    const device_array<std::uint32_t> input(size), output(size);
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    device::sort<Tuning>(work, input.data(), count, output.data());
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "capture");
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
    // Other digits are skipped in each replay.
    for (const content what : {content::random, content::equal, content::low_byte, content::few}) {
      const auto keys = keys_with<std::uint32_t>(what, count);
      check(cudaMemcpy(input.data(), keys.data(), size * sizeof(std::uint32_t),
                       cudaMemcpyHostToDevice),
            "copy");
      check(cudaMemset(output.data(), 0xa5, size * sizeof(std::uint32_t)), "poison");
      check(cudaDeviceSynchronize(), "poison");
      check(cudaGraphLaunch(ready, stream), "replay");
      check(cudaStreamSynchronize(stream), "replay");
      EXPECT_EQ(first_difference(output.values(), taken(keys, sorted_places(keys))), -1)
          << count << " keys with content " << static_cast<int>(what);
    }
    check(cudaGraphExecDestroy(ready), "destroy");
    check(cudaGraphDestroy(graph), "destroy");
  }
  check(cudaStreamDestroy(stream), "stream");
}

TEST(sort, can_be_captured_and_replayed_with_other_contents) {
  HEDDLE_NAME_SEED();
  expect_replays<device::sort_tuning>(3000);
  expect_replays<many_tiles>(6 * tile + 5);
}

TEST(sort, wraps_its_launch_number_after_2_to_the_32_launches) {
  HEDDLE_NAME_SEED();
  using board = device::detail::digit_board;
  using header = device::detail::look_back_header;
  workspace work;
  const auto keys = keys_with<std::uint32_t>(content::random, 9 * tile + 1);
  expect_sorted<many_tiles>(work, keys);
  std::byte* const memory = work.kept<device::detail::digit_board_memory>(1);
  header left{};
  check(cudaMemcpy(&left, memory, sizeof(left), cudaMemcpyDeviceToHost), "read");
  EXPECT_EQ(left.launches_and_tile, 8ull << 32);  // two sorts of four passes
  EXPECT_EQ(left.words, 10u * device::detail::digit_values);
  // The third pass of the next sort clears the words.
  constexpr auto last = device::detail::look_back_board<std::uint32_t>::last_launch;
  left.launches_and_tile = static_cast<std::uint64_t>(last - 3) << 32;
  check(cudaMemcpy(memory, &left, sizeof(left), cudaMemcpyHostToDevice), "write");
  expect_sorted<many_tiles>(work, keys);
  check(cudaMemcpy(&left, memory, sizeof(left), cudaMemcpyDeviceToHost), "read");
  EXPECT_EQ(left.launches_and_tile, 5ull << 32);
  EXPECT_EQ(board::bytes_for(10), device::detail::look_back_header_bytes + 10 * 256 * 8);
}

TEST(sort, sorts_more_than_2_to_the_31_keys) {
  workspace work;
  if (work.multiprocessors() < 16) GTEST_SKIP() << "takes too long on a CPU";
  HEDDLE_NAME_SEED();
  // Few distinct keys, so that the result can be checked by counting.
  const std::int64_t count = (std::int64_t{1} << 31) + 12345;
  std::vector<std::uint8_t> keys(static_cast<std::size_t>(count));
  std::vector<std::int64_t> counts(256);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13 ^ seed());
    ++counts[keys[i]];
  }
  const device_array<std::uint8_t> input(keys);
  // By seven bits in passes, then by all bits by counting.
  device::sort<device::sort_tuning>(work, input.data(), count, input.data(), {.end_bit = 7});
  auto results = input.values();
  std::size_t wrong = 0;
  for (std::size_t i = 1; i < results.size(); ++i) {
    wrong += (results[i - 1] & 0x7f) > (results[i] & 0x7f) ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u);
  device::sort(work, input.data(), count, input.data());
  results = input.values();
  std::size_t i = 0;
  for (int key = 0; key < 256; ++key) {
    for (std::int64_t j = 0; j < counts[static_cast<std::size_t>(key)]; ++j, ++i) {
      wrong += results[i] != key ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(sort, refuses_negative_counts_and_bits_outside_the_key) {
  workspace work;
  std::uint32_t* const none = nullptr;
  EXPECT_THROW(device::sort(work, none, -1, none), heddle::error);
  EXPECT_THROW(device::sort(work, none, 1, none, {.begin_bit = -1}), heddle::error);
  EXPECT_THROW(device::sort(work, none, 1, none, {.end_bit = 33}), heddle::error);
  EXPECT_THROW(device::sort(work, none, 1, none, {.begin_bit = 9, .end_bit = 8}), heddle::error);
}

}  // namespace
