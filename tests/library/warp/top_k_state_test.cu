// warp::top_k_state against std::stable_sort of the whole stream.
#include <heddle/warp/top_k_state.cuh>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;

template <typename Key, typename Value>
struct rank_of_stream {
  Key key;
  Value value;
  int count;
};

// Reads the keys in order, 32 at a time, the last time perhaps fewer. The value is the place.
template <int k, typename Key, typename Value, typename Before>
struct read_stream {
  const Key* keys;
  int length;
  __device__ rank_of_stream<Key, Value> operator()() const {
    heddle::warp::top_k_state<k, Key, Value, Before> state;
    for (int first = 0; first < length; first += heddle::warp_size) {
      const int place = first + lane_id();
      const bool is_there = place < length;
      state.merge(is_there ? keys[place] : Key{}, static_cast<Value>(place), is_there);
    }
    return {state.key(), state.value(), state.count()};
  }
};

template <int k, typename Value, typename Before, typename Key, typename Reference>
void expect_first_of_stream(const std::vector<Key>& keys, Reference reference) {
  SCOPED_TRACE(__PRETTY_FUNCTION__);
  const int length = static_cast<int>(keys.size());
  SCOPED_TRACE("length " + std::to_string(length));
  const std::function<bool(int, int)> before = [&](int a, int b) {
    return reference(keys[a], keys[b]);
  };
  std::vector<int> order(length);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), before);
  device_array<Key> given(keys);
  const auto answers = answers_of(read_stream<k, Key, Value, Before>{given.data(), length});
  const int count = std::min(k, length);
  for (int lane = 0; lane < 32; ++lane) {
    ASSERT_EQ(answers[lane].count, count) << "lane " << lane;
    if (lane >= count) continue;
    ASSERT_EQ(answers[lane].key, keys[order[lane]]) << "lane " << lane;
    ASSERT_EQ(static_cast<int>(answers[lane].value), order[lane]) << "lane " << lane;
  }
}

// Few distinct keys, so that equal ones occur, and trends: ascending keys enter through the network
// at every step, descending ones never, mixed ones one at a time.
template <typename T>
std::vector<T> stream(int length, int trend) {
  std::vector<T> keys(length);
  for (int i = 0; i < length; ++i) {
    const auto noise = static_cast<int>(sample<std::uint32_t>(seed() + length, i) % 20);
    keys[i] = static_cast<T>(100 + trend * (i / 16) + noise);
  }
  return keys;
}

template <int k, typename Value, typename Before, typename Key, typename Reference>
void expect_first_of_streams(Reference reference) {
  for (int length : {0, 1, 5, 31, 32, 33, 63, 64, 65, 500}) {
    for (int trend : {-2, 0, 1, 2}) {
      expect_first_of_stream<k, Value, Before>(stream<Key>(length, trend), reference);
    }
  }
}

TEST(warp_top_k_state, keeps_the_largest_keys_of_a_stream_and_the_first_of_equal_ones) {
  HEDDLE_NAME_SEED();
  expect_first_of_streams<1, int, heddle::descending, int>(std::greater<int>{});
  expect_first_of_streams<5, int, heddle::descending, int>(std::greater<int>{});
  expect_first_of_streams<32, int, heddle::descending, int>(std::greater<int>{});
}

TEST(warp_top_k_state, takes_keys_and_values_of_every_size) {
  HEDDLE_NAME_SEED();
  expect_first_of_streams<8, std::int64_t, heddle::ascending, std::uint8_t>(std::less<int>{});
  expect_first_of_streams<31, std::int16_t, heddle::ascending, double>(std::less<double>{});
  expect_first_of_streams<2, double, heddle::descending, float>(std::greater<float>{});
}

struct by_last_digit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

TEST(warp_top_k_state, takes_any_ordering) {
  HEDDLE_NAME_SEED();
  expect_first_of_streams<20, int, by_last_digit, int>(by_last_digit{});
}

// The last possible key equals the filler of an empty state.
TEST(warp_top_k_state, distinguishes_the_last_possible_key_from_no_key) {
  const std::vector<int> lowest(40, std::numeric_limits<int>::min());
  expect_first_of_stream<9, int, heddle::descending>(lowest, std::greater<int>{});
  const std::vector<std::int16_t> lowest_short(7, std::numeric_limits<std::int16_t>::min());
  expect_first_of_stream<9, int, heddle::descending>(lowest_short, std::greater<int>{});
  const std::vector<std::uint64_t> highest(40, std::numeric_limits<std::uint64_t>::max());
  expect_first_of_stream<9, int, heddle::ascending>(highest, std::less<std::uint64_t>{});
}

struct read_keys_only {
  std::uint64_t seed;
  __device__ float operator()() const {
    heddle::warp::top_k_state<4, float> state;
    for (int i = 0; i < 10; ++i) state.merge(sample<float>(seed, i * 32 + lane_id()), i != 3);
    return state.key();
  }
};

TEST(warp_top_k_state, needs_no_values) {
  HEDDLE_NAME_SEED();
  std::vector<float> keys;
  for (int i = 0; i < 320; ++i) {
    if (i / 32 != 3) keys.push_back(sample<float>(seed(), i));
  }
  std::sort(keys.begin(), keys.end(), std::greater<float>{});
  const auto answers = answers_of(read_keys_only{seed()});
  for (int lane = 0; lane < 4; ++lane) EXPECT_EQ(answers[lane], keys[lane]) << lane;
}

}  // namespace
