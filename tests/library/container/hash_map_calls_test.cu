// The hash map's bulk and warp-wide calls, and what it refuses.
#include <heddle/container/hash_map.cuh>

#include <string>
#include <unordered_map>

#include "container/hash_cases.cuh"

namespace {
using namespace heddle_test;
using heddle::all_lanes;
using heddle::lane_mask;
using heddle::container::bulk_settings;
using heddle::container::hash_map;
using heddle::container::hash_map_view;
using heddle::container::insertion;

template <bulk_settings settings, int bucket_slots = 4>
void expect_each_key_once() {
  for (const std::size_t count : {0u, 1u, 31u, 255u, 256u, 257u, 2100u}) {
    std::vector<std::uint32_t> keys, values;
    for (std::size_t i = 0; i < count; ++i) {
      keys.push_back(static_cast<std::uint32_t>(sample_bits(seed(), i)) % 300);
      values.push_back(keys.back() + 1000 * static_cast<std::uint32_t>(i));
    }
    std::unordered_map<std::uint32_t, unsigned> times;
    for (const auto key : keys) times[key] = 0;
    hash_map<std::uint32_t, std::uint32_t, bucket_slots> map(400);
    const device_array<std::uint32_t> in(keys), brought(values);
    device_array<insertion> answers(count);
    map.template insert<settings>(in.data(), brought.data(), count, answers.data());
    device_array<std::uint32_t> out(count);
    device_flags found(count);
    map.template find<settings>(in.data(), count, out.data(), found.data());
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

TEST(container_hash_map_bulk, takes_arrays_of_any_size_with_repeated_keys_in_every_setting) {
  HEDDLE_NAME_SEED();
  expect_each_key_once<bulk_settings{}>();
  expect_each_key_once<bulk_settings{2, false}>();
  expect_each_key_once<bulk_settings{2, true, false}>();
  expect_each_key_once<bulk_settings{}, 2>();
  expect_each_key_once<bulk_settings{}, 8>();
}

// Every slot of the table holds a key: probes are as long as possible, and the two lanes of a pair
// end theirs at different times.
template <bulk_settings settings, int bucket_slots = 4>
void expect_full_table_searched() {
  hash_map<std::uint32_t, std::uint32_t, bucket_slots> map(300);
  const std::size_t slots = map.capacity(), asked = slots + 77;
  std::vector<std::uint32_t> keys, values;
  for (std::size_t i = 0; i < asked; ++i) {
    keys.push_back(static_cast<std::uint32_t>(i * 2654435761u) >> 1);
    values.push_back(keys.back() ^ 0x55u);
  }
  const device_array<std::uint32_t> in(keys), brought(values);
  map.template insert<settings>(in.data(), brought.data(), slots);
  device_array<insertion> answers(asked);
  map.template insert<settings>(in.data(), brought.data(), asked, answers.data());
  const device_array<std::uint32_t> out(std::vector<std::uint32_t>(asked, 7));
  device_flags found(asked);
  map.template find<settings>(in.data(), asked, out.data(), found.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(map.size(), slots);
  const auto said = answers.values();
  const auto got = out.values();
  const auto is_there = found.values();
  for (std::size_t i = 0; i < asked; ++i) {
    EXPECT_EQ(said[i], i < slots ? insertion::present : insertion::full) << "key " << i;
    EXPECT_EQ(got[i], i < slots ? values[i] : 7u) << "key " << i;
    EXPECT_EQ(is_there[i] != 0, i < slots) << "key " << i;
  }
}

TEST(container_hash_map_bulk, searches_a_full_table_to_the_end_in_every_setting) {
  expect_full_table_searched<bulk_settings{}>();
  expect_full_table_searched<bulk_settings{2, false}>();
  expect_full_table_searched<bulk_settings{2, true, false}>();
  expect_full_table_searched<bulk_settings{}, 2>();
  expect_full_table_searched<bulk_settings{}, 8>();
}

// Lane i has key i % 5.
__global__ void assign_together(hash_map_view<int, int> map, lane_mask wanting, int* answers) {
  const int lane = static_cast<int>(threadIdx.x);
  const bool wants = wanting >> lane & 1;
  answers[lane] = static_cast<int>(map.insert(lane % 5, lane, wants, all_lanes));
  __syncwarp();  // lanes without an operation do not wait in insert()
  answers[32 + lane] = static_cast<int>(map.insert_or_assign(lane % 5, lane, wants, all_lanes));
  __syncwarp();
  int value = -1;
  answers[64 + lane] = map.find(lane % 5, value) ? value : -1;
  __syncwarp();
  answers[96 + lane] = map.erase(lane % 5, wants, all_lanes);
}

TEST(container_hash_map_together,
     lets_the_first_lane_of_a_key_insert_the_last_assign_and_one_erase) {
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

TEST(container_hash_map_shape, refuses_bad_slot_counts_bad_loads_and_equal_reserved_keys) {
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

TEST(container_hash_map_shape, reports_how_many_bytes_it_cannot_allocate_and_keeps_its_elements) {
  using large_map = hash_map<std::uint32_t, large_value>;
  std::size_t free = 0, all = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &all), cudaSuccess);
  const std::size_t slots = all / 32;  // of at least 32 bytes each: too many
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
      EXPECT_NE(text.find("hash_map_calls_test.cu"), std::string::npos) << text;
    }
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(map.size(), 50u);
  }
}

TEST(container_hash_map_shape, holds_every_key_except_the_reserved_ones) {
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
