// A lane that waits for another lane's store lets it run.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <vector>

#include <heddle_host/observer.hpp>
#include <heddle_host/progress.hpp>

#include "run_kernel.hpp"

namespace {

TEST(progress, a_spin_on_a_volatile_variable_lets_other_lanes_run) {
  int flags[2] = {0, 0};
  int* const flag = flags;
  ASSERT_EQ(run_kernel({.block = {64, 1, 1}},
                       [=]() mutable {
                         volatile int* const seen = flag;
                         if (threadIdx.x == 0) {
                           while (seen[0] == 0) {
                           }
                           seen[1] = 1;
                         } else if (threadIdx.x == 63) {
                           seen[0] = 1;
                           while (seen[1] == 0) {
                           }
                         }
                       }),
            cudaSuccess);
  EXPECT_EQ(flags[1], 1);
}

TEST(progress, a_loop_on_a_plain_variable_lets_other_lanes_run) {
  int flags[2] = {0, 0};
  int* const flag = flags;
  ASSERT_EQ(run_kernel({.block = {2, 1, 1}},
                       [=]() mutable {
                         if (threadIdx.x == 1) {
                           flag[0] = 1;
                           return;
                         }
                         // A plain variable; the compiler barrier makes the compiler reload it.
                         while (flag[0] == 0) asm volatile("" ::: "memory");
                         flag[1] = 1;
                       }),
            cudaSuccess);
  EXPECT_EQ(flags[1], 1);
}

TEST(progress, a_lock_within_a_warp_is_passed_on) {
  int lock = 0;
  int count = 0;
  int* const lock_word = &lock;
  int* const counter = &count;
  ASSERT_EQ(
      run_kernel({.grid = {4, 1, 1}, .block = {96, 1, 1}},
                 [=]() mutable {
                   for (int i = 0; i < 10; ++i) {
                     int expected = 0;
                     while (!__atomic_compare_exchange_n(lock_word, &expected, 1, false,
                                                         __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
                       expected = 0;
                       heddle_host::spin_hint();
                     }
                     const int seen = *counter;
                     heddle_host::yield();  // the worst moment for a preemption
                     *counter = seen + 1;
                     __atomic_store_n(lock_word, 0, __ATOMIC_RELEASE);
                   }
                 }),
      cudaSuccess);
  EXPECT_EQ(count, 4 * 96 * 10);
}

TEST(progress, a_block_can_wait_for_a_block_that_has_not_begun) {
  constexpr unsigned blocks = 9;
  int turn = blocks;
  int* const whose = &turn;
  ASSERT_EQ(run_kernel({.grid = {blocks, 1, 1}, .block = {33, 1, 1}},
                       [=]() mutable {
                         if (threadIdx.x != 32) return;
                         const int mine = static_cast<int>(blockIdx.x);
                         while (__atomic_load_n(whose, __ATOMIC_ACQUIRE) != mine + 1)
                           heddle_host::yield();
                         __atomic_store_n(whose, mine, __ATOMIC_RELEASE);
                       }),
            cudaSuccess);
  EXPECT_EQ(turn, 0);
}

class event_counter : public heddle_host::observer {
 public:
  void grid_begins(const heddle_host::launch_request&) override { ++grids; }
  void grid_ends(const heddle_host::launch_request&, cudaError_t error) override {
    grids_that_succeeded += error == cudaSuccess;
  }
  void block_begins(uint3) override { ++blocks_begun; }
  void block_ends(uint3) override { ++blocks_ended; }
  void lane_begins(const heddle_host::lane_identity& who) override {
    lanes_begun += 1 + who.thread.x - who.linear_thread;
  }
  void lane_ends(const heddle_host::lane_identity&) override { ++lanes_ended; }
  void warp_meets(uint3, unsigned, heddle_host::warp_operation operation, unsigned,
                  unsigned present) override {
    if (operation == heddle_host::warp_operation::shuffle_xor) {
      lanes_that_met += static_cast<unsigned>(__builtin_popcount(present));
    }
  }
  void block_meets(uint3, unsigned barrier) override { barriers += 1 + barrier; }

  std::atomic<unsigned> grids{0}, grids_that_succeeded{0}, blocks_begun{0}, blocks_ended{0},
      lanes_begun{0}, lanes_ended{0}, lanes_that_met{0}, barriers{0};
};

TEST(observer, gets_every_grid_block_lane_and_meeting) {
  event_counter seen;
  heddle_host::observe(&seen);
  ASSERT_EQ(run_kernel({.grid = {5, 1, 1}, .block = {70, 1, 1}},
                       [=]() mutable {
                         __shfl_xor_sync(0xffffffffu, 1, 1);
                         if (threadIdx.x < 60) __syncthreads();
                       }),
            cudaSuccess);
  heddle_host::observe(nullptr);
  EXPECT_EQ(seen.grids, 1u);
  EXPECT_EQ(seen.grids_that_succeeded, 1u);
  EXPECT_EQ(seen.blocks_begun, 5u);
  EXPECT_EQ(seen.blocks_ended, 5u);
  EXPECT_EQ(seen.lanes_begun, 350u);
  EXPECT_EQ(seen.lanes_ended, 350u);
  EXPECT_EQ(seen.lanes_that_met, 350u);
  EXPECT_EQ(seen.barriers, 5u);
  ASSERT_EQ(run_kernel({}, [] {}), cudaSuccess);
  EXPECT_EQ(seen.grids, 1u);
}

TEST(global_nanoseconds, count_from_1970_and_never_decrease) {
  const auto begin = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch());
  const unsigned long long first = heddle_host::global_nanoseconds();
  const double apart = static_cast<double>(first) - static_cast<double>(begin.count());
  EXPECT_LT(std::abs(apart), 3600e9) << "unless somebody sets the clock right now";
  unsigned long long before = first;
  for (int i = 0; i < 100'000; ++i) {
    const unsigned long long now = heddle_host::global_nanoseconds();
    ASSERT_GE(now, before);
    before = now;
  }
  EXPECT_GT(before, first);
}

}  // namespace
