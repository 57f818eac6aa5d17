// Bulk insertion that first sorts the keys by regions of the table.
#include <heddle/container/hash_map.cuh>
#include <heddle/container/hash_set.cuh>

#include <cstdint>
#include <map>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace detail = heddle::container::detail;

template <typename Key, typename Value>
using table_of_words = detail::word_table_view<
    std::conditional_t<sizeof(Key) == 4, detail::pair_word<Key, Value>, detail::key_word<Key>>,
    Value, 4, heddle::container::probing::neighbour_first>;

// A table with a waiting room far smaller than the one that tables allocate themselves.
template <typename Key, typename Value>
class table_with_room {
 public:
  using table_type = table_of_words<Key, Value>;

  // The room has one or more whole blocks for each region.
  table_with_room(std::size_t slots, std::size_t blocks_of_region)
      : table_(slots, heddle::container::reserved_keys<Key>::largest(), nullptr,
               heddle::source_location::current()),
        memory_(bytes_for(blocks_of_region)),
        room_(memory_.data(), bytes_for(blocks_of_region)) {}

  void insert(const std::vector<Key>& keys, const std::vector<Value>& values, bool assigns) {
    const device_array<Key> keys_there(keys);
    if constexpr (std::is_empty_v<Value>) {
      insert_from(keys_there.data(), static_cast<const Value*>(nullptr), keys.size(), assigns);
    } else {
      const device_array<Value> values_there(values);
      insert_from(keys_there.data(), values_there.data(), keys.size(), assigns);
    }
  }
  [[nodiscard]] std::size_t keys_at_a_time() const { return room_.keys_at_a_time(); }
  [[nodiscard]] detail::hash_table<table_type, Key, Value>& table() { return table_; }

 private:
  static std::size_t bytes_for(std::size_t blocks_of_region) {
    constexpr std::size_t of_block = detail::launched_threads * sizeof(detail::waiting_room::word);
    return detail::table_regions * (sizeof(unsigned) + blocks_of_region * of_block);
  }
  void insert_from(const Key* keys, const Value* values, std::size_t count, bool assigns) {
    detail::insert_by_region(table_.table(), room_, keys, values, count, assigns, nullptr,
                             heddle::source_location::current());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }

  detail::hash_table<table_type, Key, Value> table_;
  device_array<std::byte> memory_;
  detail::waiting_room room_;
};

using unsigned_table = table_with_room<std::uint32_t, std::uint32_t>;

// Checks the table's elements with a plain search.
void expect_elements(unsigned_table& in, const std::map<std::uint32_t, std::uint32_t>& expected) {
  const auto where = heddle::source_location::current();
  EXPECT_EQ(in.table().size(nullptr, where), expected.size());
  std::vector<std::uint32_t> keys, wanted;
  for (const auto& [key, value] : expected) {
    keys.push_back(key);
    wanted.push_back(value);
  }
  const device_array<std::uint32_t> keys_there(keys);
  device_array<std::uint32_t> values(keys.size());
  in.table().template find<heddle::container::bulk_settings{}>(
      keys_there.data(), keys.size(), values.data(), nullptr, nullptr, where);
  EXPECT_EQ(values.values(), wanted);
}

struct keys_and_values {
  std::vector<std::uint32_t> keys, values;
};
keys_and_values random_pairs(std::size_t count, std::uint32_t different_keys) {
  keys_and_values made;
  for (std::size_t i = 0; i < count; ++i) {
    made.keys.push_back(static_cast<std::uint32_t>(sample_bits(seed(), i) % different_keys));
    made.values.push_back(made.keys.back() * 5 + 3);
  }
  return made;
}

// So many keys that the room is filled and emptied several times, and partly filled the last time.
TEST(container_hash_regions, inserts_all_keys_of_an_array) {
  HEDDLE_NAME_SEED();
  unsigned_table table(40'000, 1);
  const auto [keys, values] = random_pairs(3 * table.keys_at_a_time() + 77, 1u << 31);
  table.insert(keys, values, false);
  std::map<std::uint32_t, std::uint32_t> expected;
  for (std::size_t i = 0; i < keys.size(); ++i) expected.emplace(keys[i], values[i]);
  expect_elements(table, expected);
}

TEST(container_hash_regions, takes_few_keys_and_none) {
  for (const std::uint32_t count : {0u, 1u, 31u, 33u, 257u}) {
    unsigned_table table(1000, 1);
    std::vector<std::uint32_t> keys, values;
    std::map<std::uint32_t, std::uint32_t> expected;
    for (std::uint32_t i = 0; i < count; ++i) {
      keys.push_back(i);
      values.push_back(i + 9);
      expected.emplace(i, i + 9);
    }
    table.insert(keys, values, false);
    expect_elements(table, expected);
  }
}

// All keys belong to one region, which has too few places: the others are inserted directly.
TEST(container_hash_regions, inserts_keys_that_find_no_place_in_the_room) {
  unsigned_table table(20'000, 1);
  std::map<std::uint32_t, std::uint32_t> expected;
  std::vector<std::uint32_t> keys, values;
  for (std::uint32_t key = 0; keys.size() < 2 * detail::launched_threads + 5; ++key) {
    if (detail::region_of(key) != 3) continue;
    keys.push_back(key);
    values.push_back(key ^ 1234);
    expected.emplace(key, key ^ 1234);
  }
  table.insert(keys, values, false);
  expect_elements(table, expected);
}

// One of several equal keys wins an insertion. Keys that the table has keep their values, or get
// new ones if those are assigned.
TEST(container_hash_regions, merges_equal_keys_and_assigns) {
  HEDDLE_NAME_SEED();
  unsigned_table table(8000, 1);
  auto [keys, values] = random_pairs(5000, 900);
  table.insert(keys, values, false);
  std::map<std::uint32_t, std::uint32_t> expected;
  for (const std::uint32_t key : keys) expected[key] = key * 5 + 3;
  expect_elements(table, expected);
  for (std::uint32_t& value : values) value += 100;
  table.insert(keys, values, false);
  expect_elements(table, expected);
  for (auto& [key, value] : expected) value += 100;
  table.insert(keys, values, true);
  expect_elements(table, expected);
}

// Keys that do not fit are dropped, and every slot is used.
TEST(container_hash_regions, fills_a_table_and_no_more) {
  HEDDLE_NAME_SEED();
  unsigned_table table(100, 1);
  const auto where = heddle::source_location::current();
  const auto [keys, values] = random_pairs(300, 1u << 31);
  table.insert(keys, values, false);
  EXPECT_EQ(table.table().size(nullptr, where), table.table().capacity());
  const device_array<std::uint32_t> keys_there(keys);
  const device_array<std::uint32_t> found(std::vector<std::uint32_t>(keys.size(), 0));
  table.table().template find<heddle::container::bulk_settings{}>(
      keys_there.data(), keys.size(), found.data(), nullptr, nullptr, where);
  std::set<std::uint32_t> held;
  const auto got = found.values();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (got[i] == 0) continue;  // dropped
    EXPECT_EQ(got[i], values[i]) << "key " << i;
    held.insert(keys[i]);
  }
  EXPECT_EQ(held.size(), table.table().capacity());
}

TEST(container_hash_regions, inserts_long_keys_without_values) {
  HEDDLE_NAME_SEED();
  table_with_room<std::uint64_t, detail::no_value> table(9000, 1);
  std::vector<std::uint64_t> keys;
  std::set<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 6000; ++i) {
    keys.push_back(sample_bits(seed(), i) >> 1);
    expected.insert(keys.back());
  }
  table.insert(keys, {}, false);
  const auto where = heddle::source_location::current();
  EXPECT_EQ(table.table().size(nullptr, where), expected.size());
  const device_array<std::uint64_t> keys_there(keys);
  device_array<unsigned char> found(keys.size());
  table.table().template find<heddle::container::bulk_settings{}>(
      keys_there.data(), keys.size(), nullptr, reinterpret_cast<bool*>(found.data()), nullptr,
      where);
  EXPECT_EQ(found.values(), std::vector<unsigned char>(keys.size(), 1));
}

// A large table has an extra eighth for the room; a small one has none.
TEST(container_hash_regions, has_room_in_large_tables_only) {
  EXPECT_EQ(detail::waiting_room::bytes_for((1u << 25) - 1), 0u);
  EXPECT_EQ(detail::waiting_room::bytes_for(1u << 25), 128 + (std::size_t{8} << 22));
}

}  // namespace
