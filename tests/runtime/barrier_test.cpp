// Barriers of blocks, tiles, clusters and grids: their threads wait for each other and for nobody
// else.
#include <gtest/gtest.h>

#include <vector>

#include <heddle_host/barrier.hpp>

#include "run_kernel.hpp"

namespace {

TEST(block_barrier, separates_writes_from_reads_in_every_round) {
  constexpr unsigned threads = 200;
  std::vector<int> wrong(3 * threads, -1);
  int* const result = wrong.data();
  ASSERT_EQ(run_kernel({.grid = {3, 1, 1}, .block = {threads, 1, 1}},
                       [=]() mutable {
                         struct slot {
                           unsigned values[threads];
                         };
                         auto& values = heddle_host::shared_slot<slot>().values;
                         int mistakes = 0;
                         for (unsigned round = 0; round < 20; ++round) {
                           values[threadIdx.x] = blockIdx.x * 10'000 + round * 300 + threadIdx.x;
                           __syncthreads();
                           const unsigned other = (threadIdx.x + 37 * round + 1) % threads;
                           mistakes += values[other] != blockIdx.x * 10'000 + round * 300 + other;
                           __syncthreads();
                         }
                         result[blockIdx.x * threads + threadIdx.x] = mistakes;
                       }),
            cudaSuccess);
  EXPECT_EQ(wrong, std::vector<int>(3 * threads, 0));
}

TEST(block_barrier, counts_predicates_of_the_remaining_threads) {
  std::vector<int> out(100 * 3, -1);
  int* const result = out.data();
  ASSERT_EQ(run_kernel({.block = {100, 1, 1}},
                       [=]() mutable {
                         if (threadIdx.x >= 90) return;
                         result[threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0);
                         result[100 + threadIdx.x] = __syncthreads_and(threadIdx.x < 90);
                         result[200 + threadIdx.x] = __syncthreads_or(threadIdx.x == 95);
                       }),
            cudaSuccess);
  for (std::size_t thread = 0; thread < 90; ++thread) {
    EXPECT_EQ(out[thread], 30);
    EXPECT_EQ(out[100 + thread], 1);
    EXPECT_EQ(out[200 + thread], 0);
  }
}

TEST(named_barrier, waits_only_for_the_counted_threads) {
  std::vector<int> out(96, -1);
  int* const result = out.data();
  ASSERT_EQ(run_kernel({.block = {96, 1, 1}},
                       [=]() mutable {
                         struct slot {
                           int box;
                         };
                         auto& box = heddle_host::shared_slot<slot>().box;
                         const unsigned warp = threadIdx.x / 32;
                         if (warp == 2) {
                           result[threadIdx.x] = 2;  // takes no part
                           return;
                         }
                         if (threadIdx.x == 0) box = 77;
                         __barrier_sync_count(3, 64);
                         result[threadIdx.x] = box;
                         __barrier_sync_count(3, 64);
                       }),
            cudaSuccess);
  for (std::size_t thread = 0; thread < 96; ++thread) EXPECT_EQ(out[thread], thread < 64 ? 77 : 2);
}

TEST(tile_gather, exchanges_values_within_each_tile) {
  std::vector<unsigned long long> out(256, ~0ull);
  auto* const result = out.data();
  ASSERT_EQ(run_kernel({.block = {256, 1, 1}},
                       [=]() mutable {
                         const unsigned first = threadIdx.x / 64 * 64;
                         unsigned long long sum = 0;
                         for (unsigned round = 0; round < 5; ++round) {
                           const auto* values =
                               heddle_host::tile_gather(first, 64, threadIdx.x * round);
                           for (unsigned i = 0; i < 64; ++i) sum += values[i];
                         }
                         result[threadIdx.x] = sum;
                       }),
            cudaSuccess);
  for (std::size_t thread = 0; thread < 256; ++thread) {
    const std::size_t first = thread / 64 * 64;
    EXPECT_EQ(out[thread], (first * 64 + 2016) * 10) << thread;
  }
}

TEST(grid_barrier, lets_more_blocks_than_workers_meet_in_every_round) {
  constexpr unsigned blocks = 37;
  std::vector<int> values(blocks, 0);
  std::vector<int> wrong(blocks, -1);
  int* const shared_values = values.data();
  int* const result = wrong.data();
  ASSERT_EQ(run_kernel({.grid = {blocks, 1, 1}, .block = {40, 1, 1}, .is_cooperative = true},
                       [=]() mutable {
                         int mistakes = 0;
                         for (int round = 1; round <= 25; ++round) {
                           if (threadIdx.x == 0) {
                             __atomic_store_n(&shared_values[blockIdx.x],
                                              round * 100 + static_cast<int>(blockIdx.x),
                                              __ATOMIC_RELAXED);
                           }
                           heddle_host::grid_barrier();
                           const unsigned other = (blockIdx.x + 1 + threadIdx.x) % blocks;
                           mistakes += __atomic_load_n(&shared_values[other], __ATOMIC_RELAXED) !=
                                       round * 100 + static_cast<int>(other);
                           heddle_host::grid_barrier();
                         }
                         const int all = __syncthreads_count(mistakes == 0);
                         if (threadIdx.x == 0) result[blockIdx.x] = 40 - all;
                       }),
            cudaSuccess);
  EXPECT_EQ(wrong, std::vector<int>(blocks, 0));
}

TEST(cluster, blocks_see_each_others_shared_memory) {
  constexpr unsigned blocks = 12;
  std::vector<unsigned> out(blocks * 64, ~0u);
  unsigned* const result = out.data();
  ASSERT_EQ(run_kernel({.grid = {blocks, 1, 1}, .block = {64, 1, 1}, .cluster = {4, 1, 1}},
                       [=]() mutable {
                         struct slot {
                           unsigned values[64];
                         };
                         auto& values = heddle_host::shared_slot<slot>().values;
                         values[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
                         heddle_host::cluster_arrive();
                         heddle_host::cluster_wait();
                         const unsigned rank = heddle_host::block_rank_in_cluster();
                         const auto* other = static_cast<const unsigned*>(
                             heddle_host::map_shared_rank(values, (rank + 1) % 4));
                         result[blockIdx.x * 64 + threadIdx.x] = other[63 - threadIdx.x];
                         // No block exits while a neighbour may still read its memory.
                         heddle_host::cluster_arrive();
                         heddle_host::cluster_wait();
                       }),
            cudaSuccess);
  for (unsigned block = 0; block < blocks; ++block) {
    const unsigned neighbour = block / 4 * 4 + (block + 1) % 4;
    for (unsigned thread = 0; thread < 64; ++thread) {
      EXPECT_EQ(out[block * 64 + thread], neighbour * 100 + 63 - thread);
    }
  }
}

}  // namespace
