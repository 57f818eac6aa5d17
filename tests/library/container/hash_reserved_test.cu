// Reserved keys without precondition checks: they are refused, and nothing else is affected.
#undef HEDDLE_CHECK_PRECONDITIONS
#define HEDDLE_CHECK_PRECONDITIONS 0
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
