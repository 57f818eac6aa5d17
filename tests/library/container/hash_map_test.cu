// The hash map against std::unordered_map: with one lane, over arrays, and with many lanes.
#include <heddle/container/hash_map.cuh>

#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "container/hash_cases.cuh"

namespace {
using namespace heddle_test;
using heddle::all_lanes;
using heddle::container::hash_map;
using heddle::container::hash_map_view;
using heddle::container::insertion;
using heddle::container::probing;

template <typename Key, typename Value>
struct element {
  using key = Key;
  using value = Value;
};

template <typename Element>
class container_hash_map : public testing::Test {};
using elements =
    testing::Types<element<std::uint32_t, std::uint32_t>, element<int, unsigned char>,
                   element<std::uint64_t, std::uint64_t>, element<std::uint32_t, large_value>>;
struct element_names {
  template <typename Element>
  static std::string GetName(int which) {
    constexpr std::array names{"pair_in_a_word", "small_value", "long_key", "large_value"};
    return names[static_cast<std::size_t>(which)];
  }
};
TYPED_TEST_SUITE(container_hash_map, elements, element_names);

template <typename View, typename Key, typename Value>
__global__ void follow(View map, const step* steps, int count, int* answers) {
  for (int i = 0; i < count; ++i) {
    const Key key = key_of<Key>(steps[i].key);
    const Value brought = value_of<Value>(steps[i].value);
    Value value = value_of<Value>(0);
    switch (steps[i].what) {
      case method::insert:
        answers[i] = static_cast<int>(map.insert(key, brought));
        break;
      case method::insert_or_assign:
        answers[i] = static_cast<int>(map.insert_or_assign(key, brought));
        break;
      case method::find:
        answers[i] = map.find(key, value) ? static_cast<int>(number_of(value)) : -1;
        break;
      default:
        answers[i] = map.erase(key);
    }
  }
}

std::vector<int> follow_model(std::unordered_map<std::uint32_t, std::uint32_t>& model,
                              const std::vector<step>& steps) {
  std::vector<int> answers;
  for (const step& one : steps) {
    const auto at = model.find(one.key);
    const bool is_there = at != model.end();
    if (one.what == method::find) {
      answers.push_back(is_there ? static_cast<int>(at->second) : -1);
    } else if (one.what == method::erase) {
      answers.push_back(is_there);
      model.erase(one.key);
    } else {
      answers.push_back(as_answer(is_there ? insertion::present : insertion::inserted));
      if (!is_there || one.what == method::insert_or_assign) model[one.key] = one.value;
    }
  }
  return answers;
}

template <typename Map, typename Element>
void expect_as_unordered_map() {
  using key = typename Element::key;
  using value = typename Element::value;
  // An epoch uses up at most 13 slots besides those of 21 keys; all epochs together use many more.
  Map map(40);
  ASSERT_LT(map.capacity(), 70u);
  std::unordered_map<std::uint32_t, std::uint32_t> model;
  for (std::uint64_t epoch = 0; epoch < 16; ++epoch) {
    const auto steps = random_steps(epoch, 38, 21);
    device_array<step> program(steps);
    device_array<int> answers(steps.size());
    follow<typename Map::view_type, key, value>
        <<<1, 1>>>(map.view(), program.data(), static_cast<int>(steps.size()), answers.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const auto expected = follow_model(model, steps);
    EXPECT_EQ(answers.values(), expected) << "epoch " << epoch;
    EXPECT_EQ(map.size(), model.size());
    map.settle();
  }
}

TYPED_TEST(container_hash_map, matches_unordered_map_for_one_lane) {
  HEDDLE_NAME_SEED();
  using key = typename TypeParam::key;
  using value = typename TypeParam::value;
  expect_as_unordered_map<hash_map<key, value>, TypeParam>();
}
TEST(container_hash_map_shape, gives_the_same_answers_for_other_buckets_and_probings) {
  HEDDLE_NAME_SEED();
  using pair = element<std::uint32_t, std::uint32_t>;
  expect_as_unordered_map<hash_map<std::uint32_t, std::uint32_t, 8, probing::linear>, pair>();
  expect_as_unordered_map<hash_map<std::uint32_t, std::uint32_t, 2>, pair>();
}

// All threads insert the same keys, each with its own value and in its own order.
template <typename View, typename Key, typename Value>
__global__ void offer(View map, unsigned keys, bool assigns, bool together, unsigned* inserted,
                      unsigned* answered) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < keys; ++i) {
    const unsigned number = (i + thread / 3 * 5) % keys;
    const Value value = value_of<Value>(number + keys * (thread % 5));
    const Key key = key_of<Key>(number);
    const insertion said =
        together ? (assigns ? map.insert_or_assign(key, value, true, all_lanes)
                            : map.insert(key, value, true, all_lanes))
                 : (assigns ? map.insert_or_assign(key, value) : map.insert(key, value));
    if (said == insertion::inserted) atomicAdd(inserted + number, 1u);
    if (said == insertion::inserted || said == insertion::present) atomicAdd(answered, 1u);
  }
}

TYPED_TEST(container_hash_map, lets_one_of_many_lanes_insert_a_key) {
  using key = typename TypeParam::key;
  using value = typename TypeParam::value;
  constexpr unsigned keys = 13, blocks = 3, threads = blocks * 64;
  for (const int way : {0, 1, 2, 3}) {
    hash_map<key, value> map(keys);  // completely filled
    device_array<unsigned> inserted(std::vector<unsigned>(keys, 0)),
        answered(std::vector<unsigned>(1, 0));
    offer<hash_map_view<key, value>, key, value><<<blocks, 64>>>(
        map.view(), keys, way / 2 == 1, way % 2 == 1, inserted.data(), answered.data());
    const device_array<key> asked(keys_of<key>(0, keys));
    device_array<value> values(keys);
    device_flags found(keys);
    map.find(asked.data(), keys, values.data(), found.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(inserted.values(), std::vector<unsigned>(keys, 1));
    EXPECT_EQ(answered.values().front(), keys * threads);
    EXPECT_EQ(map.size(), keys);
    const auto got = values.values();
    for (unsigned i = 0; i < keys; ++i) {
      EXPECT_TRUE(found.values()[i]);
      EXPECT_EQ(number_of(got[i]) % keys, i);
      EXPECT_LT(number_of(got[i]), 5 * keys);
    }
  }
}

// Inserts, assigns, erases and finds in any order. A value found must belong to its key, untorn.
template <typename View, typename Key, typename Value>
__global__ void mix(View map, int steps, unsigned keys, std::uint64_t seed, int* balance,
                    unsigned* wrong) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < steps; ++i) {
    const std::uint64_t bits = sample_bits(seed, thread * 1000u + static_cast<unsigned>(i));
    const unsigned number = static_cast<unsigned>(bits >> 8) % keys;
    const Key key = key_of<Key>(number);
    const Value value = value_of<Value>(number + keys * (static_cast<unsigned>(bits >> 20) % 9));
    switch (bits % 4) {
      case 0:
      case 1: {
        const insertion said =
            bits % 4 == 0 ? map.insert(key, value) : map.insert_or_assign(key, value);
        if (said == insertion::inserted) atomicAdd(balance + number, 1);
        if (said == insertion::full) atomicAdd(wrong, 1u);
        break;
      }
      case 2: {
        Value seen = value;
        if (map.find(key, seen) && number_of(seen) % keys != number) atomicAdd(wrong, 1u);
        break;
      }
      default:
        if (map.erase(key)) atomicSub(balance + number, 1);
    }
  }
}

TYPED_TEST(container_hash_map, balances_insertions_and_erasures) {
  HEDDLE_NAME_SEED();
  using key = typename TypeParam::key;
  using value = typename TypeParam::value;
  constexpr unsigned keys = 11;
  constexpr int steps = 10;
  hash_map<key, value> map(3 * 64 * steps);
  device_array<int> balance(std::vector<int>(keys, 0));
  device_array<unsigned> wrong(std::vector<unsigned>(1, 0));
  for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
    mix<hash_map_view<key, value>, key, value>
        <<<3, 64>>>(map.view(), steps, keys, seed() + epoch, balance.data(), wrong.data());
    map.settle();
  }
  const device_array<key> asked(keys_of<key>(0, keys));
  device_flags found(keys);
  map.find(asked.data(), keys, nullptr, found.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(wrong.values().front(), 0u);
  std::size_t present = 0;
  for (unsigned i = 0; i < keys; ++i) {
    EXPECT_EQ(balance.values()[i], found.values()[i] ? 1 : 0) << "key " << i;
    present += found.values()[i] ? 1 : 0;
  }
  EXPECT_EQ(map.size(), present);
}

TYPED_TEST(container_hash_map, reuses_erased_slots_at_a_load_of_nine_tenths) {
  using key = typename TypeParam::key;
  using value = typename TypeParam::value;
  auto map = hash_map<key, value>::for_elements(160, 0.9);
  const auto live = static_cast<unsigned>(0.9 * static_cast<double>(map.capacity()));
  const unsigned turn = live / 5;
  EXPECT_EQ(count_of(insert_range<decltype(map), key, value>(map, 0, live, 0), insertion::inserted),
            live);
  for (unsigned round = 0; round < 12; ++round) {
    // The oldest fifth leaves and as many new keys come: at most a tenth of the slots was free.
    const device_array<key> old(keys_of<key>(round * turn, turn));
    device_flags erased(turn);
    map.erase(old.data(), turn, erased.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(count_of(erased.values(), 1), turn);
    const auto said = insert_range<decltype(map), key, value>(map, round * turn + live, turn, 0);
    EXPECT_EQ(count_of(said, insertion::inserted), turn) << "round " << round;
    const unsigned first = (round + 1) * turn, asked_before = first >= 20 ? first - 20 : 0;
    const unsigned count = first - asked_before + live;
    const device_array<key> asked(keys_of<key>(asked_before, count));
    device_array<value> values(count);
    device_flags found(count);
    map.find(asked.data(), count, values.data(), found.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const auto is_there = found.values();
    const auto got = values.values();
    for (unsigned i = 0; i < count; ++i) {
      ASSERT_EQ(is_there[i] != 0, asked_before + i >= first);
      if (is_there[i]) {
        ASSERT_EQ(number_of(got[i]), (asked_before + i) % 251);
      }
    }
    EXPECT_EQ(map.size(), live);
  }
}

TYPED_TEST(container_hash_map, reports_that_it_is_full_and_still_finds_its_keys) {
  using key = typename TypeParam::key;
  using value = typename TypeParam::value;
  hash_map<key, value> map(30);
  const auto slots = static_cast<unsigned>(map.capacity());
  const auto said = insert_range<decltype(map), key, value>(map, 0, slots + 7, 0);
  EXPECT_EQ(count_of(said, insertion::inserted), slots);
  EXPECT_EQ(count_of(said, insertion::full), 7u);
  const auto again = insert_range<decltype(map), key, value>(map, 0, slots + 7, 3);
  EXPECT_EQ(count_of(again, insertion::present), slots);
  EXPECT_EQ(count_of(again, insertion::full), 7u);
  EXPECT_EQ(map.size(), slots);
  // Every erased slot can be reused, and no others.
  for (unsigned i = 0; i < slots + 7; ++i)
    EXPECT_EQ(again[i] == insertion::full, said[i] == insertion::full);
  const device_array<key> old(keys_of<key>(0, slots + 7));
  map.erase(old.data(), slots + 7);
  EXPECT_EQ(map.size(), 0u);
  EXPECT_EQ(
      count_of(insert_range<decltype(map), key, value>(map, 500, slots + 2, 0), insertion::full),
      2u);
}

template <typename Key, typename Value>
struct note {
  unsigned* seen;
  unsigned* wrong;
  unsigned keys;
  __device__ void operator()(const Key& key, const Value& value) const {
    const unsigned number = number_of(value);
    if (number < keys && key == key_of<Key>(number)) {
      atomicAdd(seen + number, 1u);
    } else {
      atomicAdd(wrong, 1u);
    }
  }
};

TYPED_TEST(container_hash_map, visits_each_element_once_also_in_a_larger_or_smaller_table) {
  using key = typename TypeParam::key;
  using value = typename TypeParam::value;
  constexpr unsigned keys = 60;
  hash_map<key, value> first(64);
  insert_range<decltype(first), key, value>(first, 0, keys + 1, 0);
  const device_array<key> gone(keys_of<key>(keys, 1));
  first.erase(gone.data(), 1);
  hash_map<key, value> map(std::move(first));
  const auto expect_all = [&](std::size_t least) {
    device_array<unsigned> seen(std::vector<unsigned>(keys, 0)), wrong(std::vector<unsigned>(1, 0));
    map.for_each(note<key, value>{seen.data(), wrong.data(), keys});
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(seen.values(), std::vector<unsigned>(keys, 1));
    EXPECT_EQ(wrong.values().front(), 0u);
    EXPECT_GE(map.capacity(), least);
    EXPECT_EQ(map.size(), keys);
  };
  expect_all(64);
  map.rehash(300);
  expect_all(300);
  map.rehash(map.capacity());
  EXPECT_LT(map.capacity(), 330u);
  expect_all(300);
  map.rehash(keys);
  EXPECT_LT(map.capacity(), 90u);
  expect_all(keys);
  EXPECT_THROW(map.rehash(keys - 1), heddle::error);
  expect_all(keys);
  map.clear();
  EXPECT_EQ(map.size(), 0u);
  EXPECT_EQ(count_of(insert_range<decltype(map), key, value>(map, 0, keys, 0), insertion::inserted),
            keys);
}

}  // namespace
