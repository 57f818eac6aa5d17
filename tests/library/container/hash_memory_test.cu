// Hash maps and sets whose allocation fails: a clear error, no leak, no change.
#include <heddle/container/hash_map.cuh>
#include <heddle/container/hash_set.cuh>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "container/failing_allocation.cuh"
#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using heddle::container::hash_map;
using heddle::container::hash_set;
using narrow_map = hash_map<std::uint32_t, std::uint32_t>;
using wide_map = hash_map<std::uint64_t, std::uint64_t>;

TEST(container_hash_memory, reports_whichever_allocation_fails) {
  if (!failing_allocation::is_supported()) {
    GTEST_SKIP() << "allocations fail in turn on the CPU only";
  }
  EXPECT_GT(failures_of([] { narrow_map{100}; }), 0);
  EXPECT_GT(failures_of([] { wide_map{100}; }), 0);
  EXPECT_GT(failures_of([] { hash_set<std::uint32_t>{100}; }), 0);
  EXPECT_GT(failures_of([] { hash_set<std::uint64_t>{100}; }), 0);
}

// All calls of a map in a row; any allocation among them may fail.
template <typename Map, typename Key>
void use(const Key* keys, std::size_t count) {
  Map map(2 * count);
  map.insert(keys, keys, count);
  map.erase(keys, count / 2);
  map.settle();
  if (map.size() != count - count / 2) throw std::runtime_error("elements are missing");
  map.rehash(4 * count);
  if (map.size() != count - count / 2) throw std::runtime_error("elements are missing");
}

TEST(container_hash_memory, reports_an_allocation_that_fails_during_use) {
  if (!failing_allocation::is_supported()) {
    GTEST_SKIP() << "allocations fail in turn on the CPU only";
  }
  std::vector<std::uint32_t> narrow(100);
  std::vector<std::uint64_t> wide(100);
  for (std::uint32_t i = 0; i < 100; ++i) wide[i] = narrow[i] = i * 7 + 1;
  const device_array<std::uint32_t> narrow_keys(narrow);
  const device_array<std::uint64_t> wide_keys(wide);
  EXPECT_GT(failures_of([&] { use<narrow_map>(narrow_keys.data(), 100); }), 1);
  EXPECT_GT(failures_of([&] { use<wide_map>(wide_keys.data(), 100); }), 1);
}

// A failed rehash changes nothing.
template <typename Map, typename Key>
void expect_the_same_after_a_failure(const std::vector<Key>& numbers) {
  const device_array<Key> keys(numbers);
  Map map(2 * numbers.size());
  map.insert(keys.data(), keys.data(), numbers.size());
  for (int which = 1; which <= 100; ++which) {
    {
      const failing_allocation one(which);
      if (!is_refused([&] { map.rehash(8 * numbers.size()); })) return;
    }
    const device_array<Key> found(numbers.size());
    map.find(keys.data(), numbers.size(), found.data());
    EXPECT_EQ(found.values(), numbers) << "allocation " << which;
    EXPECT_EQ(map.size(), numbers.size());
  }
  ADD_FAILURE() << "it is never rehashed";
}

TEST(container_hash_memory, is_unchanged_by_a_failed_rehash) {
  if (!failing_allocation::is_supported()) {
    GTEST_SKIP() << "allocations fail in turn on the CPU only";
  }
  std::vector<std::uint32_t> narrow(100);
  std::vector<std::uint64_t> wide(100);
  for (std::uint32_t i = 0; i < 100; ++i) wide[i] = narrow[i] = i * 7 + 1;
  expect_the_same_after_a_failure<narrow_map>(narrow);
  expect_the_same_after_a_failure<wide_map>(wide);
}

}  // namespace
