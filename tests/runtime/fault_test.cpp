// A kernel that fails leaves a finding with its place, and the runtime can run other kernels.
#include <gtest/gtest.h>

#include <cassert>
#include <chrono>
#include <vector>

#include <heddle_host/barrier.hpp>
#include <heddle_host/progress.hpp>

#include "run_kernel.hpp"

namespace {
using heddle_host::activity;
using heddle_host::finding_cause;
using heddle_host::finding_kind;

class fault : public testing::Test {
 protected:
  // The runtime must still work: blocks with waiting lanes give the right answer.
  void TearDown() override {
    std::vector<int> out(128, -1);
    int* const result = out.data();
    ASSERT_EQ(run_kernel({.grid = {2, 1, 1}, .block = {64, 1, 1}},
                         [=]() mutable {
                           const int sum =
                               __reduce_add_sync(0xffffffffu, static_cast<int>(threadIdx.x));
                           result[blockIdx.x * 64 + threadIdx.x] = sum + __syncthreads_count(1);
                         }),
              cudaSuccess);
    for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(out[i], (i % 64 < 32 ? 496 : 1520) + 64);
    EXPECT_EQ(findings.all().size(), 1u);
  }
  const heddle_host::finding& only() { return findings.all().at(0); }
  collected_findings findings;
};

// The test does what the undefined-behaviour sanitizer would report.
__attribute__((no_sanitize("undefined"))) void store(int* where) { *where = 1; }

TEST_F(fault, names_the_lane_of_a_null_pointer_access) {
  int* const nowhere = nullptr;
  EXPECT_EQ(run_kernel({.grid = {4, 1, 1}, .block = {8, 8, 1}},
                       [=]() mutable {
                         if (blockIdx.x == 2 && threadIdx.y == 5 && threadIdx.x == 3)
                           store(nowhere);
                         __syncthreads();
                       }),
            cudaErrorIllegalAddress);
  EXPECT_EQ(only().kind, finding_kind::out_of_bounds);
  EXPECT_EQ(only().cause, finding_cause::unmapped);
  ASSERT_TRUE(std::holds_alternative<heddle_host::raised_signal>(only().fact));
  EXPECT_EQ(std::get<heddle_host::raised_signal>(only().fact).address, 0u);
  ASSERT_EQ(only().places.size(), 1u);
  EXPECT_EQ(only().places[0].block.x, 2u);
  EXPECT_EQ(only().places[0].thread.x, 3u);
  EXPECT_EQ(only().places[0].thread.y, 5u);
  EXPECT_EQ(only().places[0].warp, 1u);
  EXPECT_EQ(only().places[0].lane, 11u);
}

int fall(int depth, const volatile bool& goes_on) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return goes_on ? fall(depth + 1, goes_on) + frame[0] : 0;
}

TEST_F(fault, distinguishes_endless_recursion_from_a_wild_pointer) {
  EXPECT_EQ(run_kernel({},
                       [=]() mutable {
                         const volatile bool forever = true;
                         if (threadIdx.x == 9) fall(0, forever);
                         __syncwarp();
                       }),
            cudaErrorLaunchFailure);
  EXPECT_EQ(only().kind, finding_kind::stack_overflow);
  EXPECT_TRUE(std::holds_alternative<heddle_host::stack_limit>(only().fact));
  EXPECT_EQ(only().places.at(0).lane, 9u);
}

TEST_F(fault, contains_the_condition_of_a_failed_assertion) {
  EXPECT_EQ(run_kernel({},
                       [=]() mutable {
                         const bool everything_is_fine = threadIdx.x != 4;
                         assert(everything_is_fine);
                       }),
            cudaErrorAssert);
  EXPECT_EQ(only().kind, finding_kind::assertion);
  ASSERT_TRUE(std::holds_alternative<heddle_host::failed_assertion>(only().fact));
  EXPECT_EQ(std::get<heddle_host::failed_assertion>(only().fact).condition, "everything_is_fine");
}

TEST_F(fault, ends_lanes_that_spin_in_other_blocks_after_a_trap) {
  EXPECT_EQ(run_kernel({.grid = {6, 1, 1}},
                       [=]() mutable {
                         if (blockIdx.x == 3) __trap();
                         for (;;) heddle_host::yield();
                       }),
            cudaErrorLaunchFailure);
  EXPECT_EQ(only().kind, finding_kind::trap);
}

TEST_F(fault, lists_which_lanes_wait_where_in_a_deadlock) {
  EXPECT_EQ(run_kernel({.block = {64, 1, 1}},
                       [=]() mutable {
                         if (threadIdx.x < 20) {
                           __syncwarp();
                         } else {
                           __syncthreads();
                         }
                       }),
            cudaErrorLaunchTimeout);
  EXPECT_EQ(only().kind, finding_kind::deadlock);
  ASSERT_EQ(only().places.size(), 64u);
  for (const auto& place : only().places) {
    EXPECT_EQ(place.doing, place.thread.x < 20 ? activity::exchanging : activity::at_block_barrier);
    EXPECT_EQ(place.mask, place.thread.x < 20 ? 0xffffffffu : 0u);
  }
}

TEST_F(fault, reports_a_deadlock_if_a_block_never_reaches_the_grid_barrier) {
  EXPECT_EQ(run_kernel({.grid = {5, 1, 1}, .is_cooperative = true},
                       [=]() mutable {
                         if (blockIdx.x != 1) heddle_host::grid_barrier();
                       }),
            cudaErrorLaunchTimeout);
  EXPECT_EQ(only().kind, finding_kind::deadlock);
}

TEST_F(fault, reports_an_api_error_for_a_grid_barrier_without_a_cooperative_launch) {
  EXPECT_EQ(run_kernel({}, [=]() mutable { heddle_host::grid_barrier(); }), cudaErrorLaunchFailure);
  EXPECT_EQ(only().kind, finding_kind::api_error);
  EXPECT_EQ(only().cause, finding_cause::not_cooperative);
}

TEST_F(fault, reports_a_caller_outside_its_mask) {
  EXPECT_EQ(run_kernel({}, [=]() mutable { __ballot_sync(0x0000ffffu, 1); }),
            cudaErrorLaunchFailure);
  EXPECT_EQ(only().kind, finding_kind::mask);
  EXPECT_EQ(only().cause, finding_cause::caller_outside_mask);
  EXPECT_EQ(only().places.at(0).lane, 16u);
}

TEST_F(fault, reports_lanes_of_one_mask_in_different_operations) {
  EXPECT_EQ(run_kernel({},
                       [=]() mutable {
                         if (threadIdx.x % 2) {
                           __ballot_sync(0xffffffffu, 1);
                         } else {
                           __any_sync(0xffffffffu, 1);
                         }
                       }),
            cudaErrorLaunchFailure);
  EXPECT_EQ(only().kind, finding_kind::mask);
}

TEST_F(fault, reports_a_kernel_without_progress_as_unfinished_after_the_time_limit) {
  EXPECT_EQ(run_kernel({.grid = {3, 1, 1}, .block = {40, 1, 1}},
                       [=]() mutable {
                         for (volatile int forever = 1; forever == 1;) {
                         }
                       }),
            cudaErrorLaunchTimeout);
  EXPECT_EQ(only().kind, finding_kind::unfinished);
}

TEST(slow_kernel, is_not_stopped_by_the_time_limit_while_its_lanes_meet) {
  using clock = std::chrono::steady_clock;
  const clock::time_point end = clock::now() + std::chrono::seconds(3);
  EXPECT_EQ(run_kernel({.grid = {1, 1, 1}, .block = {32, 1, 1}},
                       [=]() mutable {
                         while (__any_sync(0xffffffffu, clock::now() < end)) {
                         }
                       }),
            cudaSuccess);
}

// Several lanes for each worker, so that they are preempted, and none of them ever waits.
TEST(slow_kernel, is_not_stopped_by_the_time_limit_while_its_lanes_compute) {
  using clock = std::chrono::steady_clock;
  const clock::time_point end = clock::now() + std::chrono::seconds(3);
  EXPECT_EQ(run_kernel({.grid = {2, 1, 1}, .block = {8, 1, 1}},
                       [=]() mutable {
                         for (volatile double x = threadIdx.x; clock::now() < end;)
                           for (int i = 0; i < 1000; ++i) x = x * 1.0000001 + 1;
                       }),
            cudaSuccess);
}

// Each worker switches between several blocks, so the watchdog sees another one each time.
TEST_F(fault, reports_more_spinning_blocks_than_workers_after_the_time_limit) {
  EXPECT_EQ(run_kernel({.grid = {32, 1, 1}, .block = {32, 1, 1}},
                       [=]() mutable {
                         for (volatile int forever = 1; forever == 1;) heddle_host::yield();
                       }),
            cudaErrorLaunchTimeout);
  EXPECT_EQ(only().kind, finding_kind::unfinished);
}

}  // namespace
