// Blocks whose lanes need each other only at barriers run as loops, and a fault still names its
// lane.
#include <heddle_host/lane_block.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <climits>
#include <numeric>
#include <vector>

#include "bounded_ints.hpp"
#include "run_kernel.hpp"

namespace {
using heddle_host::block_of_lanes;
using heddle_host::finding_kind;
using heddle_host::lane_in_row;
using heddle_host::lane_values;
using heddle_host::row_mode;

template <typename Body>
cudaError_t run_blocks(kernel_shape shape, Body body) {
  return run_kernel<heddle_host::lanes_between_barriers<false>>(shape, body);
}

// The same as fibers, as in a run that tools observe.
template <typename Body>
cudaError_t run_fibers(kernel_shape shape, Body body) {
  return run_kernel<heddle_host::any_lanes>(shape, body);
}

unsigned place_in_block(const lane_in_row& lane) {
  return lane.threadIdx.x +
         lane.blockDim.x * (lane.threadIdx.y + lane.blockDim.y * lane.threadIdx.z);
}

constexpr dim3 shapes[] = {dim3(1),        dim3(15),       dim3(16),      dim3(31),
                           dim3(32),       dim3(33),       dim3(1000),    dim3(16, 16),
                           dim3(8, 8, 8),  dim3(40, 3, 2), dim3(1, 1, 7), dim3(64, 1, 3),
                           dim3(17, 2, 5), dim3(50, 4, 1)};

// Each lane adds its own number, and then those of two others, in one of the three modes.
template <row_mode mode>
auto sums_of_neighbours(unsigned* sums, unsigned threads) {
  return [=](block_of_lanes& block) {
    struct slot {
      unsigned numbers[1024];
    };
    auto& numbers = heddle_host::shared_slot<slot>().numbers;
    lane_values<unsigned> own(block);
    block.run<mode>([&](lane_in_row lane) {
      if (lane.is_trying()) return;
      own[lane] = place_in_block(lane) * 3;
      numbers[place_in_block(lane)] = place_in_block(lane) + lane.blockIdx.x;
    });
    block.syncthreads();
    block.run<mode>([&](lane_in_row lane) {
      if (lane.is_trying()) return;
      const unsigned place = place_in_block(lane);
      sums[lane.blockIdx.x * threads + place] +=
          own[lane] + numbers[(place + 1) % threads] + numbers[(place + 50) % threads];
    });
  };
}

// As parameters usually are, `float* __restrict__ p`, that a lane changes.
void step_through(const int* __restrict__ from, int* __restrict__ to) {
  const auto body = [=](block_of_lanes& block) {
    lane_values<const int* __restrict__> mine(block);
    lane_values<int* __restrict__> made(block);
    block.run<row_mode::in_order>([&](lane_in_row lane) {
      mine[lane] = from + place_in_block(lane);
      made[lane] = to + place_in_block(lane);
    });
    block.syncthreads();
    block.run<row_mode::in_order>([&](lane_in_row lane) { *made[lane] = 2 * *mine[lane]; });
  };
  EXPECT_EQ(run_blocks({.block = {100}}, body), cudaSuccess);
}

TEST(lane_values, hold_restricted_pointers) {
  std::vector<int> from(100), to(100, -1);
  for (int i = 0; i < 100; ++i) from[i] = 7 * i;
  step_through(from.data(), to.data());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(to[i], 14 * i);
}

template <row_mode mode>
void check_sums() {
  for (const dim3 shape : shapes) {
    const unsigned threads = shape.x * shape.y * shape.z;
    std::vector<unsigned> expected(2 * threads), loops(2 * threads), fibers(2 * threads);
    for (unsigned i = 0; i < 2 * threads; ++i) {
      const unsigned place = i % threads, block = i / threads;
      expected[i] = 3 * place + (place + 1) % threads + (place + 50) % threads + 2 * block;
    }
    const kernel_shape launch{.grid = {2, 1, 1}, .block = shape};
    EXPECT_EQ(run_blocks(launch, sums_of_neighbours<mode>(loops.data(), threads)), cudaSuccess);
    EXPECT_EQ(run_fibers(launch, sums_of_neighbours<mode>(fibers.data(), threads)), cudaSuccess);
    EXPECT_EQ(loops, expected) << shape.x << ' ' << shape.y << ' ' << shape.z;
    EXPECT_EQ(fibers, expected) << shape.x << ' ' << shape.y << ' ' << shape.z;
  }
}

TEST(lane_block, runs_each_part_for_all_lanes) {
  check_sums<row_mode::in_order>();
  check_sums<row_mode::test_each>();
  check_sums<row_mode::test_ends>();
}

TEST(lane_block, says_whether_a_lane_has_entered) {
  for (const dim3 shape : shapes) {
    const unsigned threads = shape.x * shape.y * shape.z;
    std::vector<unsigned> rounds(threads);
    unsigned* const out = rounds.data();
    const auto body = [=](block_of_lanes& block) {
      lane_values<unsigned> left(block);
      block.run<row_mode::in_order>(
          [&](lane_in_row lane) { left[lane] = place_in_block(lane) % 7; });
      while (block.run<row_mode::test_each>([&](lane_in_row lane) {
        unsigned& mine = left[lane];
        if (lane.enters(mine != 0)) {
          --mine;
          ++out[place_in_block(lane)];
        }
      })) {
      }
    };
    EXPECT_EQ(run_blocks({.block = shape}, body), cudaSuccess);
    for (unsigned i = 0; i < threads; ++i) EXPECT_EQ(rounds[i], i % 7) << i;
    EXPECT_EQ(run_fibers({.block = shape}, body), cudaSuccess);
    for (unsigned i = 0; i < threads; ++i) EXPECT_EQ(rounds[i], 2 * (i % 7)) << i;
  }
}

TEST(lane_block, keeps_arrays_and_more_than_one_chunk) {
  struct large {
    int words[300];
  };
  std::vector<int> found(3 * 1024);
  int* const out = found.data();
  EXPECT_EQ(run_blocks({.grid = {3, 1, 1}, .block = {1024, 1, 1}},
                       [=](block_of_lanes& block) {
                         for (int round = 0; round < 3; ++round) {
                           lane_values<large> first(block), second(block);
                           lane_values<int[2]> third(block);
                           block.run<row_mode::in_order>([&](lane_in_row lane) {
                             const int x = static_cast<int>(lane.threadIdx.x);
                             first[lane].words[299] = x;
                             second[lane].words[0] = -x;
                             const int two[2] = {1, x};
                             third.copy(lane, two);
                           });
                           block.run<row_mode::in_order>([&](lane_in_row lane) {
                             out[1024 * lane.blockIdx.x + lane.threadIdx.x] =
                                 first[lane].words[299] + second[lane].words[0] +
                                 10 * third[lane][1] + third[lane][0];
                           });
                         }
                       }),
            cudaSuccess);
  for (int i = 0; i < 3 * 1024; ++i)
    EXPECT_EQ(found[static_cast<std::size_t>(i)], 10 * (i % 1024) + 1);
}

TEST(lane_block, updates_shared_memory_as_atomic_operations_do) {
  struct results {
    int sum, difference, least, most, both, any, odd;
    unsigned wrapped;
    float halves;
  };
  const auto of = [](auto run) {
    results made{INT_MAX, INT_MIN, 7, 7, -1, 0, 0, 3, 0};
    results* const all = &made;
    EXPECT_EQ(run({.block = {100, 1, 1}},
                  [=](block_of_lanes& block) {
                    block.run<row_mode::in_order>([&](lane_in_row lane) {
                      const int x = static_cast<int>(lane.threadIdx.x) - 50;
                      block.add(&all->sum, x + 60);
                      block.subtract(&all->difference, x + 60);
                      block.minimum(&all->least, x);
                      block.maximum(&all->most, x);
                      block.bit_and(&all->both, ~(x & 20));
                      block.bit_or(&all->any, x & 5);
                      block.bit_xor(&all->odd, x);
                      block.add(&all->wrapped, x);
                      block.add(&all->halves, 0.5f);
                    });
                  }),
              cudaSuccess);
    return made;
  };
  const results loops =
      of([](const kernel_shape& shape, auto body) { return run_blocks(shape, body); });
  const results fibers =
      of([](const kernel_shape& shape, auto body) { return run_fibers(shape, body); });
  EXPECT_EQ(loops.sum, fibers.sum);
  EXPECT_EQ(loops.difference, fibers.difference);
  EXPECT_EQ(loops.least, -50);
  EXPECT_EQ(loops.most, 49);
  EXPECT_EQ(loops.both, fibers.both);
  EXPECT_EQ(loops.any, 5);
  EXPECT_EQ(loops.odd, fibers.odd);
  EXPECT_EQ(loops.wrapped, fibers.wrapped);
  EXPECT_EQ(loops.halves, 50);
}

TEST(lane_block, names_the_lane_that_faults) {
  for (const unsigned bad : {0u, 1u, 31u, 32u, 45u, 70u, 199u}) {
    const bounded_ints memory(200 + bad);
    int* const p = memory.get();
    const int wrong = static_cast<int>(bad);
    collected_findings findings;
    EXPECT_EQ(run_blocks({.grid = {1, 1, 1}, .block = {50, 4, 1}},
                         [=](block_of_lanes& block) {
                           lane_values<int> place(block);
                           block.run<row_mode::in_order>([&](lane_in_row lane) {
                             place[lane] = static_cast<int>(place_in_block(lane));
                             p[place[lane]] = 1;
                           });
                           block.syncthreads();
                           block.run<row_mode::test_each>([&](lane_in_row lane) {
                             if (lane.is_trying()) return;
                             const int mine = place[lane];
                             p[mine == wrong ? 200 + mine : mine] += 1;
                           });
                         }),
              cudaErrorIllegalAddress);
    ASSERT_EQ(findings.all().size(), 1u);
    EXPECT_EQ(findings.all()[0].kind, finding_kind::out_of_bounds);
    ASSERT_EQ(findings.all()[0].places.size(), 1u);
    EXPECT_EQ(findings.all()[0].places[0].thread.x, bad % 50);
    EXPECT_EQ(findings.all()[0].places[0].thread.y, bad / 50);
    // The runtime can still run kernels.
    int sum = 0;
    int* const result = &sum;
    EXPECT_EQ(run_kernel({}, [=]() mutable { *result = __reduce_add_sync(~0u, 2); }), cudaSuccess);
    EXPECT_EQ(sum, 64);
  }
}

// The first run of the block may have changed what lanes load.
TEST(lane_block, names_no_lane_if_a_fault_does_not_happen_again_at_the_same_page) {
  const bounded_ints here(0), there(0);
  for (int* const next : {static_cast<int*>(nullptr), there.get()}) {
    collected_findings findings;
    static std::atomic<int*> target;
    target = here.get();
    EXPECT_EQ(run_blocks({.block = {64, 1, 1}},
                         [=](block_of_lanes& block) {
                           block.run<row_mode::in_order>([&](lane_in_row lane) {
                             if (lane.threadIdx.x != 40) return;
                             volatile int* const at = target.exchange(next);
                             if (at != nullptr) *at = 1;
                           });
                         }),
              cudaErrorIllegalAddress);
    ASSERT_EQ(findings.all().size(), 1u);
    EXPECT_TRUE(findings.all()[0].places.empty());
  }
}

TEST(lane_block, ends_after_the_time_limit) {
  collected_findings findings;
  std::vector<int> memory(1);
  int* const p = memory.data();
  EXPECT_EQ(run_blocks({.block = {64, 1, 1}},
                       [=](block_of_lanes& block) {
                         const unsigned step = block.gridDim.x - 1;
                         for (unsigned i = 0; i < block.blockDim.x; i += step)
                           block.run<row_mode::in_order>([&](lane_in_row) { *p = 3; });
                       }),
            cudaErrorLaunchTimeout);
  ASSERT_EQ(findings.all().size(), 1u);
  EXPECT_TRUE(findings.all()[0].places.empty());
}

// Each lane whose number has no remainder of 1 modulo `divisor` adds 1 before a barrier and 2
// after.
auto sums_of_those_that_stay(unsigned* sums, unsigned divisor) {
  return [=](block_of_lanes& block) {
    heddle_host::left_lanes left(block);
    block.run<row_mode::in_order>([&](lane_in_row lane) {
      if (lane.thread_rank() % divisor == 1 || divisor == 1) {
        left.add(lane);
        return;
      }
    });
    if (left.are_all()) return;
    for (unsigned k = 1; k <= 2; k += divisor == 1 ? 0 : 1) {  // endless without any lane
      block.run<row_mode::test_each>([&](lane_in_row lane) {
        if (lane.leaves(left[lane])) return;
        if (lane.is_trying()) return;
        sums[lane.blockIdx.x * lane.size() + lane.thread_rank()] += k;
      });
      block.syncthreads();
    }
  };
}

TEST(lane_block, runs_no_more_parts_for_lanes_that_have_returned) {
  for (const dim3 shape : shapes) {
    const unsigned threads = shape.x * shape.y * shape.z;
    for (const unsigned divisor : {1u, 2u, 3u, 40u}) {
      std::vector<unsigned> expected(2 * threads, 100), loops = expected, fibers = expected;
      for (unsigned i = 0; i < 2 * threads; ++i)
        if (divisor != 1 && i % threads % divisor != 1) expected[i] += 3;
      const kernel_shape launch{.grid = {2, 1, 1}, .block = shape};
      EXPECT_EQ(run_blocks(launch, sums_of_those_that_stay(loops.data(), divisor)), cudaSuccess);
      EXPECT_EQ(run_fibers(launch, sums_of_those_that_stay(fibers.data(), divisor)), cudaSuccess);
      EXPECT_EQ(loops, expected) << shape.x << ' ' << shape.y << ' ' << shape.z << ", " << divisor;
      EXPECT_EQ(fibers, expected) << shape.x << ' ' << shape.y << ' ' << shape.z << ", " << divisor;
    }
  }
}

}  // namespace
