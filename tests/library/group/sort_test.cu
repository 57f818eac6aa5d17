// group::sort, stable_sort and their pairs against std::stable_sort of each group's keys.
#include <heddle/group/sort.cuh>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "support/runs.cuh"
#include "support/sides.cuh"
#include "support/values.cuh"

namespace {
using namespace heddle_test;
namespace group = heddle::group;

// Few distinct keys, so that many are equal; floats include NaN, infinities and both zeros.
template <typename T>
__host__ __device__ T key_at(std::uint64_t seed, int place) {
  const std::uint64_t bits = sample_bits(seed, static_cast<std::uint64_t>(place));
  if constexpr (std::is_floating_point_v<T>) {
    const float infinity = __builtin_huge_valf();
    const float some[] = {0.0f, -0.0f, infinity - infinity, infinity, -infinity, 1.0f, -1.0f};
    if (bits % 3 == 0) return static_cast<T>(some[bits / 3 % 7]);
    return static_cast<T>(static_cast<std::int32_t>(bits >> 32));
  } else {
    return bits % 3 == 0 ? static_cast<T>(bits >> 32) : static_cast<T>(bits / 3 % 11);
  }
}

// Ordered by some of its bits. It has no padding, whose bits a device need not copy.
struct record {
  std::int32_t number;
  std::int32_t rank;
  double rest;
};
struct by_rank {
  __host__ __device__ bool operator()(const record& a, const record& b) const {
    return b.rank < a.rank;
  }
};
template <>
__host__ __device__ record key_at<record>(std::uint64_t seed, int place) {
  const std::uint64_t bits = sample_bits(seed, static_cast<std::uint64_t>(place));
  return {place, static_cast<std::int32_t>(bits % 5), static_cast<double>(bits % 1001)};
}

// What a member has after each of the four calls; a value is the original place of its key.
template <typename Key, typename Value>
struct sorted {
  Key key, stable_key, key_of_pair, key_of_stable_pair;
  Value value, stable_value;
};

template <typename Key, typename Value, typename Before>
struct sort_members {
  using answer = sorted<Key, Value>;
  std::uint64_t seed;
  template <typename Group>
  __device__ answer operator()(const Group& members) const {
    const Key key = key_at<Key>(seed, place_in_grid());
    const auto value = static_cast<Value>(heddle::lane_id());
    answer found{group::sort(members, key, Before{}),
                 group::stable_sort(members, key, Before{}),
                 key,
                 key,
                 value,
                 value};
    group::sort_pairs(members, found.key_of_pair, found.value, Before{});
    group::stable_sort_pairs(members, found.key_of_stable_pair, found.stable_value, Before{});
    return found;
  }
};

// The documented orders of numbers, written differently.
struct upwards {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    if (a != a || b != b) return a == a && b != b;
    return a < b || (a == b && std::signbit(static_cast<double>(a)) &&
                     !std::signbit(static_cast<double>(b)));
  }
};
struct downwards {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    if (a != a || b != b) return a == a && b != b;
    return upwards{}(b, a);
  }
};

template <typename Key, typename Value, typename Before, typename Reference>
void expect_sorted(Reference reference) {
  HEDDLE_NAME_SEED();
  SCOPED_TRACE(__PRETTY_FUNCTION__);
  const auto is_right = [&](const sorted<Key, Value>& answer, int first, int place,
                            const std::vector<int>& members) {
    const auto key_of = [&](int member) { return key_at<Key>(seed(), first + member); };
    const auto are_same = [](const Key& a, const Key& b) {
      if constexpr (std::is_floating_point_v<Key>) {
        if (a != a) return b != b;  // host and device may have different NaN bits
      }
      return std::memcmp(&a, &b, sizeof(Key)) == 0;
    };
    const auto are_equal = [&](const Key& a, const Key& b) {
      return !reference(a, b) && !reference(b, a);
    };
    const std::function<bool(int, int)> before = [&](int a, int b) {
      return reference(key_of(a), key_of(b));
    };
    auto order = members;
    std::stable_sort(order.begin(), order.end(), before);
    const Key expected = key_of(order[place]);
    const int stood_at = members[0] / 32 * 32 + static_cast<int>(answer.value);
    const bool is_member = std::find(members.begin(), members.end(), stood_at) != members.end();
    return are_equal(answer.key, expected) && are_same(answer.stable_key, expected) && is_member &&
           are_equal(answer.key_of_pair, expected) &&
           are_same(answer.key_of_pair, key_of(stood_at)) &&
           are_same(answer.key_of_stable_pair, expected) &&
           static_cast<int>(answer.stable_value) == order[place] % 32;
  };
  const sort_members<Key, Value, Before> verb{seed()};
  expect_on_both_sides(verb, is_right);
  expect_on_all_runs(verb, is_right);
  expect_in_tiles(verb, is_right);
}

TEST(group_sort, sorts_integers_of_any_set_of_lanes) {
  expect_sorted<std::int32_t, std::uint8_t, heddle::ascending>(upwards{});
}

TEST(group_sort, puts_minus_zero_before_zero_and_nan_last) {
  expect_sorted<double, std::int64_t, heddle::descending>(downwards{});
}

TEST(group_sort, takes_structs_and_any_ordering) {
  expect_sorted<record, double, by_rank>(by_rank{});
}

// Pairs: each value occurs once, whatever the order of equal keys.
struct sort_equal_keys {
  using answer = int2;
  template <typename Group>
  __device__ int2 operator()(const Group& members) const {
    int key = heddle::lane_id() % 3, value = heddle::lane_id();
    group::sort_pairs(members, key, value);
    return make_int2(key, value);
  }
};

TEST(group_sort, keeps_every_pair_when_keys_are_equal) {
  std::map<int, std::vector<int2>> pairs_of;  // of the group that begins with this lane
  const auto is_right = [&](int2 answer, int, int place, const std::vector<int>& members) {
    auto& pairs = pairs_of[members[0]];  // lanes are asked in order
    if (place == 0) pairs.clear();
    pairs.push_back(answer);
    if (answer.x != answer.y % 3 || (place > 0 && pairs[place - 1].x > answer.x)) return false;
    if (pairs.size() < members.size()) return true;
    std::vector<int> values;
    for (const int2& pair : pairs) values.push_back(pair.y);
    std::sort(values.begin(), values.end());
    return values == members;
  };
  expect_on_both_sides(sort_equal_keys{}, is_right);
}

// The 0-1 principle: a network that sorts all sequences of zeros and ones sorts everything. The
// first `size` lanes sort the bits of each number.
struct sort_bits {
  int size;
  __device__ int operator()() const {
    const group::lanes first(heddle::lanes_below(size));
    if (heddle::lane_id() >= size) return 1;
    bool is_right = true;
    for (std::uint32_t pattern = 0; pattern < 1u << size; ++pattern) {
      const int zeros = size - heddle::count(pattern);
      const int bit = group::sort(first, static_cast<int>(pattern >> heddle::lane_id() & 1));
      is_right &= bit == (heddle::lane_id() >= zeros ? 1 : 0);
    }
    return is_right ? 1 : 0;
  }
};

TEST(group_sort, sorts_every_sequence_of_zeros_and_ones_of_up_to_12_members) {
  for (int size = 1; size <= 12; ++size) {
    EXPECT_EQ(answers_of(sort_bits{size}), std::vector<int>(32, 1)) << size;
  }
}

// Every third lane sorts in ascending order, the others in descending order in another branch.
struct sort_in_branches {
  std::uint64_t seed;
  __device__ int operator()() const {
    const int key = sample<int>(seed, threadIdx.x);
    int answer;
    if (heddle::lane_id() % 3 == 1) {
      answer = group::sort(group::lanes(0x92492492u), key);
    } else {
      answer = group::sort(group::lanes(~0x92492492u), key, heddle::descending{});
    }
    __syncwarp();
    return answer;
  }
};

TEST(group_sort, serves_groups_in_different_branches) {
  HEDDLE_NAME_SEED();
  const auto answers = answers_of(sort_in_branches{seed()}, 64);
  for (int first = 0; first < 64; first += 32) {
    std::vector<int> thirds, others;
    for (int lane = 0; lane < 32; ++lane) {
      (lane % 3 == 1 ? thirds : others).push_back(sample<int>(seed(), first + lane));
    }
    std::sort(thirds.begin(), thirds.end());
    std::sort(others.begin(), others.end(), std::greater<int>());
    for (int lane = 0, third = 0, other = 0; lane < 32; ++lane) {
      const int expected = lane % 3 == 1 ? thirds[third++] : others[other++];
      EXPECT_EQ(answers[first + lane], expected) << first + lane;
    }
  }
}

}  // namespace
