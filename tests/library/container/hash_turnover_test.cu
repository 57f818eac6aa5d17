// Hash maps and sets that keep getting new keys and losing old ones: probes stay short if tidied.
#include <heddle/container/hash_map.cuh>
#include <heddle/container/hash_set.cuh>

#include "container/hash_cases.cuh"

namespace {
using namespace heddle_test;
using heddle::container::hash_map;
using heddle::container::hash_set;
using heddle::container::insertion;

// A common interface to maps and sets: a set acts as a map whose values are all 0.
template <typename Key, typename Value>
struct turning_map : hash_map<Key, Value> {
  using key = Key;
  using hash_map<Key, Value>::hash_map;
  std::size_t inserted(unsigned first, unsigned count) {
    return count_of(insert_range<hash_map<Key, Value>, Key, Value>(*this, first, count, 0),
                    insertion::inserted);
  }
  // How many of the keys it has, with their values.
  std::size_t found(unsigned first, unsigned count) const {
    const device_array<Key> asked(keys_of<Key>(first, count));
    const device_array<Value> values(count);
    const device_flags flags(count);
    this->find(asked.data(), count, values.data(), flags.data());
    check(cudaDeviceSynchronize(), "find");
    const auto is_there = flags.values();
    const auto got = values.values();
    std::size_t right = 0;
    for (unsigned i = 0; i < count; ++i) {
      right += is_there[i] != 0 && number_of(got[i]) == (first + i) % 251;
    }
    return right;
  }
};
template <typename Key>
struct turning_set : hash_set<Key> {
  using key = Key;
  using hash_set<Key>::hash_set;
  std::size_t inserted(unsigned first, unsigned count) {
    const device_array<Key> keys(keys_of<Key>(first, count));
    const device_array<insertion> answers(count);
    this->insert(keys.data(), count, answers.data());
    check(cudaDeviceSynchronize(), "insert");
    return count_of(answers.values(), insertion::inserted);
  }
  std::size_t found(unsigned first, unsigned count) const {
    const device_array<Key> asked(keys_of<Key>(first, count));
    const device_flags flags(count);
    this->contains(asked.data(), count, flags.data());
    check(cudaDeviceSynchronize(), "contains");
    return count_of(flags.values(), 1);
  }
};

template <typename Table>
class container_hash_turnover : public testing::Test {};
using tables = testing::Types<turning_map<std::uint32_t, std::uint32_t>,
                              turning_map<std::uint64_t, std::uint64_t>,
                              turning_map<std::uint32_t, large_value>, turning_set<std::uint64_t>>;
TYPED_TEST_SUITE(container_hash_turnover, tables);

constexpr unsigned live = 200, turn = 40;

// Erases the oldest keys and inserts new ones; before, it has [round * turn, round * turn + live).
template <typename Table>
void turn_over(Table& table, unsigned round) {
  const device_array<typename Table::key> old(keys_of<typename Table::key>(round * turn, turn));
  table.erase(old.data(), turn);
  ASSERT_EQ(table.inserted(round * turn + live, turn), turn);
}

TYPED_TEST(container_hash_turnover, keeps_probes_short_and_all_elements_if_tidied) {
  TypeParam table(2 * live);
  const std::size_t slots = table.capacity();
  EXPECT_EQ(table.inserted(0, live), live);
  EXPECT_EQ(table.erased(), 0u);
  unsigned round = 0;
  for (; round < 40; ++round) turn_over(table, round);
  // Hardly any slot was never used: an unsuccessful search goes through most of the table.
  EXPECT_GT(table.erased() + live, slots * 9 / 10);
  for (const unsigned end = round + 12; round < end; ++round) {
    table.tidy();
    EXPECT_LT(table.erased(), slots / 20);
    EXPECT_EQ(table.size(), live);
    EXPECT_EQ(table.found(round * turn, live), live);
    EXPECT_EQ(table.found(round * turn + live, 100), 0u);
    if (round > 2) {
      EXPECT_EQ(table.found((round - 2) * turn, 2 * turn), 0u);
    }
    turn_over(table, round);
  }
}

TYPED_TEST(container_hash_turnover, regains_its_full_capacity_once_tidied) {
  TypeParam table(live);
  const auto slots = static_cast<unsigned>(table.capacity());
  EXPECT_EQ(table.inserted(0, slots), slots);
  const device_array<typename TypeParam::key> all(keys_of<typename TypeParam::key>(0, slots));
  table.erase(all.data(), slots);
  EXPECT_EQ(table.erased(), slots);
  table.tidy();
  EXPECT_EQ(table.erased(), 0u);
  EXPECT_EQ(table.size(), 0u);
  // Twice, so that each node of a map is taken and given back.
  for (const unsigned first : {1000u, 2000u}) {
    EXPECT_EQ(table.inserted(first, slots + 5), slots);
    EXPECT_EQ(table.size(), slots);
    const auto keys = keys_of<typename TypeParam::key>(first, slots + 5);
    const device_array<typename TypeParam::key> again(keys);
    table.erase(again.data(), keys.size());
    table.tidy();
    EXPECT_EQ(table.erased(), 0u);
  }
}

}  // namespace
