// The hash map against std::unordered_map, under one lane and over arrays, and under many lanes.
#include <heddle/container/hash_map.cuh>

#include <string>
#include <unordered_map>
#include <utility>

#include "container/hash_cases.cuh"

namespace {
using namespace heddle_test;
using heddle::all_lanes;
using heddle::lane_mask;
using heddle::container::bulk_settings;
using heddle::container::hash_map;
using heddle::container::hash_map_view;
using heddle::container::insertion;
using heddle::container::probing;
using heddle::container::reserved_keys;

template <typename Key, typename Value>
struct element {
  using key = Key;
  using value = Value;
};

template <typename Element>
class HashMapTest : public testing::Test {};
using elements =
    testing::Types<element<std::uint32_t, std::uint32_t>, element<int, unsigned char>,
                   element<std::uint64_t, std::uint64_t>, element<std::uint32_t, large_value>>;
TYPED_TEST_SUITE(HashMapTest, elements);

template <typename View, typename Key, typename Value>
__global__ void follow(View map, const step* steps, int count, int* answers) {
  for (int i = 0; i < count; ++i) {
    const Key key = key_of<Key>(steps[i].key);
    const Value brought = value_of<Value>(steps[i].value);
    Value value = value_of<Value>(0);
    switch (steps[i].what) {
      case deed::insert:
        answers[i] = static_cast<int>(map.insert(key, brought));
        break;
      case deed::insert_or_assign:
        answers[i] = static_cast<int>(map.insert_or_assign(key, brought));
        break;
      case deed::find:
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
    if (one.what == deed::find) {
      answers.push_back(is_there ? static_cast<int>(at->second) : -1);
    } else if (one.what == deed::erase) {
      answers.push_back(is_there);
      model.erase(one.key);
    } else {
      answers.push_back(as_answer(is_there ? insertion::present : insertion::inserted));
      if (!is_there || one.what == deed::insert_or_assign) model[one.key] = one.value;
    }
  }
  return answers;
}

template <typename Map, typename Element>
void expect_as_unordered_map() {
  using key = typename Element::key;
  using value = typename Element::value;
  // In an epoch at most 13 slots are used up besides those of 21 keys; in all many more.
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

TYPED_TEST(HashMapTest, AnswersOneLaneAsAnUnorderedMapDoes) {
  HEDDLE_NAME_SEED();
  using key = typename TypeParam::key;
  using value = typename TypeParam::value;
  expect_as_unordered_map<hash_map<key, value>, TypeParam>();
}
TEST(HashMapShapeTest, AnswersTheSameForOtherBucketsAndWays) {
  HEDDLE_NAME_SEED();
  using pair = element<std::uint32_t, std::uint32_t>;
  expect_as_unordered_map<hash_map<std::uint32_t, std::uint32_t, 8, probing::linear>, pair>();
  expect_as_unordered_map<hash_map<std::uint32_t, std::uint32_t, 2>, pair>();
}

// All threads offer the same keys, each its own value, in an order of its own.
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

TYPED_TEST(HashMapTest, LetsOneOfManyInsertAKey) {
  using key = typename TypeParam::key;
  using value = typename TypeParam::value;
  constexpr unsigned keys = 13, blocks = 3, threads = blocks * 64;
  for (const int way : {0, 1, 2, 3}) {
    hash_map<key, value> map(keys);  // as full as it gets
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

// Inserts, assigns, erases and finds in any order. What was found belongs to its key, and whole.
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

TYPED_TEST(HashMapTest, KeepsTheBalanceOfInsertionsAndErasures) {
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

// The keys [first, first + count) in, with values of `shift` more.
template <typename Map, typename Key, typename Value>
std::vector<insertion> insert_range(Map& map, unsigned first, unsigned count, unsigned shift) {
  std::vector<Value> brought;
  for (unsigned i = 0; i < count; ++i)
    brought.push_back(value_of<Value>((first + i + shift) % 251));
  const device_array<Key> keys(keys_of<Key>(first, count));
  const device_array<Value> values(brought);
  device_array<insertion> answers(count);
  map.insert(keys.data(), values.data(), count, answers.data());
  check(cudaDeviceSynchronize(), "insert");
  return answers.values();
}

TYPED_TEST(HashMapTest, UsesErasedSlotsAgainAtALoadOfNineTenths) {
  using key = typename TypeParam::key;
  using value = typename TypeParam::value;
  auto map = hash_map<key, value>::for_elements(160, 0.9);
  const auto live = static_cast<unsigned>(0.9 * static_cast<double>(map.capacity()));
  const unsigned turn = live / 5;
  EXPECT_EQ(count_of(insert_range<decltype(map), key, value>(map, 0, live, 0), insertion::inserted),
            live);
  for (unsigned round = 0; round < 12; ++round) {
    // The oldest fifth goes, as many new ones come: no more than a tenth was free.
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

TYPED_TEST(HashMapTest, SaysThatItIsFullAndStillFindsAndKnowsWhatIsThere) {
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
  // Each erased slot can be had again, and no more than these.
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

TYPED_TEST(HashMapTest, VisitsEachElementOnceAlsoInALargerOrSmallerTable) {
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
  EXPECT_LT(map.capacity(), 320u);
  expect_all(300);
  map.rehash(keys);
  EXPECT_LT(map.capacity(), 80u);
  expect_all(keys);
  EXPECT_THROW(map.rehash(keys - 1), heddle::error);
  expect_all(keys);
  map.clear();
  EXPECT_EQ(map.size(), 0u);
  EXPECT_EQ(count_of(insert_range<decltype(map), key, value>(map, 0, keys, 0), insertion::inserted),
            keys);
}

template <bulk_settings settings>
void expect_each_key_once() {
  for (const std::size_t count : {0u, 1u, 31u, 255u, 256u, 257u, 2100u}) {
    std::vector<std::uint32_t> keys, values;
    for (std::size_t i = 0; i < count; ++i) {
      keys.push_back(static_cast<std::uint32_t>(sample_bits(seed(), i)) % 300);
      values.push_back(keys.back() + 1000 * static_cast<std::uint32_t>(i));
    }
    std::unordered_map<std::uint32_t, unsigned> times;
    for (const auto key : keys) times[key] = 0;
    hash_map<std::uint32_t, std::uint32_t> map(400);
    const device_array<std::uint32_t> in(keys), brought(values);
    device_array<insertion> answers(count);
    map.insert<settings>(in.data(), brought.data(), count, answers.data());
    device_array<std::uint32_t> out(count);
    device_flags found(count);
    map.find<settings>(in.data(), count, out.data(), found.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const auto said = answers.values();
    const auto got = out.values();
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(said[i] == insertion::inserted || said[i] == insertion::present);
      times[keys[i]] += said[i] == insertion::inserted ? 1 : 0;
      EXPECT_EQ(got[i] % 1000, keys[i]);
    }
    for (const auto& [key, inserted] : times) EXPECT_EQ(inserted, 1u) << "key " << key;
    EXPECT_EQ(count_of(found.values(), 1), count);
    EXPECT_EQ(map.size(), times.size());
  }
}

TEST(HashMapBulkTest, TakesArraysOfAnySizeWithRepeatedKeysInEverySetting) {
  HEDDLE_NAME_SEED();
  expect_each_key_once<bulk_settings{}>();
  expect_each_key_once<bulk_settings{1, false}>();
}

// Lane i brings key i % 5.
__global__ void assign_together(hash_map_view<int, int> map, lane_mask wanting, int* answers) {
  const int lane = static_cast<int>(threadIdx.x);
  const bool wants = wanting >> lane & 1;
  answers[lane] = static_cast<int>(map.insert(lane % 5, lane, wants, all_lanes));
  __syncwarp();  // lanes that want nothing do not wait
  answers[32 + lane] = static_cast<int>(map.insert_or_assign(lane % 5, lane, wants, all_lanes));
  __syncwarp();
  int value = -1;
  answers[64 + lane] = map.find(lane % 5, value) ? value : -1;
  __syncwarp();
  answers[96 + lane] = map.erase(lane % 5, wants, all_lanes);
}

TEST(HashMapTogetherTest, LetsTheFirstLaneOfAKeyInsertTheLastAssignAndOneErase) {
  for (const lane_mask wanting : {0xffffffffu, 0x00f0a001u, 0u}) {
    hash_map<int, int> map(16);
    device_array<int> answers(128);
    assign_together<<<1, 32>>>(map.view(), wanting, answers.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const auto said = answers.values();
    int last[5] = {-1, -1, -1, -1, -1}, erased[5] = {};
    bool is_new[5] = {true, true, true, true, true};
    for (int lane = 0; lane < 32; ++lane) {
      if (!(wanting >> lane & 1)) continue;
      last[lane % 5] = lane;
      EXPECT_EQ(said[lane], as_answer(is_new[lane % 5] ? insertion::inserted : insertion::present));
      EXPECT_EQ(said[32 + lane], as_answer(insertion::present));
      is_new[lane % 5] = false;
      erased[lane % 5] += said[96 + lane];
    }
    for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(said[64 + lane], last[lane % 5]);
    for (int key = 0; key < 5; ++key) EXPECT_EQ(erased[key], last[key] >= 0 ? 1 : 0);
  }
}

TEST(HashMapShapeTest, RefusesNoSlotsTooManyBadLoadsAndReservedKeysThatAreTheSame) {
  using map = hash_map<int, int>;
  const auto expect_sentence = [](std::size_t slots) {
    try {
      map refused(slots);
      ADD_FAILURE() << slots << " slots";
    } catch (const heddle::error& refused) {
      const std::string sentence =
          "a hash table has 1 to 2147483648 slots, not " + std::to_string(slots);
      EXPECT_NE(std::string(refused.what()).find(sentence), std::string::npos) << refused.what();
    }
  };
  for (const std::size_t slots : {std::size_t{0}, (std::size_t{1} << 31) + 1, ~std::size_t{0}}) {
    expect_sentence(slots);
  }
  for (const std::size_t elements : {std::size_t{0}, ~std::size_t{0}}) {
    EXPECT_THROW(static_cast<void>(map::for_elements(elements, 0.01)), heddle::error);
  }
  for (const double load : {0.0, -1.0, 1.01}) {
    EXPECT_THROW(static_cast<void>(map::for_elements(10, load)), heddle::error);
  }
  EXPECT_THROW(map(10, nullptr, {3, 3, 4}), heddle::error);
  EXPECT_NO_THROW(map(10, nullptr, {3, 4, 4}));
}

TEST(HashMapShapeTest, SaysHowManyBytesItCannotHaveAndKeepsWhatIsThere) {
  using large_map = hash_map<std::uint32_t, large_value>;
  std::size_t free = 0, all = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &all), cudaSuccess);
  const std::size_t slots = all / 36;  // and as many bytes for each, and the rest
  if (slots > std::size_t{1} << 31) GTEST_SKIP() << "the largest map has room on this device";
  large_map map(50);
  insert_range<large_map, std::uint32_t, large_value>(map, 0, 50, 0);
  for (const bool is_new : {true, false}) {
    try {
      is_new ? static_cast<void>(large_map(slots)) : map.rehash(slots);
      ADD_FAILURE() << slots << " slots";
    } catch (const heddle::error& refused) {
      EXPECT_EQ(refused.code(), cudaErrorMemoryAllocation);
      const std::string text = refused.what();
      EXPECT_NE(text.find("a container cannot have its "), std::string::npos) << text;
      EXPECT_NE(text.find("hash_map_test.cu"), std::string::npos) << text;
    }
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(map.size(), 50u);
  }
}

TEST(HashMapShapeTest, HoldsEveryKeyButTheReservedOnes) {
  hash_map<std::uint32_t, std::uint32_t> map(100, nullptr, {17, 4, 0});
  const std::vector<std::uint32_t> some{0xffffffffu, 0xfffffffeu, 0u, 1u, 0x80000000u};
  const device_array<std::uint32_t> keys(some);
  device_array<insertion> answers(some.size());
  map.insert(keys.data(), keys.data(), some.size(), answers.data());
  map.settle();
  device_array<std::uint32_t> values(some.size());
  map.find(keys.data(), some.size(), values.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(count_of(answers.values(), insertion::inserted), some.size());
  EXPECT_EQ(values.values(), some);
}

}  // namespace
