// Lanes that need no other lane run as a loop, many at once, and a fault still names its lane.
#include <heddle_host/lane_row.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <set>
#include <vector>

#include <heddle_host/turn.hpp>

#include "bounded_ints.hpp"
#include "run_kernel.hpp"

namespace {
using heddle_host::finding_kind;
using heddle_host::lane_in_row;
using heddle_host::row_mode;

template <row_mode mode, typename Body>
cudaError_t run_rows(kernel_shape shape, Body body) {
  return run_kernel<heddle_host::independent_lanes<mode, false>>(shape, body);
}

unsigned place_in_grid(const lane_in_row& lane) {
  const unsigned block = lane.blockIdx.x + lane.gridDim.x * lane.blockIdx.y;
  const unsigned thread =
      lane.threadIdx.x + lane.blockDim.x * (lane.threadIdx.y + lane.blockDim.y * lane.threadIdx.z);
  return thread + block * lane.blockDim.x * lane.blockDim.y * lane.blockDim.z;
}

TEST(lane_row, runs_each_lane_once_in_blocks_of_any_shape) {
  for (const dim3 block : {dim3(1), dim3(31), dim3(32), dim3(33), dim3(256), dim3(1000),
                           dim3(32, 2), dim3(40, 3, 2), dim3(16), dim3(15, 2), dim3(16, 16),
                           dim3(50, 4), dim3(65), dim3(8, 8, 8), dim3(1, 1, 7), dim3(64, 1, 3)}) {
    const unsigned threads = 6 * block.x * block.y * block.z;
    std::vector<int> alone(threads), together(threads);
    int *const first = alone.data(), *const second = together.data();
    const kernel_shape shape{.grid = {3, 2, 1}, .block = block};
    EXPECT_EQ(run_rows<row_mode::one_by_one>(
                  shape, [=](lane_in_row lane) { ++first[place_in_grid(lane)]; }),
              cudaSuccess);
    const auto body = [=](lane_in_row lane) {
      const int i = lane.index<int>(0, static_cast<int>(place_in_grid(lane)));
      if (lane.is_trying()) return;
      ++second[i];
    };
    EXPECT_EQ(run_rows<row_mode::test_each>(shape, body), cudaSuccess);
    EXPECT_EQ(alone, std::vector<int>(threads, 1)) << block.x << ' ' << block.y << ' ' << block.z;
    EXPECT_EQ(together, alone) << block.x << ' ' << block.y << ' ' << block.z;
  }
}

TEST(lane_row, skips_lanes_that_fail_a_test) {
  for (int n = 0; n < 300; n += 7) {
    std::vector<int> entered(300), stayed(300);
    int *const first = entered.data(), *const second = stayed.data();
    const kernel_shape shape{.grid = {2, 1, 1}, .block = {150, 1, 1}};
    EXPECT_EQ(run_rows<row_mode::test_each>(
                  shape,
                  [=](lane_in_row lane) {
                    const int i = lane.index<int>(
                        0, static_cast<int>(lane.blockIdx.x * 150 + lane.threadIdx.x));
                    if (lane.enters(i < n)) first[i] += i;
                  }),
              cudaSuccess);
    EXPECT_EQ(run_rows<row_mode::test_each>(
                  shape,
                  [=](lane_in_row lane) {
                    const int i = lane.index<int>(
                        0, static_cast<int>(lane.blockIdx.x * 150 + lane.threadIdx.x));
                    if (lane.leaves(i >= n)) return;
                    if (lane.leaves(i % 5 == 2)) return;
                    if (lane.is_trying()) return;
                    second[i] += i;
                  }),
              cudaSuccess);
    for (int i = 0; i < 300; ++i) {
      EXPECT_EQ(entered[static_cast<std::size_t>(i)], i < n ? i : 0) << n;
      EXPECT_EQ(stayed[static_cast<std::size_t>(i)], i < n && i % 5 != 2 ? i : 0) << n;
    }
  }
}

TEST(lane_row, tests_only_the_ends_if_that_suffices) {
  for (const int n : {0, 1, 15, 16, 17, 31, 32, 64, 99, 100}) {
    std::vector<int> found(100);
    int* const out = found.data();
    EXPECT_EQ(run_rows<row_mode::test_ends>({.block = {100, 1, 1}},
                                            [=](lane_in_row lane) {
                                              const int i = lane.index<int>(
                                                  0, static_cast<int>(lane.threadIdx.x));
                                              if (lane.enters(i < n)) out[i] += 1;
                                            }),
              cudaSuccess);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)], i < n ? 1 : 0) << n;
  }
}

TEST(lane_row, computes_each_index_if_indices_do_not_grow_by_one) {
  std::vector<long> found(128);
  long* const out = found.data();
  const auto check = [&](auto of_thread) {
    EXPECT_EQ(run_rows<row_mode::test_each>({.block = {128, 1, 1}},
                                            [=](lane_in_row lane) {
                                              const auto value = of_thread(lane.threadIdx.x);
                                              const auto i =
                                                  lane.index<decltype(of_thread(0u))>(0, value);
                                              if (lane.is_trying()) return;
                                              out[lane.threadIdx.x] = static_cast<long>(i);
                                            }),
              cudaSuccess);
    for (unsigned x = 0; x < 128; ++x) EXPECT_EQ(found[x], static_cast<long>(of_thread(x))) << x;
  };
  check([](unsigned x) { return static_cast<int>(x * x % 50); });
  check([](unsigned x) { return static_cast<int>(x) - 70; });
  check([](unsigned x) { return static_cast<int>(0x7fffffb0u + x); });  // wraps around
  check([](unsigned x) { return 0xffffffb0u + x; });
  check([](unsigned x) { return x < 40 ? x : x + 1; });
  check([](unsigned x) { return std::numeric_limits<long>::max() - 200 + static_cast<long>(x); });
}

TEST(lane_row, gives_each_lane_its_own_parameters) {
  std::vector<int> found(64);
  int* out = found.data();
  int n = 5;
  EXPECT_EQ(run_rows<row_mode::test_each>({.block = {64, 1, 1}},
                                          [=](lane_in_row lane) mutable {
                                            if (lane.is_trying()) return;
                                            out += lane.threadIdx.x;
                                            n += static_cast<int>(lane.threadIdx.x);
                                            *out = n;
                                          }),
            cudaSuccess);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)], 5 + i);
}

TEST(lane_row, names_the_lane_that_faults) {
  for (const unsigned bad : {0u, 1u, 31u, 32u, 45u, 63u, 70u, 199u}) {
    const bounded_ints memory(100 + bad);
    int* const p = memory.get();
    const kernel_shape shape{.grid = {1, 1, 1}, .block = {100, 2, 1}};
    for (const bool is_together : {false, true}) {
      collected_findings findings;
      const auto body = [=](lane_in_row lane) {
        const int i =
            lane.index<int>(0, static_cast<int>(lane.threadIdx.x + 100 * lane.threadIdx.y));
        if (lane.is_trying()) return;
        p[100 + i] += 1;
      };
      EXPECT_EQ(is_together ? run_rows<row_mode::test_each>(shape, body)
                            : run_rows<row_mode::one_by_one>(shape, body),
                cudaErrorIllegalAddress);
      ASSERT_EQ(findings.all().size(), 1u);
      EXPECT_EQ(findings.all()[0].kind, finding_kind::out_of_bounds);
      ASSERT_EQ(findings.all()[0].places.size(), 1u);
      EXPECT_EQ(findings.all()[0].places[0].thread.x, bad % 100);
      EXPECT_EQ(findings.all()[0].places[0].thread.y, bad / 100);
      EXPECT_EQ(findings.all()[0].places[0].lane, bad % 32);
      // The runtime can still run kernels.
      int sum = 0;
      int* const result = &sum;
      EXPECT_EQ(run_kernel({}, [=]() mutable { *result = __reduce_add_sync(~0u, 2); }),
                cudaSuccess);
      EXPECT_EQ(sum, 64);
    }
  }
}

TEST(lane_row, names_no_lane_if_a_fault_does_not_happen_again) {
  collected_findings findings;
  static std::atomic<bool> has_faulted;
  has_faulted = false;
  // Not null, which the undefined-behaviour sanitizer would report.
  auto* const target = reinterpret_cast<volatile int*>(alignof(int));
  // The frontend would not call this predictable.
  EXPECT_EQ(run_rows<row_mode::test_each>({.block = {64, 1, 1}},
                                          [=](lane_in_row lane) {
                                            if (lane.is_trying() || lane.threadIdx.x != 40) return;
                                            if (!has_faulted.exchange(true)) *target = 1;
                                          }),
            cudaErrorIllegalAddress);
  ASSERT_EQ(findings.all().size(), 1u);
  EXPECT_TRUE(findings.all()[0].places.empty());
}

TEST(lane_row, ends_after_the_time_limit) {
  collected_findings findings;
  std::vector<int> memory(1);
  int* const p = memory.data();
  EXPECT_EQ(run_rows<row_mode::one_by_one>({.block = {64, 1, 1}},
                                           [=](lane_in_row lane) {
                                             const unsigned step = lane.gridDim.x - 1;
                                             for (unsigned i = 0; i < lane.threadIdx.x; i += step)
                                               *p = 3;
                                           }),
            cudaErrorLaunchTimeout);
  ASSERT_EQ(findings.all().size(), 1u);
  EXPECT_EQ(findings.all()[0].places.at(0).thread.x, 1u);
}

TEST(turns, let_the_lanes_of_a_block_advance_together) {
  std::vector<int> order;
  std::vector<int>* const seen = &order;
  EXPECT_EQ(run_kernel({.block = {40, 1, 1}},
                       [=]() mutable {
                         unsigned left = heddle_host::iterations_per_turn;
                         for (unsigned i = 0; i < 3 * heddle_host::iterations_per_turn; ++i) {
                           if (i % heddle_host::iterations_per_turn == 0)
                             seen->push_back(static_cast<int>(threadIdx.x));
                           heddle_host::end_iteration(left);
                         }
                       }),
            cudaSuccess);
  ASSERT_EQ(order.size(), 120u);
  for (std::size_t round = 0; round < 3; ++round) {  // each lane once, in any order
    const std::set<int> lanes(order.begin() + static_cast<long>(40 * round),
                              order.begin() + static_cast<long>(40 * round + 40));
    EXPECT_EQ(lanes.size(), 40u) << round;
  }
}

TEST(turns, do_nothing_outside_lanes) {
  unsigned left = 1;
  heddle_host::end_iteration(left);
  EXPECT_EQ(left, heddle_host::iterations_per_turn);
}

TEST(turns, do_not_split_lanes_that_ask_who_is_active) {
  std::vector<unsigned> masks(32);
  unsigned* const out = masks.data();
  EXPECT_EQ(run_kernel({.block = {32, 1, 1}},
                       [=]() mutable {
                         unsigned left = heddle_host::iterations_per_turn;
                         for (unsigned i = 0; i < 100 * threadIdx.x; ++i)
                           heddle_host::end_iteration(left);
                         out[threadIdx.x] = __activemask();
                       }),
            cudaSuccess);
  EXPECT_EQ(masks, std::vector<unsigned>(32, ~0u));
}

}  // namespace
