// Reserved keys are refused in every build, and nothing else is affected. Preconditions are on: a
// reserved key breaks none.
#undef HEDDLE_CHECK_PRECONDITIONS
#define HEDDLE_CHECK_PRECONDITIONS 1
#include <heddle/container/hash_map.cuh>
#include <heddle/container/hash_set.cuh>

#include "container/hash_cases.cuh"

namespace {
using namespace heddle_test;
using heddle::container::hash_map;
using heddle::container::hash_set;
using heddle::container::insertion;

template <typename Key>
std::vector<Key> reserved_and_others() {
  constexpr Key most = ~Key{0};
  return {5, most, most - 1, most - 2, 6, most, most - 3};
}

// Which keys of the array are accepted: all but the `reserved` largest ones.
template <typename Key>
std::vector<bool> are_taken(unsigned reserved) {
  std::vector<bool> taken;
  for (const Key key : reserved_and_others<Key>()) taken.push_back(~key >= reserved);
  return taken;
}

template <typename View, typename Key, typename Value>
__global__ void ask(View map, const Key* keys, int count, insertion* said, bool* answers) {
  for (int i = 0; i < count; ++i) {
    Value value{};
    said[i] = map.insert_or_assign(keys[i], value);
    answers[2 * i] = map.find(keys[i], value);
    answers[2 * i + 1] = map.erase(keys[i]);
  }
}

template <typename Key, typename Value>
void expect_map_refuses() {
  const auto asked = reserved_and_others<Key>();
  const auto taken = are_taken<Key>(2);
  const std::size_t count = asked.size();
  const device_array<Key> keys(asked);
  const device_array<Value> values(std::vector<Value>(count, Value{}));
  device_array<insertion> said(count);
  const device_flags answers(2 * count);
  hash_map<Key, Value> map(20);
  ask<typename hash_map<Key, Value>::view_type, Key, Value>
      <<<1, 1>>>(map.view(), keys.data(), static_cast<int>(count), said.data(), answers.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(map.size(), 0u);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(said.values()[i], taken[i] ? insertion::inserted : insertion::refused);
    EXPECT_EQ(answers.values()[2 * i] != 0, taken[i]);      // found
    EXPECT_EQ(answers.values()[2 * i + 1] != 0, taken[i]);  // erased
  }
  map.insert(keys.data(), values.data(), count, said.data());
  const device_flags found(count), erased(count);
  map.find(keys.data(), count, nullptr, found.data());
  EXPECT_EQ(map.size(), count_of(taken, true));
  map.erase(keys.data(), count, erased.data());
  EXPECT_EQ(map.size(), 0u);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(said.values()[i], taken[i] ? insertion::inserted : insertion::refused);
    EXPECT_EQ(found.values()[i] != 0, taken[i]);
    EXPECT_EQ(erased.values()[i] != 0, taken[i]);
  }
}

TEST(container_hash_reserved, maps_refuse_reserved_keys) {
  expect_map_refuses<std::uint32_t, std::uint32_t>();
  expect_map_refuses<std::uint64_t, std::uint64_t>();
}

// Lane 2 k and lane 2 k + 1 bring the same key.
template <typename View>
__global__ void ask_together(View map, const std::uint32_t* keys, unsigned count, insertion* said,
                             bool* answers) {
  const unsigned lane = threadIdx.x;
  const bool wants = lane / 2 < count;
  const std::uint32_t key = wants ? keys[lane / 2] : 0;
  const insertion mine = map.insert(key, lane, wants, heddle::all_lanes);
  const bool is_gone = map.erase(key, wants, heddle::all_lanes);
  if (!wants) return;
  said[lane] = mine;
  answers[lane] = is_gone;
}

TEST(container_hash_reserved, warps_are_refused_too) {
  const auto asked = reserved_and_others<std::uint32_t>();
  const auto taken = are_taken<std::uint32_t>(2);
  const auto count = static_cast<unsigned>(asked.size());
  const device_array<std::uint32_t> keys(asked);
  device_array<insertion> said(2 * count);
  const device_flags answers(2 * count);
  hash_map<std::uint32_t, std::uint32_t> map(20);
  ask_together<<<1, 32>>>(map.view(), keys.data(), count, said.data(), answers.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (unsigned lane = 0; lane < 2 * count; ++lane) {
    const insertion of_key = lane % 2 == 0 ? insertion::inserted : insertion::present;
    EXPECT_EQ(said.values()[lane], taken[lane / 2] ? of_key : insertion::refused);
    EXPECT_EQ(answers.values()[lane] != 0, taken[lane / 2] && lane % 2 == 0);
  }
}

template <typename Key>
void expect_set_refuses(unsigned reserved) {
  const auto asked = reserved_and_others<Key>();
  const auto taken = are_taken<Key>(reserved);
  const device_array<Key> keys(asked);
  device_array<insertion> said(asked.size());
  hash_set<Key> set(20);
  set.insert(keys.data(), asked.size(), said.data());
  const device_flags found(asked.size());
  set.contains(keys.data(), asked.size(), found.data());
  EXPECT_EQ(set.size(), count_of(taken, true));
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_EQ(said.values()[i], taken[i] ? insertion::inserted : insertion::refused);
    EXPECT_EQ(found.values()[i] != 0, taken[i]);
  }
}

TEST(container_hash_reserved, sets_refuse_reserved_keys) {
  expect_set_refuses<std::uint32_t>(2);
  expect_set_refuses<std::uint64_t>(3);
}

}  // namespace
