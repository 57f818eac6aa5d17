// The hash set against std::unordered_set: with one lane, over arrays, and with many lanes.
#include <heddle/container/hash_set.cuh>

#include <unordered_set>
#include <utility>

#include "container/hash_cases.cuh"

namespace {
using namespace heddle_test;
using heddle::all_lanes;
using heddle::container::hash_set;
using heddle::container::hash_set_view;
using heddle::container::insertion;

template <typename Key>
class container_hash_set : public testing::Test {};
using keys_of_both_sizes = testing::Types<std::uint32_t, std::int64_t>;
TYPED_TEST_SUITE(container_hash_set, keys_of_both_sizes);

template <typename Key>
__global__ void follow(hash_set_view<Key> set, const step* steps, int count, int* answers) {
  for (int i = 0; i < count; ++i) {
    const Key key = key_of<Key>(steps[i].key);
    switch (steps[i].what) {
      case method::find:
        answers[i] = set.contains(key);
        break;
      case method::erase:
        answers[i] = set.erase(key);
        break;
      default:
        answers[i] = static_cast<int>(set.insert(key));
    }
  }
}

TYPED_TEST(container_hash_set, matches_unordered_set_for_one_lane) {
  HEDDLE_NAME_SEED();
  // An epoch uses up at most 16 slots besides those of 21 keys; with 8-byte keys as many may be
  // left from two epochs ago. All epochs together use many more.
  hash_set<TypeParam> set(60);
  ASSERT_LT(set.capacity(), 90u);
  std::unordered_set<std::uint32_t> model;
  for (std::uint64_t epoch = 0; epoch < 16; ++epoch) {
    const auto steps = random_steps(epoch, 38, 21);
    device_array<step> program(steps);
    device_array<int> answers(steps.size());
    follow<<<1, 1>>>(set.view(), program.data(), static_cast<int>(steps.size()), answers.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<int> expected;
    for (const step& one : steps) {
      if (one.what == method::find) {
        expected.push_back(static_cast<int>(model.count(one.key)));
      } else if (one.what == method::erase) {
        expected.push_back(static_cast<int>(model.erase(one.key)));
      } else {
        const bool is_new = model.insert(one.key).second;
        expected.push_back(as_answer(is_new ? insertion::inserted : insertion::present));
      }
    }
    EXPECT_EQ(answers.values(), expected) << "epoch " << epoch;
    EXPECT_EQ(set.size(), model.size());
    set.settle();
  }
}

// Every thread inserts, erases and finds; each key's balance is 0 or 1 in the end.
template <typename Key>
__global__ void mix(hash_set_view<Key> set, int steps, unsigned keys, std::uint64_t seed,
                    int* balance, unsigned* full) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < steps; ++i) {
    const std::uint64_t bits = sample_bits(seed, thread * 1000u + static_cast<unsigned>(i));
    const unsigned number = static_cast<unsigned>(bits >> 8) % keys;
    const Key key = key_of<Key>(number);
    const bool inserts = bits % 2 == 0, goes_together = i % 2 == 0;
    const insertion said = goes_together ? set.insert(key, inserts, all_lanes)
                           : inserts     ? set.insert(key)
                                         : insertion::refused;
    if (said == insertion::inserted) atomicAdd(balance + number, 1);
    if (said == insertion::full) atomicAdd(full, 1u);
    const bool is_gone =
        goes_together ? set.erase(key, !inserts, all_lanes) : !inserts && set.erase(key);
    if (is_gone) atomicSub(balance + number, 1);
  }
}

TYPED_TEST(container_hash_set, balances_insertions_and_erasures) {
  HEDDLE_NAME_SEED();
  constexpr unsigned keys = 11;
  constexpr int steps = 10;
  hash_set<TypeParam> set(3 * 64 * steps);
  device_array<int> balance(std::vector<int>(keys, 0));
  device_array<unsigned> full(std::vector<unsigned>(1, 0));
  for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
    mix<<<3, 64>>>(set.view(), steps, keys, seed() + epoch, balance.data(), full.data());
    set.settle();
  }
  const device_array<TypeParam> asked(keys_of<TypeParam>(0, keys));
  const device_flags found(keys);
  set.contains(asked.data(), keys, found.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(full.values().front(), 0u);
  for (unsigned i = 0; i < keys; ++i) EXPECT_EQ(balance.values()[i], found.values()[i]);
  EXPECT_EQ(set.size(), count_of(found.values(), 1));
}

template <typename Key>
struct note {
  unsigned* seen;
  unsigned keys;
  __device__ void operator()(const Key& key) const {
    for (unsigned i = 0; i < keys; ++i) {
      if (key == key_of<Key>(i)) atomicAdd(seen + i, 1u);
    }
  }
};

TYPED_TEST(container_hash_set, fills_up_turns_over_and_moves_to_a_larger_table) {
  hash_set<TypeParam> first(100);
  const auto slots = static_cast<unsigned>(first.capacity());
  const device_array<TypeParam> keys(keys_of<TypeParam>(0, slots + 4));
  const device_array<insertion> answers(slots + 4);
  first.insert(keys.data(), slots + 4, answers.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(count_of(answers.values(), insertion::inserted), slots);
  EXPECT_EQ(count_of(answers.values(), insertion::full), 4u);
  hash_set<TypeParam> set(std::move(first));
  // All keys are erased and inserted again, in the same slots, several times.
  for (int round = 0; round < 5; ++round) {
    const device_flags gone(slots + 4);
    set.erase(keys.data(), slots + 4, gone.data());
    EXPECT_EQ(count_of(gone.values(), 1), slots);
    EXPECT_EQ(set.size(), 0u);
    set.insert(keys.data() + 4, slots);
    const device_array<insertion> two(2);
    set.insert(keys.data() + 2, 2, two.data());
    EXPECT_EQ(two.values(), std::vector<insertion>(2, insertion::full));
    EXPECT_EQ(set.size(), slots);
    set.erase(keys.data() + 4, 4);
    set.insert(keys.data(), 4);
    EXPECT_EQ(set.size(), slots);
  }
  EXPECT_THROW(set.rehash(slots - 1), heddle::error);
  set.rehash(2 * slots);
  EXPECT_GE(set.capacity(), 2 * slots);
  set.insert(keys.data(), slots + 4);
  const device_array<unsigned> seen(std::vector<unsigned>(slots + 4, 0));
  set.for_each(note<TypeParam>{seen.data(), slots + 4});
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(seen.values(), std::vector<unsigned>(slots + 4, 1));
  set.clear();
  EXPECT_EQ(set.size(), 0u);
}

TEST(container_hash_set_shape, refuses_zero_slots_and_equal_reserved_keys) {
  EXPECT_THROW(hash_set<int>(0), heddle::error);
  EXPECT_THROW(hash_set<int>(10, nullptr, {3, 3, 4}), heddle::error);
  EXPECT_NO_THROW(hash_set<int>(10, nullptr, {3, 4, 4}));
  EXPECT_THROW(hash_set<long long>(10, nullptr, {3, 4, 4}), heddle::error);
}

}  // namespace
