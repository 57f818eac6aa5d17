// warp::top_k, kth and their pairs against std::stable_sort of each tile's keys.
#include <heddle/warp/top_k.cuh>

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

template <typename Key, typename Value>
struct chosen_keys {
  Key key, kth, key_of_pair, key_of_stable_pair;
  Value value, stable_value;
};

template <int k, int width, typename Key, typename Value, typename Before>
struct choose {
  const Key* keys;
  __device__ chosen_keys<Key, Value> operator()() const {
    namespace warp = heddle::warp;
    const Key mine = keys[threadIdx.x];
    const auto from = static_cast<Value>(threadIdx.x);
    chosen_keys<Key, Value> answer{warp::top_k<k, width>(mine, Before{}),
                                   warp::kth<k, width>(mine, Before{}),
                                   mine,
                                   mine,
                                   from,
                                   from};
    warp::top_k_pairs<k, width>(answer.key_of_pair, answer.value, Before{});
    warp::stable_top_k_pairs<k, width>(answer.key_of_stable_pair, answer.stable_value, Before{});
    return answer;
  }
};

constexpr int threads = 64;

template <typename Key, typename Before>
std::vector<int> stable_order(const std::vector<Key>& keys, int first, int count, Before before) {
  const std::function<bool(int, int)> stands_before = [&](int a, int b) {
    return before(keys[a], keys[b]);
  };
  std::vector<int> places(count);
  std::iota(places.begin(), places.end(), first);
  std::stable_sort(places.begin(), places.end(), stands_before);
  return places;
}

template <int k, int width, typename Value, typename Before, typename Key, typename Reference>
void expect_first_keys(const std::vector<Key>& keys, Reference reference) {
  SCOPED_TRACE(__PRETTY_FUNCTION__);
  device_array<Key> given(keys);
  const auto answers = answers_of(choose<k, width, Key, Value, Before>{given.data()}, threads);
  for (int first = 0; first < threads; first += width) {
    const auto order = stable_order(keys, first, width, reference);
    std::vector<int> seen;
    for (int i = 0; i < k; ++i) {
      const auto& answer = answers[first + i];
      const Key expected = keys[order[i]];
      ASSERT_EQ(answer.key, expected) << "lane " << first + i;
      ASSERT_EQ(answer.key_of_pair, expected) << "lane " << first + i;
      ASSERT_EQ(answer.key_of_stable_pair, expected) << "lane " << first + i;
      ASSERT_EQ(static_cast<int>(answer.stable_value), order[i]) << "lane " << first + i;
      const int from = static_cast<int>(answer.value);
      ASSERT_TRUE(from >= first && from < first + width) << from;
      ASSERT_EQ(keys[from], expected) << "lane " << first + i;
      seen.push_back(from);
    }
    std::sort(seen.begin(), seen.end());
    ASSERT_TRUE(std::unique(seen.begin(), seen.end()) == seen.end()) << "a pair comes twice";
    for (int i = 0; i < width; ++i) {
      ASSERT_EQ(answers[first + i].kth, keys[order[k - 1]]) << "lane " << first + i;
    }
  }
}

template <typename T>
std::vector<T> keys_with_repeats() {
  std::vector<T> keys(threads);
  for (int i = 0; i < threads; ++i) {
    const auto which = sample<std::uint32_t>(seed() + 1, i);
    keys[i] = which % 2 == 0 ? static_cast<T>(which / 2 % 5) : sample<T>(seed(), i);
  }
  return keys;
}

TEST(warp_top_k, gives_the_largest_keys_of_tiles_of_every_width) {
  HEDDLE_NAME_SEED();
  const auto keys = keys_with_repeats<int>();
  expect_first_keys<1, 1, int, heddle::descending>(keys, std::greater<int>{});
  expect_first_keys<1, 2, int, heddle::descending>(keys, std::greater<int>{});
  expect_first_keys<3, 4, int, heddle::descending>(keys, std::greater<int>{});
  expect_first_keys<2, 8, int, heddle::descending>(keys, std::greater<int>{});
  expect_first_keys<5, 16, int, heddle::descending>(keys, std::greater<int>{});
  expect_first_keys<1, 32, int, heddle::descending>(keys, std::greater<int>{});
  expect_first_keys<4, 32, int, heddle::descending>(keys, std::greater<int>{});
  expect_first_keys<31, 32, int, heddle::descending>(keys, std::greater<int>{});
  expect_first_keys<32, 32, int, heddle::descending>(keys, std::greater<int>{});
}

TEST(warp_top_k, gives_the_smallest_keys_of_every_type) {
  HEDDLE_NAME_SEED();
  expect_first_keys<7, 32, int, heddle::ascending>(keys_with_repeats<std::uint8_t>(),
                                                   std::less<int>{});
  expect_first_keys<7, 32, std::uint64_t, heddle::ascending>(keys_with_repeats<std::int64_t>(),
                                                             std::less<std::int64_t>{});
  expect_first_keys<7, 16, double, heddle::ascending>(keys_with_repeats<float>(),
                                                      std::less<float>{});
  expect_first_keys<3, 32, double, heddle::ascending>(keys_with_repeats<float>(),
                                                      std::less<float>{});
}

// A key that was taken must not be confused with an equal one that is left.
TEST(warp_top_k, returns_the_last_possible_keys) {
  std::vector<int> keys(threads, std::numeric_limits<int>::min());
  keys[9] = keys[40] = 5;
  expect_first_keys<2, 32, int, heddle::descending>(keys, std::greater<int>{});
  expect_first_keys<4, 32, int, heddle::descending>(keys, std::greater<int>{});
}

struct by_last_digit {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return a % 10 < b % 10;
  }
};
struct pair_of_numbers {
  std::uint32_t digits, lane;
};
struct by_digits {
  __device__ bool operator()(const pair_of_numbers& a, const pair_of_numbers& b) const {
    return a.digits % 10 < b.digits % 10;
  }
};

struct choose_by_last_digit {
  std::uint64_t seed;
  __device__ pair_of_numbers operator()() const {
    const pair_of_numbers mine{sample<std::uint32_t>(seed, threadIdx.x), threadIdx.x};
    return heddle::warp::stable_top_k<6, 16>(mine, by_digits{});
  }
};

TEST(warp_stable_top_k, takes_the_first_lanes_of_equal_keys) {
  HEDDLE_NAME_SEED();
  std::vector<std::uint32_t> keys(threads);
  for (int i = 0; i < threads; ++i) keys[i] = sample<std::uint32_t>(seed(), i);
  const auto answers = answers_of(choose_by_last_digit{seed()}, threads);
  for (int first = 0; first < threads; first += 16) {
    const auto order = stable_order(keys, first, 16, by_last_digit{});
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(answers[first + i].digits, keys[order[i]]);
      EXPECT_EQ(answers[first + i].lane, static_cast<std::uint32_t>(order[i]));
    }
  }
}

// Lane i holds values[i].
struct largest_given {
  float values[32];
  __device__ float operator()() const { return heddle::warp::top_k<4>(values[lane_id()]); }
};

TEST(warp_top_k, takes_nan_last) {
  largest_given given{};
  for (float& value : given.values) value = std::numeric_limits<float>::quiet_NaN();
  given.values[5] = -std::numeric_limits<float>::infinity();
  given.values[17] = -0.0f;
  given.values[29] = 0.0f;
  const auto answers = answers_of(given);
  EXPECT_TRUE(answers[0] == 0.0f && !std::signbit(answers[0]));
  EXPECT_TRUE(answers[1] == 0.0f && std::signbit(answers[1]));
  EXPECT_EQ(answers[2], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(answers[3]));
}

// The tiles of a mask take part in one branch, all others in another.
struct choose_in_branches {
  std::uint64_t seed;
  heddle::lane_mask largest;
  __device__ int operator()() const {
    const int mine = sample<int>(seed, lane_id());
    if (heddle::contains(largest, lane_id())) {
      return heddle::warp::kth<3, 8>(mine, heddle::descending{}, largest);
    }
    return heddle::warp::kth<3, 8>(mine, heddle::ascending{}, ~largest);
  }
};

TEST(warp_kth, serves_callers_in_different_branches) {
  HEDDLE_NAME_SEED();
  for (unsigned tiles = 0; tiles < 16; ++tiles) {
    heddle::lane_mask largest = 0;
    for (int tile = 0; tile < 4; ++tile) largest |= tiles >> tile & 1 ? 0xffu << 8 * tile : 0;
    const auto answers = answers_of(choose_in_branches{seed(), largest});
    for (int lane = 0; lane < 32; ++lane) {
      std::vector<int> keys(8);
      for (int i = 0; i < 8; ++i) keys[i] = sample<int>(seed(), lane / 8 * 8 + i);
      std::sort(keys.begin(), keys.end());
      EXPECT_EQ(answers[lane], tiles >> lane / 8 & 1 ? keys[5] : keys[2]) << lane;
    }
  }
}

}  // namespace
