// warp::sort, stable_sort and their pairs against std::stable_sort of each tile's keys.
#include <heddle/warp/sort.cuh>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;

// A lane's keys after the call, and their values.
template <typename Key, typename Value, int count>
struct sorted_pairs {
  Key keys[count];
  Value values[count];
};

enum class way { keys_only, stable_keys, pairs, stable_pairs };

// Sorts keys[thread * count …] with values[thread * count …].
template <way chosen, int width, int count, typename Key, typename Value, typename Before>
struct sort_given {
  const Key* keys;
  const Value* values;
  __device__ sorted_pairs<Key, Value, count> operator()() const {
    sorted_pairs<Key, Value, count> mine;
    for (int i = 0; i < count; ++i) {
      mine.keys[i] = keys[heddle::thread_rank() * count + i];
      mine.values[i] = values[heddle::thread_rank() * count + i];
    }
    if constexpr (count == 1) {
      if constexpr (chosen == way::keys_only) {
        mine.keys[0] = heddle::warp::sort<width>(mine.keys[0], Before{});
      } else if constexpr (chosen == way::stable_keys) {
        mine.keys[0] = heddle::warp::stable_sort<width>(mine.keys[0], Before{});
      } else if constexpr (chosen == way::pairs) {
        heddle::warp::sort_pairs<width>(mine.keys[0], mine.values[0], Before{});
      } else {
        heddle::warp::stable_sort_pairs<width>(mine.keys[0], mine.values[0], Before{});
      }
    } else if constexpr (chosen == way::keys_only) {
      heddle::warp::sort<width>(mine.keys, Before{});
    } else if constexpr (chosen == way::stable_keys) {
      heddle::warp::stable_sort<width>(mine.keys, Before{});
    } else if constexpr (chosen == way::pairs) {
      heddle::warp::sort_pairs<width>(mine.keys, mine.values, Before{});
    } else {
      heddle::warp::stable_sort_pairs<width>(mine.keys, mine.values, Before{});
    }
    return mine;
  }
};

// Compares bits, so that NaN and -0 count.
template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

constexpr int threads = 64;

// How the keys `expected` and `keys` compare at one place.
struct comparison {
  bool is_equal, is_same;
};

// Checks one tile place by place. A value is the original place of its key. Unless the order of
// equal keys is guaranteed, the pairs only have to be the same ones as before.
void expect_places(const std::vector<int>& expected, const std::vector<int>& found,
                   const std::vector<comparison>& keys, bool is_stable, bool has_values) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(keys[i].is_equal) << "key " << i << " is out of order";
    ASSERT_TRUE(keys[i].is_same || has_values || !is_stable) << "key " << i << " is another one";
    ASSERT_TRUE(keys[i].is_same || !has_values) << "value " << i << " has left its key";
    if (has_values && is_stable) {
      ASSERT_EQ(found[i], expected[i]) << i;
    }
  }
  if (!has_values) return;
  auto sorted_expected = expected, sorted_found = found;
  std::sort(sorted_expected.begin(), sorted_expected.end());
  std::sort(sorted_found.begin(), sorted_found.end());
  ASSERT_EQ(sorted_found, sorted_expected);
}

// The original places of a tile's keys in sorted order; equal keys keep their order.
template <typename Key, typename Reference>
std::vector<int> stable_order(const std::vector<Key>& keys, int first, int count,
                              Reference reference) {
  const std::function<bool(int, int)> before = [&](int a, int b) {
    return reference(keys[a], keys[b]);
  };
  std::vector<int> places(count);
  std::iota(places.begin(), places.end(), first);
  std::stable_sort(places.begin(), places.end(), before);
  return places;
}

template <way chosen, int width, int count, typename Key, typename Value = int,
          typename Before = heddle::ascending, typename Reference>
void expect_sorted(const std::vector<Key>& keys, Reference reference) {
  constexpr bool has_values = chosen == way::pairs || chosen == way::stable_pairs;
  constexpr bool is_stable = chosen == way::stable_keys || chosen == way::stable_pairs;
  const int total = threads * count, tile = width * count;
  std::vector<Value> values(total);
  for (int i = 0; i < total; ++i) values[i] = static_cast<Value>(i);
  device_array<Key> given_keys(keys);
  device_array<Value> given_values(values);
  const auto answers = answers_of(
      sort_given<chosen, width, count, Key, Value, Before>{given_keys.data(), given_values.data()},
      threads);
  for (int first = 0; first < total; first += tile) {
    const auto expected = stable_order(keys, first, tile, reference);
    std::vector<int> found(tile);
    std::vector<comparison> compared(tile);
    for (int i = 0; i < tile; ++i) {
      const Key& key = answers[(first + i) / count].keys[(first + i) % count];
      found[i] = static_cast<int>(answers[(first + i) / count].values[(first + i) % count]);
      const Key& wanted = keys[expected[i]];
      const bool is_there = found[i] >= 0 && found[i] < total;
      compared[i] = {!reference(key, wanted) && !reference(wanted, key),
                     same_bits(key, has_values && is_there ? keys[found[i]] : wanted)};
    }
    SCOPED_TRACE(__PRETTY_FUNCTION__);
    expect_places(expected, found, compared, is_stable, has_values);
  }
}

// The documented order of numbers, written differently.
template <typename T>
bool stands_below(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    return a < b;
  } else {
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
    if (x == y) return std::signbit(x) && !std::signbit(y);
    return x < y;
  }
}
struct smaller_first {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return stands_below(a, b);
  }
};
struct larger_first {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    if constexpr (!std::is_integral_v<T>) {
      const auto x = static_cast<double>(a), y = static_cast<double>(b);
      if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
    }
    return stands_below(b, a);
  }
};

// Samples; every third is one of a few special values, so that keys repeat.
template <typename T>
std::vector<T> keys_with_repeats(int count) {
  std::vector<T> special;
  if constexpr (std::is_integral_v<T>) {
    special = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(0), T(1), T(~T(0))};
  } else {
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (float f :
         {infinity, -infinity, 0.0f, -0.0f, nan, -nan, 1.0f, -1.0f, 0x1p-24f, -0x1p-24f}) {
      special.push_back(static_cast<T>(f));
    }
  }
  std::vector<T> keys(count);
  for (int i = 0; i < count; ++i) {
    const auto which = static_cast<std::size_t>(sample<std::uint32_t>(seed() + 1, i));
    keys[i] = which % 3 == 0 ? special[which / 3 % special.size()] : sample<T>(seed(), i);
  }
  return keys;
}

// Keys alone in ascending order, pairs in descending order. Pairs get only one kind of NaN: the
// documented order distinguishes NaN bits, this test does not.
template <typename T>
void expect_numbers_sorted() {
  SCOPED_TRACE(__PRETTY_FUNCTION__);
  auto keys = keys_with_repeats<T>(threads);
  expect_sorted<way::keys_only, 32, 1, T>(keys, smaller_first{});
  if constexpr (!std::is_integral_v<T>) {
    for (T& key : keys) {
      if (std::isnan(static_cast<float>(key))) key = static_cast<T>(std::nanf(""));
    }
  }
  expect_sorted<way::stable_pairs, 32, 1, T, int, heddle::descending>(keys, larger_first{});
}

TEST(warp_sort, sorts_integers_of_every_size) {
  HEDDLE_NAME_SEED();
  expect_numbers_sorted<std::int8_t>();
  expect_numbers_sorted<std::uint16_t>();
  expect_numbers_sorted<std::int32_t>();
  expect_numbers_sorted<std::uint32_t>();
  expect_numbers_sorted<std::int64_t>();
}

TEST(warp_sort, puts_minus_zero_before_zero_and_nan_last) {
  HEDDLE_NAME_SEED();
  expect_numbers_sorted<float>();
  expect_numbers_sorted<double>();
  expect_numbers_sorted<__half>();
  expect_numbers_sorted<__nv_bfloat16>();
  expect_sorted<way::keys_only, 32, 1, float, int, heddle::descending>(
      keys_with_repeats<float>(threads), larger_first{});
}

TEST(warp_sort, keeps_the_bits_of_every_nan) {
  std::vector<std::uint32_t> words(threads);
  for (int i = 0; i < threads; ++i) words[i] = (i % 2 ? 0x7f800001u : 0xff800001u) + 7919u * i;
  std::vector<float> keys(threads);
  std::memcpy(keys.data(), words.data(), sizeof(float) * threads);
  device_array<float> given(keys);
  device_array<int> values(threads);
  const auto answers = answers_of(
      sort_given<way::keys_only, 32, 1, float, int, heddle::ascending>{given.data(), values.data()},
      threads);
  std::vector<std::uint32_t> sorted(threads);
  for (int i = 0; i < threads; ++i) std::memcpy(&sorted[i], answers[i].keys, sizeof(float));
  for (int first : {0, 32}) {
    std::sort(words.begin() + first, words.begin() + first + 32);
    std::sort(sorted.begin() + first, sorted.begin() + first + 32);
  }
  EXPECT_EQ(sorted, words);
}

TEST(warp_sort, sorts_tiles_of_every_width) {
  HEDDLE_NAME_SEED();
  const auto keys = keys_with_repeats<std::int32_t>(threads);
  expect_sorted<way::keys_only, 1, 1>(keys, smaller_first{});
  expect_sorted<way::keys_only, 2, 1>(keys, smaller_first{});
  expect_sorted<way::keys_only, 4, 1>(keys, smaller_first{});
  expect_sorted<way::keys_only, 8, 1>(keys, smaller_first{});
  expect_sorted<way::keys_only, 16, 1>(keys, smaller_first{});
  expect_sorted<way::stable_pairs, 1, 1>(keys, smaller_first{});
  expect_sorted<way::stable_pairs, 2, 1>(keys, smaller_first{});
  expect_sorted<way::stable_pairs, 8, 1>(keys, smaller_first{});
}

TEST(warp_sort, sorts_several_keys_of_a_lane) {
  HEDDLE_NAME_SEED();
  using number = std::int32_t;
  expect_sorted<way::keys_only, 32, 2>(keys_with_repeats<number>(2 * threads), smaller_first{});
  expect_sorted<way::keys_only, 16, 3>(keys_with_repeats<number>(3 * threads), smaller_first{});
  expect_sorted<way::keys_only, 32, 4>(keys_with_repeats<number>(4 * threads), smaller_first{});
  expect_sorted<way::keys_only, 8, 5>(keys_with_repeats<number>(5 * threads), smaller_first{});
  expect_sorted<way::keys_only, 32, 6>(keys_with_repeats<number>(6 * threads), smaller_first{});
  expect_sorted<way::keys_only, 4, 7>(keys_with_repeats<number>(7 * threads), smaller_first{});
  expect_sorted<way::keys_only, 1, 7>(keys_with_repeats<number>(7 * threads), smaller_first{});
  expect_sorted<way::keys_only, 32, 8>(keys_with_repeats<number>(8 * threads), smaller_first{});
}

TEST(warp_sort, sorts_several_pairs_of_a_lane) {
  HEDDLE_NAME_SEED();
  expect_sorted<way::pairs, 32, 3>(keys_with_repeats<std::int32_t>(3 * threads), smaller_first{});
  expect_sorted<way::pairs, 16, 2, std::int32_t, std::int64_t>(
      keys_with_repeats<std::int32_t>(2 * threads), smaller_first{});
  expect_sorted<way::stable_pairs, 16, 8, std::uint8_t>(
      keys_with_repeats<std::uint8_t>(8 * threads), smaller_first{});
}

TEST(warp_sort, moves_values_of_every_size_along) {
  HEDDLE_NAME_SEED();
  expect_sorted<way::pairs, 32, 1, std::int16_t, std::uint8_t>(
      keys_with_repeats<std::int16_t>(threads), smaller_first{});
  expect_sorted<way::pairs, 32, 1, std::int16_t, int>(keys_with_repeats<std::int16_t>(threads),
                                                      smaller_first{});
  expect_sorted<way::pairs, 32, 1, std::int32_t, std::uint16_t>(
      keys_with_repeats<std::int32_t>(threads), smaller_first{});
  expect_sorted<way::pairs, 32, 1, std::int32_t, double>(keys_with_repeats<std::int32_t>(threads),
                                                         smaller_first{});
  expect_sorted<way::pairs, 32, 1, std::int64_t, int>(keys_with_repeats<std::int64_t>(threads),
                                                      smaller_first{});
  expect_sorted<way::pairs, 32, 1, std::int64_t, std::int64_t>(
      keys_with_repeats<std::int64_t>(threads), smaller_first{});
}

// 64 bytes, ordered by a member in the middle whose values repeat.
struct record {
  double head[3];
  std::int32_t rank;
  std::int32_t number;
  double tail[4];
};
struct by_rank {
  __host__ __device__ bool operator()(const record& a, const record& b) const {
    return a.rank < b.rank;
  }
};

std::vector<record> records(int count) {
  std::vector<record> all(count);
  for (int i = 0; i < count; ++i) {
    all[i] = {{i + 0.5, i + 1.5, i + 2.5},
              static_cast<std::int32_t>(sample<std::uint32_t>(seed(), i) % 10),
              i,
              {i * 2.0, i * 3.0, i * 4.0, i * 5.0}};
  }
  return all;
}

TEST(warp_sort, takes_structs_of_64_bytes_and_any_ordering) {
  HEDDLE_NAME_SEED();
  static_assert(sizeof(record) == 64);
  expect_sorted<way::pairs, 32, 1, record, int, by_rank>(records(threads), by_rank{});
  expect_sorted<way::pairs, 8, 2, record, int, by_rank>(records(2 * threads), by_rank{});
}

TEST(warp_stable_sort, keeps_the_order_of_equal_keys) {
  HEDDLE_NAME_SEED();
  expect_sorted<way::stable_keys, 32, 1, record, int, by_rank>(records(threads), by_rank{});
  expect_sorted<way::stable_keys, 16, 3, record, int, by_rank>(records(3 * threads), by_rank{});
  expect_sorted<way::stable_pairs, 32, 1, record, int, by_rank>(records(threads), by_rank{});
}

// The 0-1 principle: a network that sorts all sequences of zeros and ones sorts everything. Lane i
// of tile t holds bit i of pattern n.
template <int width>
struct sort_bits {
  std::uint32_t patterns;
  __device__ int operator()() const {
    bool is_right = true;
    for (std::uint32_t first = 0; first < patterns; first += 32 / width) {
      const std::uint32_t pattern = first + lane_id() / width;
      const int mine = pattern >> lane_id() % width & 1;
      const int sorted = heddle::warp::sort<width>(mine);
      const int ones = heddle::count(pattern & heddle::lanes_below(width));
      is_right &= sorted == (lane_id() % width >= width - ones ? 1 : 0);
    }
    return is_right;
  }
};

// The same for two sorted halves, the only input of the last merge of a warp.
struct merge_bits {
  __device__ int operator()() const {
    bool is_right = true;
    for (int zeros_below = 0; zeros_below <= 16; ++zeros_below) {
      for (int zeros_above = 0; zeros_above <= 16; ++zeros_above) {
        const int zeros = lane_id() < 16 ? zeros_below : zeros_above;
        const int sorted = heddle::warp::sort(lane_id() % 16 >= zeros ? 1 : 0);
        is_right &= sorted == (lane_id() >= zeros_below + zeros_above ? 1 : 0);
      }
    }
    return is_right;
  }
};

TEST(warp_sort, sorts_every_sequence_of_zeros_and_ones) {
  EXPECT_EQ(answers_of(sort_bits<8>{1u << 8}), std::vector<int>(32, 1));
  EXPECT_EQ(answers_of(sort_bits<16>{1u << 16}), std::vector<int>(32, 1));
  EXPECT_EQ(answers_of(merge_bits{}), std::vector<int>(32, 1));
}

// Some tiles sort in ascending order in one branch, others in descending order in another; the rest
// do not take part.
struct sort_in_branches {
  std::uint64_t seed;
  heddle::lane_mask up, down;
  __device__ int operator()() const {
    int key = sample<int>(seed, lane_id()), answer = -1;
    if (heddle::contains(up, lane_id())) {
      answer = heddle::warp::sort<4>(key, {}, up);
    } else if (heddle::contains(down, lane_id())) {
      answer = lane_id();
      heddle::warp::sort_pairs<4>(key, answer, heddle::descending{}, down);
    }
    __syncwarp();  // the other tiles wait here for those that sort
    return answer;
  }
};

TEST(warp_sort, serves_callers_in_different_branches) {
  HEDDLE_NAME_SEED();
  for (int round = 0; round < 20; ++round) {
    heddle::lane_mask up = 0, down = 0;
    for (int tile = 0; tile < 8; ++tile) {
      const auto choice = sample<std::uint32_t>(seed() + round, 100 + tile) % 3;
      (choice == 0 ? up : down) |= choice == 2 ? 0 : 0xfu << 4 * tile;
    }
    const auto answers = answers_of(sort_in_branches{seed(), up, down});
    for (int first = 0; first < 32; first += 4) {
      std::vector<int> places(4);
      std::iota(places.begin(), places.end(), first);
      std::sort(places.begin(), places.end(),
                [](int a, int b) { return sample<int>(seed(), a) < sample<int>(seed(), b); });
      for (int i = 0; i < 4; ++i) {
        const int expected = up >> first & 1     ? sample<int>(seed(), places[i])
                             : down >> first & 1 ? places[3 - i]
                                                 : -1;
        EXPECT_EQ(answers[first + i], expected) << "lane " << first + i;
      }
    }
  }
}

}  // namespace
