// Warp operations wait for the lanes of their mask only, and give the results that PTX defines.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "run_kernel.hpp"
#include "support/seed.hpp"

namespace {

constexpr std::uint32_t all_lanes = 0xffffffffu;

// The source lane of a shuffle, by the rules of PTX.
int reference_source(char mode, int lane, int operand, int width) {
  const int section = lane / width * width;
  const int distance = operand & 31;
  switch (mode) {
    case 'i':
      return section + distance % width;
    case 'u':
      return lane - distance >= section ? lane - distance : lane;
    case 'd':
      return lane + distance < section + width ? lane + distance : lane;
    default:
      return (lane ^ distance) < section + width ? lane ^ distance : lane;
  }
}

int shuffle(char mode, unsigned mask, int value, int operand, int width) {
  switch (mode) {
    case 'i':
      return __shfl_sync(mask, value, operand, width);
    case 'u':
      return __shfl_up_sync(mask, value, static_cast<unsigned>(operand), width);
    case 'd':
      return __shfl_down_sync(mask, value, static_cast<unsigned>(operand), width);
    default:
      return __shfl_xor_sync(mask, value, operand, width);
  }
}

TEST(shuffle, follows_the_ptx_rules_for_every_mode_width_and_operand) {
  for (const char mode : {'i', 'u', 'd', 'x'}) {
    for (int width = 1; width <= 32; width *= 2) {
      std::vector<int> out(40 * 32, -1);
      int* const result = out.data();
      ASSERT_EQ(run_kernel({},
                           [=]() mutable {
                             const int lane = static_cast<int>(threadIdx.x);
                             for (int operand = 0; operand < 40; ++operand) {
                               result[operand * 32 + lane] =
                                   shuffle(mode, all_lanes, 1000 * operand + lane, operand, width);
                             }
                           }),
                cudaSuccess);
      for (int operand = 0; operand < 40; ++operand) {
        for (int lane = 0; lane < 32; ++lane) {
          EXPECT_EQ(out[static_cast<std::size_t>(operand * 32 + lane)],
                    1000 * operand + reference_source(mode, lane, operand, width))
              << mode << " width " << width << " operand " << operand << " lane " << lane;
        }
      }
    }
  }
}

// Each round splits the warp into new groups. Each group exchanges values with its own mask, some
// groups several times, while the others are elsewhere.
TEST(warp_meeting, serves_many_masks_at_once) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  SCOPED_TRACE(testing::Message() << heddle_test::seed_text());
  std::mt19937 random(seed);
  constexpr int rounds = 300;
  struct plan {
    std::uint32_t mask[rounds][32];
    int repeats[rounds][32];
  };
  auto plans = std::make_unique<plan>();
  for (int round = 0; round < rounds; ++round) {
    std::uint32_t groups[5] = {};
    int group_of[32];
    for (int lane = 0; lane < 32; ++lane) {
      group_of[lane] = static_cast<int>(random() % 5);
      groups[group_of[lane]] |= 1u << lane;
    }
    for (int lane = 0; lane < 32; ++lane) {
      plans->mask[round][lane] = groups[group_of[lane]];
      plans->repeats[round][lane] = 1 + group_of[lane] % 3;
    }
  }
  std::vector<int> wrong(32, -1);
  const plan* const todo = plans.get();
  int* const result = wrong.data();
  ASSERT_EQ(run_kernel({},
                       [=]() mutable {
                         const unsigned lane = threadIdx.x;
                         int mistakes = 0;
                         for (int round = 0; round < rounds; ++round) {
                           const std::uint32_t mask = todo->mask[round][lane];
                           const int first = std::countr_zero(mask);
                           for (int repeat = 0; repeat < todo->repeats[round][lane]; ++repeat) {
                             const int mine = round * 1000 + repeat * 100 + static_cast<int>(lane);
                             mistakes += __shfl_sync(mask, mine, first) !=
                                         round * 1000 + repeat * 100 + first;
                             mistakes += __ballot_sync(mask, lane % 2) != (mask & 0xaaaaaaaau);
                           }
                         }
                         result[lane] = mistakes;
                       }),
            cudaSuccess);
  EXPECT_EQ(wrong, std::vector<int>(32, 0));
}

TEST(warp_meeting, does_not_wait_for_lanes_that_have_exited) {
  std::vector<unsigned> out(50, ~0u);
  unsigned* const result = out.data();
  ASSERT_EQ(run_kernel({.block = {50, 1, 1}},
                       [=]() mutable {
                         if (threadIdx.x % 3 == 0) return;
                         result[threadIdx.x] = __ballot_sync(all_lanes, 1);
                       }),
            cudaSuccess);
  for (unsigned thread = 0; thread < 50; ++thread) {
    std::uint32_t expected = 0;
    for (unsigned other = thread / 32 * 32; other < std::min(50u, thread / 32 * 32 + 32); ++other) {
      if (other % 3 != 0) expected |= 1u << other % 32;
    }
    EXPECT_EQ(out[thread], thread % 3 == 0 ? ~0u : expected) << thread;
  }
}

TEST(warp_meeting, completes_when_the_last_missing_lane_exits_later) {
  std::vector<int> out(32, -1);
  int* const result = out.data();
  int flag = 0;
  int* const gate = &flag;
  ASSERT_EQ(run_kernel({},
                       [=]() mutable {
                         if (threadIdx.x == 0) {
                           // Exits only after all the others wait or have set the gate.
                           while (__atomic_load_n(gate, __ATOMIC_RELAXED) == 0) __nanosleep(10);
                           return;
                         }
                         if (threadIdx.x == 31) __atomic_store_n(gate, 1, __ATOMIC_RELAXED);
                         result[threadIdx.x] = __any_sync(all_lanes, threadIdx.x == 7);
                       }),
            cudaSuccess);
  for (unsigned lane = 1; lane < 32; ++lane) EXPECT_EQ(out[lane], 1);
}

TEST(warp_meeting, serves_overlapping_masks_one_after_the_other) {
  std::vector<int> out(3, -1);
  int* const result = out.data();
  ASSERT_EQ(run_kernel({.block = {3, 1, 1}},
                       [=]() mutable {
                         const int lane = static_cast<int>(threadIdx.x);
                         if (lane == 0) {
                           result[0] = __shfl_sync(0b011u, 100, 1);
                         } else if (lane == 1) {
                           const int from_2 = __shfl_sync(0b110u, 101, 2);
                           const int from_0 = __shfl_sync(0b011u, 201, 0);
                           result[1] = from_2 * 1000 + from_0;
                         } else {
                           result[2] = __shfl_sync(0b110u, 102, 1);
                         }
                       }),
            cudaSuccess);
  EXPECT_EQ(out, (std::vector<int>{201, 102100, 101}));
}

TEST(warp_meeting, returns_poison_for_a_missing_lane) {
  std::vector<float> out(32, 1.0f);
  float* const result = out.data();
  ASSERT_EQ(run_kernel({.block = {16, 1, 1}},
                       [=]() mutable { result[threadIdx.x] = __shfl_sync(all_lanes, 2.0f, 20); }),
            cudaSuccess);
  for (unsigned lane = 0; lane < 16; ++lane) EXPECT_NE(out[lane], out[lane]) << "not a NaN";
}

TEST(match, groups_lanes_by_bits) {
  std::vector<unsigned> out(64, 0);
  unsigned* const result = out.data();
  ASSERT_EQ(
      run_kernel({},
                 [=]() mutable {
                   const float values[4] = {0.0f, -0.0f, __builtin_nanf(""), __builtin_nanf("1")};
                   result[threadIdx.x] = __match_any_sync(all_lanes, values[threadIdx.x % 4]);
                   int all = -1;
                   result[32 + threadIdx.x] = __match_all_sync(all_lanes, 1ull << 40, &all) +
                                              static_cast<unsigned>(all - 1);
                 }),
      cudaSuccess);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], 0x11111111u << lane % 4);
    EXPECT_EQ(out[32 + lane], all_lanes);
  }
}

TEST(reduce, keeps_signs_and_wraps_around) {
  std::vector<int> out(32 * 3, 0);
  int* const result = out.data();
  ASSERT_EQ(run_kernel({},
                       [=]() mutable {
                         const int lane = static_cast<int>(threadIdx.x);
                         result[lane] = __reduce_min_sync(all_lanes, lane % 2 ? -lane : lane);
                         result[32 + lane] = __reduce_max_sync(all_lanes, -100 - lane);
                         result[64 + lane] = static_cast<int>(
                             __reduce_add_sync(all_lanes, 0xf0000000u + threadIdx.x));
                       }),
            cudaSuccess);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], -31);
    EXPECT_EQ(out[32 + lane], -100);
    EXPECT_EQ(static_cast<unsigned>(out[64 + lane]), 0xf0000000u * 32u + 496u);
  }
}

TEST(active_lanes, are_the_lanes_at_the_same_place) {
  std::vector<unsigned> out(32, 0);
  unsigned* const result = out.data();
  ASSERT_EQ(run_kernel({},
                       [=]() mutable {
                         if (threadIdx.x % 4 == 1) {
                           asm volatile("");  // these keep the two calls apart
                           result[threadIdx.x] = __activemask();
                           asm volatile("");
                         } else {
                           result[threadIdx.x] = __activemask();
                         }
                       }),
            cudaSuccess);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], lane % 4 == 1 ? 0x22222222u : 0xddddddddu) << lane;
  }
}

}  // namespace
