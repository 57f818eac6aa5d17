// The stack with one lane, one warp and many: every value comes out once, the last one first.
#include <heddle/container/stack.cuh>

#include <utility>

#include "container/pushes_and_pops.cuh"
#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using heddle::all_lanes;
using heddle::lane_mask;
using heddle::container::stack;
using heddle::container::stack_view;

template <typename T>
class container_stack : public testing::Test {};
using values = testing::Types<unsigned, unsigned char, parcel>;
TYPED_TEST_SUITE(container_stack, values);

TYPED_TEST(container_stack, matches_a_plain_stack_for_one_lane) {
  for (const std::size_t capacity : {1u, 2u, 3u, 7u, 64u}) {
    const stack<TypeParam> pile(capacity);
    std::vector<int> steps;
    unsigned random = 12345;
    for (int i = 0; i < 250; ++i) {
      random = random * 1664525u + 1013904223u;
      const bool fills = (i / 47) % 2 == 0;
      steps.push_back((random >> 28) < (fills ? 11u : 5u) ? i : -1);
    }
    device_array<int> program(steps), answers(steps.size());
    follow<<<1, 1>>>(pile.view(), program.data(), static_cast<int>(steps.size()), answers.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<int> model, expected;
    for (const int step : steps) {
      if (step >= 0) {
        expected.push_back(model.size() < capacity ? step : -1);
        if (model.size() < capacity) model.push_back(step);
      } else if (model.empty()) {
        expected.push_back(-1);
      } else {
        expected.push_back(model.back());
        model.pop_back();
      }
    }
    EXPECT_EQ(answers.values(), expected) << "capacity " << capacity;
  }
}

TYPED_TEST(container_stack, serves_a_warp_in_lane_order_as_far_as_there_is_room) {
  for (const unsigned capacity : {1u, 5u, 31u, 32u, 50u}) {
    for (const lane_mask pushing : {0xffffffffu, 0x80000001u, 0x0f0f00f0u, 0u}) {
      for (const lane_mask popping : {0xffffffffu, 0x55555555u, 0u}) {
        const stack<TypeParam> pile(capacity);
        device_array<unsigned> pushed(32), popped(32);
        push_and_pop_together<<<1, 32>>>(pile.view(), pushing, popping, pushed.data(),
                                         popped.data());
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        std::vector<unsigned> in, expected_pushed(32), expected_popped(32);
        for (unsigned lane = 0; lane < 32; ++lane) {
          if ((pushing >> lane & 1) && in.size() < capacity) {
            expected_pushed[lane] = 1;
            in.push_back(lane + 100);
          }
        }
        for (unsigned lane = 0; lane < 32; ++lane) {
          if ((popping >> lane & 1) && !in.empty()) {
            expected_popped[lane] = in.back();
            in.pop_back();
          }
        }
        EXPECT_EQ(pushed.values(), expected_pushed);
        EXPECT_EQ(popped.values(), expected_popped);
      }
    }
  }
}

template <typename T>
void expect_each_once(unsigned blocks, unsigned threads, int per_thread) {
  for (const bool together : {false, true}) {
    for (const unsigned capacity : {1u, 33u, 1000u}) {
      const stack<T> pile(capacity);
      std::vector<unsigned> zeros(std::size_t{blocks} * threads *
                                  static_cast<unsigned>(per_thread));
      device_array<unsigned> seen(zeros), strangers(std::vector<unsigned>{0});
      trade<<<blocks, threads>>>(pile.view(), per_thread, together, seen.data(), strangers.data());
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      EXPECT_EQ(strangers.values().front(), 0u);
      EXPECT_EQ(seen.values(), std::vector<unsigned>(zeros.size(), 1)) << "capacity " << capacity;
    }
  }
}

TEST(container_stack_of_many, returns_every_value_once) {
  expect_each_once<unsigned>(2, 64, 5);
  expect_each_once<parcel>(2, 64, 5);
}

TEST(container_stack_shape, refuses_zero_and_too_large_capacities) {
  EXPECT_THROW(stack<int>(0), heddle::error);
  EXPECT_THROW(stack<int>(stack<int>::most_values + 1), heddle::error);
}

TEST(container_stack_shape, is_empty_after_clear_and_keeps_its_memory_when_moved) {
  stack<int> first(3);
  const std::vector<int> steps{1, 2, -1};
  device_array<int> program(steps), answers(3);
  follow<<<1, 1>>>(first.view(), program.data(), 3, answers.data());
  stack<int> second(std::move(first));
  second.clear();
  const std::vector<int> others{-1, 7, -1};
  device_array<int> after(others), more(3);
  follow<<<1, 1>>>(second.view(), after.data(), 3, more.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(answers.values(), (std::vector<int>{1, 2, 2}));
  EXPECT_EQ(more.values(), (std::vector<int>{-1, 7, 7}));
}

}  // namespace
