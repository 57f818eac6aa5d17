// The queue with one lane, one warp and many: every value comes out once and in order.
#include <heddle/container/queue.cuh>

#include <utility>

#include "container/pushes_and_pops.cuh"
#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using heddle::all_lanes;
using heddle::lane_mask;
using heddle::container::passing;
using heddle::container::queue;
using heddle::container::queue_view;

template <typename Queue>
class container_queue : public testing::Test {};
using queues = testing::Types<queue<unsigned>, queue<unsigned, passing::values_alone>,
                              queue<unsigned short>, queue<unsigned long long>, queue<parcel>>;
TYPED_TEST_SUITE(container_queue, queues);

// ---- one lane

TYPED_TEST(container_queue, matches_a_plain_queue_for_one_lane) {
  for (const std::size_t capacity : {1u, 2u, 3u, 7u, 64u}) {
    const TypeParam line(capacity, nullptr, 1);
    std::vector<int> steps;
    unsigned random = 12345;
    for (int i = 0; i < 600; ++i) {
      random = random * 1664525u + 1013904223u;
      // Long phases of filling and of emptying, so that it gets full and empty.
      const bool fills = (i / 97) % 2 == 0;
      steps.push_back((random >> 28) < (fills ? 11u : 5u) ? i : -1);
    }
    device_array<int> program(steps), answers(steps.size());
    follow<<<1, 1>>>(line.view(), program.data(), static_cast<int>(steps.size()), answers.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<int> model, expected;
    for (const int step : steps) {
      if (step >= 0) {
        expected.push_back(model.size() < capacity ? step : -1);
        if (model.size() < capacity) model.push_back(step);
      } else if (model.empty()) {
        expected.push_back(-1);
      } else {
        expected.push_back(model.front());
        model.erase(model.begin());
      }
    }
    EXPECT_EQ(answers.values(), expected) << "capacity " << capacity;
  }
}

// ---- one warp

TYPED_TEST(container_queue, serves_a_warp_in_lane_order_as_far_as_there_is_room) {
  for (const unsigned capacity : {1u, 5u, 31u, 32u, 50u}) {
    for (const lane_mask pushing : {0xffffffffu, 0x80000001u, 0x0f0f00f0u, 0u}) {
      for (const lane_mask popping : {0xffffffffu, 0x55555555u, 0u}) {
        const TypeParam line(capacity, nullptr, 32);
        device_array<unsigned> pushed(32), popped(32);
        push_and_pop_together<<<1, 32>>>(line.view(), pushing, popping, pushed.data(),
                                         popped.data());
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        std::vector<unsigned> in, expected_pushed(32), expected_popped(32);
        for (unsigned lane = 0; lane < 32; ++lane) {
          if ((pushing >> lane & 1) && in.size() < capacity) {
            expected_pushed[lane] = 1;
            in.push_back(lane + 100);
          }
        }
        std::size_t next = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
          if ((popping >> lane & 1) && next < in.size()) expected_popped[lane] = in[next++];
        }
        EXPECT_EQ(pushed.values(), expected_pushed);
        EXPECT_EQ(popped.values(), expected_popped);
      }
    }
  }
}

// ---- many warps

TYPED_TEST(container_queue, returns_every_value_once) {
  for (const bool together : {false, true}) {
    for (const unsigned capacity : {1u, 33u, 1000u}) {
      constexpr unsigned blocks = 2, threads = 64;
      constexpr int per_thread = 5;
      const TypeParam line(capacity, nullptr, blocks * threads);
      std::vector<unsigned> zeros(blocks * threads * per_thread);
      device_array<unsigned> seen(zeros), strangers(std::vector<unsigned>{0});
      trade<<<blocks, threads>>>(line.view(), per_thread, together, seen.data(), strangers.data());
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      EXPECT_EQ(strangers.values().front(), 0u);
      EXPECT_EQ(seen.values(), std::vector<unsigned>(zeros.size(), 1)) << "capacity " << capacity;
    }
  }
}

// One consumer sees the numbers of every producer in order.
template <typename T, passing how>
__global__ void produce_and_listen(queue_view<T, how> line, int per_producer, int* disorder) {
  const int producers = static_cast<int>(gridDim.x) - 1;
  if (threadIdx.x != 0) return;
  if (blockIdx.x != 0) {
    for (int i = 0; i < per_producer;) {
      const unsigned number = (blockIdx.x - 1) * 1000 + static_cast<unsigned>(i);
      if (line.try_push(T(number)))
        ++i;
      else
        __nanosleep(20);
    }
    return;
  }
  int next[8] = {};
  for (int left = producers * per_producer; left > 0;) {
    T value{};
    if (!line.try_pop(value)) {
      __nanosleep(20);
      continue;
    }
    --left;
    const auto number = static_cast<unsigned>(value);
    if (next[number / 1000 % 8]++ != static_cast<int>(number % 1000)) ++*disorder;
  }
}

TYPED_TEST(container_queue, keeps_the_order_of_each_producer) {
  for (const unsigned capacity : {1u, 4u, 100u}) {
    const TypeParam line(capacity, nullptr, 16);
    device_array<int> disorder(std::vector<int>{0});
    produce_and_listen<<<4, 32>>>(line.view(), 60, disorder.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(disorder.values().front(), 0) << "capacity " << capacity;
  }
}

TYPED_TEST(container_queue, is_empty_after_clear) {
  TypeParam line(3, nullptr, 1);
  const std::vector<int> steps{1, 2, -1};
  device_array<int> program(steps), answers(3);
  for (int i = 0; i < 2; ++i) {
    follow<<<1, 1>>>(line.view(), program.data(), 3, answers.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(answers.values(), (std::vector<int>{1, 2, 1}));
    line.clear();
  }
}

// Memory written before a push is visible after the pop.
__global__ void hand_over_memory(queue_view<unsigned> line, unsigned* table, int count,
                                 int* wrong) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < count; ++i) {
      const auto place = static_cast<unsigned>(i) * blockDim.x + threadIdx.x;
      table[place] = place * 3 + 1;
      while (!line.try_push(place)) __nanosleep(20);
    }
  } else {
    for (int i = 0; i < count; ++i) {
      unsigned place = 0;
      while (!line.try_pop(place)) __nanosleep(20);
      if (table[place] != place * 3 + 1) atomicAdd(wrong, 1);
    }
  }
}

TEST(container_queue_of_places, publishes_the_memory_of_its_values) {
  const queue<unsigned> line(8, nullptr, 64);
  device_array<unsigned> table(32 * 10);
  device_array<int> wrong(std::vector<int>{0});
  hand_over_memory<<<2, 32>>>(line.view(), table.data(), 10, wrong.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(wrong.values().front(), 0);
}

// ---- invalid arguments

TEST(container_queue_shape, refuses_zero_and_too_large_capacities) {
  EXPECT_THROW(queue<int>(0), heddle::error);
  EXPECT_THROW(queue<int>(std::size_t{queue<int>::most_values} + 1), heddle::error);
  try {
    queue<int> none(0);
  } catch (const heddle::error& refused) {
    EXPECT_NE(std::string(refused.what()).find("a queue holds 1 to 1073741824 values, not 0"),
              std::string::npos)
        << refused.what();
  }
}

TEST(container_queue_shape, keeps_its_memory_when_moved) {
  queue<int> first(4, nullptr, 1);
  queue<int> second(std::move(first));
  const std::vector<int> steps{5, -1};
  device_array<int> program(steps), answers(2);
  follow<<<1, 1>>>(second.view(), program.data(), 2, answers.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(answers.values(), (std::vector<int>{5, 5}));
}

}  // namespace
