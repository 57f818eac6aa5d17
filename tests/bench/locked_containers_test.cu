// The containers under a lock, against which the benches measure: they do what ours do.
#include <heddle/sync/ticket_lock.cuh>

#include <map>

#include "container/locked_map.cuh"
#include "container/locked_queue.cuh"
#include "container/locked_stack.cuh"
// Of the tests of ours.
#include "container/pushes_and_pops.cuh"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_mask;
using heddle::sync::spin_lock;
using heddle::sync::ticket_lock;
using heddle_bench::locked_insertion;
using heddle_bench::locked_map;
using heddle_bench::locked_map_view;
using heddle_bench::locked_queue;
using heddle_bench::locked_stack;

template <typename Container>
class bench_locked_container : public testing::Test {};
using containers = testing::Types<locked_queue<unsigned>, locked_queue<parcel, ticket_lock<>>,
                                  locked_stack<unsigned>, locked_stack<parcel, ticket_lock<>>>;
TYPED_TEST_SUITE(bench_locked_container, containers);

template <typename Container>
constexpr bool is_stack = false;
template <typename T, typename Lock>
constexpr bool is_stack<locked_stack<T, Lock>> = true;

// Takes the next value out of the model.
template <typename Container>
unsigned taken(std::vector<unsigned>& model) {
  const auto which = is_stack<Container> ? model.end() - 1 : model.begin();
  const unsigned value = *which;
  model.erase(which);
  return value;
}

TYPED_TEST(bench_locked_container, matches_a_plain_container_for_one_lane) {
  for (const std::size_t capacity : {1u, 3u, 20u}) {
    const TypeParam container(capacity);
    std::vector<int> steps;
    unsigned random = 12345;
    for (int i = 0; i < 200; ++i) {
      random = random * 1664525u + 1013904223u;
      steps.push_back((random >> 28) < (i / 47 % 2 == 0 ? 11u : 5u) ? i : -1);
    }
    const device_array<int> program(steps), answers(steps.size());
    follow<<<1, 1>>>(container.view(), program.data(), static_cast<int>(steps.size()),
                     answers.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<unsigned> model;
    std::vector<int> expected;
    for (const int step : steps) {
      if (step >= 0) {
        expected.push_back(model.size() < capacity ? step : -1);
        if (model.size() < capacity) model.push_back(static_cast<unsigned>(step));
      } else {
        expected.push_back(model.empty() ? -1 : static_cast<int>(taken<TypeParam>(model)));
      }
    }
    EXPECT_EQ(answers.values(), expected) << "capacity " << capacity;
  }
}

TYPED_TEST(bench_locked_container, takes_a_warp_in_lane_order) {
  for (const unsigned capacity : {5u, 32u}) {
    for (const lane_mask pushing : {0xffffffffu, 0x0f0f00f0u}) {
      const TypeParam container(capacity);
      const device_array<unsigned> pushed(32), popped(32);
      constexpr lane_mask popping = 0x55555555u;
      push_and_pop_together<<<1, 32>>>(container.view(), pushing, popping, pushed.data(),
                                       popped.data());
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      std::vector<unsigned> in, expected_pushed(32), expected_popped(32);
      for (unsigned lane = 0; lane < 32; ++lane) {
        if ((pushing >> lane & 1) == 0 || in.size() == capacity) continue;
        expected_pushed[lane] = 1;
        in.push_back(lane + 100);
      }
      for (unsigned lane = 0; lane < 32; ++lane) {
        if ((popping >> lane & 1) != 0 && !in.empty()) expected_popped[lane] = taken<TypeParam>(in);
      }
      EXPECT_EQ(pushed.values(), expected_pushed);
      EXPECT_EQ(popped.values(), expected_popped);
    }
  }
}

TYPED_TEST(bench_locked_container, returns_every_value_once) {
  for (const bool together : {false, true}) {
    constexpr unsigned blocks = 2, threads = 64;
    constexpr int per_thread = 4;
    const TypeParam container(33);
    const std::vector<unsigned> zeros(blocks * threads * per_thread);
    const device_array<unsigned> seen(zeros), strangers(std::vector<unsigned>{0});
    trade<<<blocks, threads>>>(container.view(), per_thread, together, seen.data(),
                               strangers.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(strangers.values().front(), 0u);
    EXPECT_EQ(seen.values(), std::vector<unsigned>(zeros.size(), 1));
  }
}

// ---- the map

struct map_step {
  unsigned what, key, value;  // 0 inserts, 1 finds, 2 erases
};

template <typename View>
__global__ void follow_map(View map, const map_step* steps, int count, unsigned* answers) {
  for (int i = 0; i < count; ++i) {
    unsigned value = 777;
    if (steps[i].what == 0) {
      answers[i] = static_cast<unsigned>(map.insert(steps[i].key, steps[i].value));
    } else if (steps[i].what == 1) {
      answers[i] = map.find(steps[i].key, value) ? 10 + value : 9;
    } else {
      answers[i] = map.erase(steps[i].key) ? 8 : 7;
    }
  }
}

TEST(bench_locked_map, matches_a_plain_map_for_one_lane) {
  HEDDLE_NAME_SEED();
  constexpr int count = 400;
  constexpr std::size_t slots = 16;  // fewer than there are keys
  const locked_map<unsigned> map(slots, 1);
  std::vector<map_step> steps;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t bits = sample_bits(seed(), static_cast<std::uint64_t>(i));
    steps.push_back({static_cast<unsigned>(bits % 3), static_cast<unsigned>(bits >> 8) % 24,
                     static_cast<unsigned>(i)});
  }
  const device_array<map_step> program(steps);
  const device_array<unsigned> answers(count);
  follow_map<<<1, 1>>>(map.view(), program.data(), count, answers.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::map<unsigned, unsigned> model;
  std::vector<unsigned> expected;
  for (const map_step& step : steps) {
    const auto found = model.find(step.key);
    if (step.what == 0) {
      const bool is_full = found == model.end() && model.size() == slots;
      if (!is_full) model.insert({step.key, step.value});
      expected.push_back(is_full ? 2 : found == model.end() ? 0 : 1);
    } else if (step.what == 1) {
      expected.push_back(found == model.end() ? 9 : 10 + found->second);
    } else {
      expected.push_back(model.erase(step.key) != 0 ? 8 : 7);
    }
  }
  EXPECT_EQ(answers.values(), expected);
}

// Every key is inserted by several threads: one of them has done it, and all find its value.
template <typename View>
__global__ void insert_and_find(View map, unsigned keys, unsigned* inserted, unsigned* wrong) {
  const unsigned key = (blockIdx.x * blockDim.x + threadIdx.x) % keys;
  if (map.insert(key, key * 3) == locked_insertion::inserted) atomicAdd(inserted, 1u);
  unsigned value = 0;
  if (!map.find(key, value) || value != key * 3) atomicAdd(wrong, 1u);
}

TEST(bench_locked_map, inserts_a_key_once) {
  for (const std::size_t parts : {1u, 8u}) {
    const locked_map<unsigned, ticket_lock<>> map(256, parts);
    const device_array<unsigned> inserted(std::vector<unsigned>{0}),
        wrong(std::vector<unsigned>{0});
    insert_and_find<<<2, 64>>>(map.view(), 50, inserted.data(), wrong.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(inserted.values().front(), 50u);
    EXPECT_EQ(wrong.values().front(), 0u);
  }
}

}  // namespace
