// thread_block and thread_block_tile of 1 to 32 lanes: ranks, shuffles, votes and matches.
#include <cooperative_groups.h>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;
namespace cg = cooperative_groups;

template <int Size>
__global__ void tile_ranks(unsigned* results) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  unsigned* const row = results + rank_in_grid() * 5;
  row[0] = tile.thread_rank();
  row[1] = tile.size();
  row[2] = tile.num_threads();
  row[3] = tile.meta_group_rank();
  row[4] = tile.meta_group_size();
}

template <int Size>
void show_ranks() {
  const buffer<unsigned> results(2 * 96 * 5);
  tile_ranks<Size><<<2, dim3(12, 8)>>>(results);
  show(std::to_string(Size).c_str(), results);
}

CASE(tile_ranks_of_every_size) {
  show_ranks<1>();
  show_ranks<2>();
  show_ranks<4>();
  show_ranks<8>();
  show_ranks<16>();
  show_ranks<32>();
}

template <int Size>
__global__ void tile_shuffles(unsigned* results) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned mine = mix(rank_in_grid());
  const unsigned rank = tile.thread_rank();
  unsigned* const row = results + rank_in_grid() * 4;
  row[0] = tile.shfl(mine, Size - 1 - rank);
  row[1] = tile.shfl_up(mine, 1);
  row[2] = tile.shfl_down(mine, 1);
  row[3] = tile.shfl_xor(mine, Size / 2);
}

template <int Size>
void show_tile_shuffles() {
  const buffer<unsigned> results(2 * 64 * 4);
  tile_shuffles<Size><<<2, 64>>>(results);
  show(std::to_string(Size).c_str(), results);
}

CASE(tile_shuffles_of_every_size) {
  show_tile_shuffles<1>();
  show_tile_shuffles<2>();
  show_tile_shuffles<4>();
  show_tile_shuffles<8>();
  show_tile_shuffles<16>();
  show_tile_shuffles<32>();
}

template <int Size>
__global__ void tile_votes(unsigned* results) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned mine = mix(rank_in_grid());
  unsigned* const row = results + rank_in_grid() * 6;
  row[0] = tile.any(mine % 4 == 0) != 0;
  row[1] = tile.all(mine % 4 != 0) != 0;
  row[2] = tile.ballot(mine % 2);
  row[3] = tile.match_any(mine % 3);
  int agree = -1;
  row[4] = tile.match_all(tile.meta_group_rank() % 2 ? 7u : mine, agree);
  row[5] = agree != 0;
}

template <int Size>
void show_tile_votes() {
  const buffer<unsigned> results(2 * 64 * 6);
  tile_votes<Size><<<2, 64>>>(results);
  show(std::to_string(Size).c_str(), results);
}

CASE(tile_votes_and_matches) {
  show_tile_votes<2>();
  show_tile_votes<4>();
  show_tile_votes<8>();
  show_tile_votes<16>();
  show_tile_votes<32>();
}

__global__ void dynamic_tiles(unsigned size, unsigned* results) {
  const cg::thread_group group = cg::tiled_partition(cg::this_thread_block(), size);
  __shared__ unsigned values[64];
  values[threadIdx.x] = mix(rank_in_grid());
  group.sync();
  const unsigned first = threadIdx.x - static_cast<unsigned>(group.thread_rank());
  unsigned* const row = results + rank_in_grid() * 3;
  row[0] = static_cast<unsigned>(group.thread_rank());
  row[1] = static_cast<unsigned>(group.size());
  row[2] = values[first + size - 1 - static_cast<unsigned>(group.thread_rank())];
}

CASE(tiles_of_a_size_known_at_run_time) {
  for (const unsigned size : {1u, 2u, 4u, 8u, 16u, 32u}) {
    const buffer<unsigned> results(2 * 64 * 3);
    dynamic_tiles<<<2, 64>>>(size, results);
    show(std::to_string(size).c_str(), results);
  }
}

__global__ void tiles_of_tiles(unsigned* results) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto eight = cg::tiled_partition<8>(warp);
  const auto two = cg::tiled_partition<2>(eight);
  const unsigned mine = mix(rank_in_grid());
  unsigned* const row = results + rank_in_grid() * 6;
  row[0] = eight.meta_group_rank();
  row[1] = eight.meta_group_size();
  row[2] = two.meta_group_rank();
  row[3] = two.meta_group_size();
  row[4] = eight.shfl(mine, 3);
  row[5] = two.shfl_xor(mine, 1);
}

CASE(tiles_of_tiles) {
  const buffer<unsigned> results(2 * 64 * 6);
  tiles_of_tiles<<<2, 64>>>(results);
  show("results", results);
}

__global__ void block_members(unsigned* results) {
  const cg::thread_block block = cg::this_thread_block();
  unsigned* const row = results + rank_in_grid() * 6;
  row[0] = block.thread_rank();
  row[1] = block.size();
  row[2] = block.num_threads();
  row[3] = block.group_index().x + 10 * block.group_index().y;
  row[4] = block.thread_index().x + 10 * block.thread_index().y + 100 * block.thread_index().z;
  row[5] = block.dim_threads().x + 10 * block.dim_threads().y + 100 * block.dim_threads().z;
}

CASE(thread_block_members) {
  const buffer<unsigned> results(2 * 2 * 40 * 6);
  block_members<<<dim3(2, 2), dim3(5, 4, 2)>>>(results);
  show("members", results);
}

template <typename Tile>
__device__ unsigned sum_over(const Tile& tile, unsigned value) {
  for (unsigned bit = tile.size() / 2; bit > 0; bit /= 2) value += tile.shfl_xor(value, bit);
  return value;
}

__global__ void tiles_in_branches(unsigned* results) {
  // only some tiles of a warp work, each for a different number of rounds
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  unsigned value = mix(rank_in_grid()) % 100;
  if ((tile.meta_group_rank() + blockIdx.x) % 3 != 0) {
    for (unsigned round = 0; round <= tile.meta_group_rank(); ++round)
      value = sum_over(tile, value) % 9973;
  }
  results[rank_in_grid()] = value;
}

CASE(tiles_work_apart_in_branches) {
  const buffer<unsigned> results(2 * 64);
  tiles_in_branches<<<2, 64>>>(results);
  show("results", results);
}

__global__ void tile_memory(unsigned* results) {
  __shared__ unsigned values[128];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  values[threadIdx.x] = mix(rank_in_grid());
  tile.sync();
  unsigned got = values[tile.meta_group_rank() * 16 + (tile.thread_rank() + 5) % 16];
  tile.sync();
  values[threadIdx.x] = got;
  cg::sync(tile);
  results[rank_in_grid()] = values[tile.meta_group_rank() * 16 + 15 - tile.thread_rank()];
}

CASE(tile_sync_orders_memory) {
  const buffer<unsigned> results(2 * 128);
  tile_memory<<<2, 128>>>(results);
  show("results", results);
}

struct pair_of_values {
  double weight;
  int index;
};

__global__ void structure_shuffles(double* results) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const pair_of_values mine{rank_in_grid() * 0.75, static_cast<int>(rank_in_grid()) * 3};
  const pair_of_values got = tile.shfl(mine, 7 - tile.thread_rank());
  results[rank_in_grid()] = got.weight * 1000 + got.index;
}

CASE(tile_shuffle_of_a_structure) {
  const buffer<double> results(64);
  structure_shuffles<<<2, 32>>>(results);
  show("results", results);
}
