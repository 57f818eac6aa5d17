// Grid synchronisation, clusters that share memory, and the ranks and sizes of both.
#include <cooperative_groups.h>

#include "expect.hpp"

namespace cg = cooperative_groups;

namespace {

struct grid_answers {
  unsigned long long rank, size, block_rank, blocks;
  dim3 index, extent, block_index;
};

__global__ void record_grid(grid_answers* out) {
  const cg::grid_group grid = cg::this_grid();
  grid_answers& mine = out[grid.thread_rank()];
  mine.rank = grid.thread_rank();
  mine.size = grid.size();
  mine.block_rank = grid.block_rank();
  mine.blocks = grid.num_blocks();
  mine.index = grid.thread_index();
  mine.extent = grid.dim_threads();
  mine.block_index = grid.block_index();
}

void test_ranks() {
  const dim3 blocks(2, 3, 2), shape(4, 2, 4);
  constexpr unsigned count = 12 * 32;
  device_array<grid_answers> out(count, grid_answers{});
  record_grid<<<blocks, shape>>>(out.get());
  finish_kernels("record_grid");
  const std::vector<grid_answers> got = out.read();
  unsigned wrong = 0;
  for (unsigned bz = 0, rank = 0; bz < blocks.z; ++bz) {
    for (unsigned by = 0; by < blocks.y; ++by) {
      for (unsigned bx = 0; bx < blocks.x; ++bx) {
        for (unsigned tz = 0; tz < shape.z; ++tz) {
          for (unsigned ty = 0; ty < shape.y; ++ty) {
            for (unsigned tx = 0; tx < shape.x; ++tx, ++rank) {
              const grid_answers& one = got[rank];
              wrong +=
                  !(one.rank == rank && one.size == count && one.block_rank == rank / 32 &&
                    one.blocks == 12 && one.index.x == bx * 4 + tx && one.index.y == by * 2 + ty &&
                    one.index.z == bz * 4 + tz && one.extent.x == 8 && one.extent.y == 6 &&
                    one.extent.z == 8 && one.block_index.x == bx && one.block_index.y == by &&
                    one.block_index.z == bz);
            }
          }
        }
      }
    }
  }
  expect("a grid of three dimensions knows its ranks", wrong == 0,
         wrong == 0 ? "" : std::to_string(wrong) + " threads are wrong");
}

// In each round, every thread reads what a thread of another block wrote in the previous round.
__global__ void pass_around(int* front, int* back, int rounds, int* is_valid) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned long long count = grid.size(), rank = grid.thread_rank();
  const unsigned long long from = (rank + blockDim.x + 1) % count;
  if (rank == 0) *is_valid = grid.is_valid();
  for (int round = 0; round < rounds; ++round) {
    back[rank] = front[from] + 1;
    if (round % 2 == 0) {
      grid.sync();
    } else {
      cg::grid_group::arrival_token token = grid.barrier_arrive();
      grid.barrier_wait(static_cast<cg::grid_group::arrival_token&&>(token));
    }
    int* const swapped = front;
    front = back;
    back = swapped;
  }
}

void test_sync() {
  int blocks_per_multiprocessor = 0, multiprocessors = 0;
  must(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_multiprocessor, pass_around, 64, 0),
      "occupancy");
  must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "attribute");
  int blocks = blocks_per_multiprocessor * multiprocessors;
  if (blocks > 16) blocks = 16;
  const unsigned count = blocks * 64;
  int rounds = 9;
  std::vector<int> start(count);
  for (unsigned i = 0; i < count; ++i) start[i] = static_cast<int>(i) * 100;
  device_array<int> a(start), b(count, 0), is_valid(1, -1);
  int *front = a.get(), *back = b.get(), *valid = is_valid.get();
  void* arguments[] = {&front, &back, &rounds, &valid};
  must(cudaLaunchCooperativeKernel(pass_around, dim3(blocks), dim3(64), arguments, 0, nullptr),
       "cudaLaunchCooperativeKernel");
  finish_kernels("pass_around");
  std::vector<int> want(count);
  for (unsigned i = 0; i < count; ++i) {
    want[i] = start[(i + static_cast<unsigned>(rounds) * 65) % count] + rounds;
  }
  expect_equal("blocks of a cooperative grid meet in every round", b.read(), want);
  expect_value("a cooperative grid is valid", is_valid.read()[0], 1);
}

struct cluster_answers {
  unsigned block_rank, blocks, rank, size, query, erased_size;
  int from_next;
  unsigned long long cluster_rank, clusters;
};

__global__ void __cluster_dims__(2, 1, 1) record_cluster(cluster_answers* out) {
  __shared__ int number;
  const cg::cluster_group cluster = cg::this_cluster();
  const cg::thread_group erased = cluster;
  if (threadIdx.x == 0) number = 1000 + static_cast<int>(blockIdx.x);
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  int* const other = cluster.map_shared_rank(&number, next);
  cluster_answers mine{};
  mine.block_rank = cluster.block_rank();
  mine.blocks = cluster.num_blocks();
  mine.rank = cluster.thread_rank();
  mine.size = cluster.num_threads();
  mine.query = cluster.query_shared_rank(other);
  mine.erased_size = static_cast<unsigned>(erased.size());
  mine.from_next = *other;
  mine.cluster_rank = cg::this_grid().cluster_rank();
  mine.clusters = cg::this_grid().num_clusters();
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine;
  // No block exits while its shared memory is being read.
  cg::cluster_group::arrival_token token = cluster.barrier_arrive();
  cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token&&>(token));
}

void test_cluster() {
  constexpr unsigned blocks = 6, threads = 40;
  device_array<cluster_answers> out(blocks * threads, cluster_answers{});
  record_cluster<<<blocks, threads>>>(out.get());
  finish_kernels("record_cluster");
  const std::vector<cluster_answers> got = out.read();
  unsigned wrong = 0;
  for (unsigned i = 0; i < blocks * threads; ++i) {
    const unsigned block = i / threads;
    const cluster_answers& one = got[i];
    wrong += !(one.block_rank == block % 2 && one.blocks == 2 &&
               one.rank == block % 2 * threads + i % threads && one.size == 2 * threads &&
               one.query == (block + 1) % 2 && one.erased_size == 2 * threads &&
               one.from_next == static_cast<int>(1000 + (block ^ 1)) &&
               one.cluster_rank == block / 2 && one.clusters == blocks / 2);
  }
  expect("blocks of a cluster know their ranks and read each other's shared memory", wrong == 0,
         wrong == 0 ? "" : std::to_string(wrong) + " threads are wrong");
}

}  // namespace

int main() {
  test_ranks();
  test_sync();
  test_cluster();
  return report();
}
