// Tiles of several warps: 64, 128, 256 and 512 threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;
namespace cg = cooperative_groups;

template <int Size>
__global__ void members(unsigned* results) {
  __shared__ cg::block_tile_memory<512> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  unsigned* const row = results + rank_in_grid() * 4;
  row[0] = tile.thread_rank();
  row[1] = tile.num_threads();
  row[2] = tile.meta_group_rank();
  row[3] = tile.meta_group_size();
}

template <int Size>
void show_members() {
  const buffer<unsigned> results(2 * 512 * 4);
  members<Size><<<2, 512>>>(results);
  show(std::to_string(Size).c_str(), results);
}

CASE(wide_tile_members) {
  show_members<64>();
  show_members<128>();
  show_members<256>();
  show_members<512>();
}

template <int Size>
__global__ void collectives(unsigned* results) {
  __shared__ cg::block_tile_memory<512> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned mine = mix(rank_in_grid());
  unsigned* const row = results + rank_in_grid() * 5;
  row[0] = tile.shfl(mine, Size / 2 + 3);
  row[1] = tile.any(mine % 256 == 0) != 0;
  row[2] = tile.all(mine % 256 != 0) != 0;
  row[3] = cg::reduce(tile, mine % 1000, cg::plus<unsigned>());
  row[4] = cg::reduce(tile, mine, cg::greater<unsigned>());
}

template <int Size>
void show_collectives() {
  const buffer<unsigned> results(2 * 512 * 5);
  collectives<Size><<<2, 512>>>(results);
  show(std::to_string(Size).c_str(), results);
}

CASE(wide_tile_collectives) {
  show_collectives<64>();
  show_collectives<128>();
  show_collectives<256>();
  show_collectives<512>();
}

template <int Size>
__global__ void memory_order(unsigned* results) {
  __shared__ cg::block_tile_memory<512> memory;
  __shared__ unsigned values[512];
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned first = tile.meta_group_rank() * Size;
  unsigned value = mix(rank_in_grid());
  // tiles run different numbers of rounds, so their barriers must be independent
  for (unsigned round = 0; round < 2 + 3 * tile.meta_group_rank(); ++round) {
    values[threadIdx.x] = value;
    tile.sync();
    value = value * 3 + values[first + (tile.thread_rank() + 33) % Size];
    tile.sync();
  }
  results[rank_in_grid()] = value;
}

template <int Size>
void show_memory_order() {
  const buffer<unsigned> results(2 * 512);
  memory_order<Size><<<2, 512>>>(results);
  show(std::to_string(Size).c_str(), results);
}

CASE(wide_tile_sync_orders_memory) {
  show_memory_order<64>();
  show_memory_order<128>();
  show_memory_order<256>();
}

__global__ void small_tiles_of_wide_tiles(unsigned* results) {
  __shared__ cg::block_tile_memory<256> memory;
  const auto block = cg::this_thread_block(memory);
  const auto wide = cg::tiled_partition<128>(block);
  const auto warp = cg::tiled_partition<32>(wide);
  unsigned* const row = results + rank_in_grid() * 4;
  row[0] = warp.meta_group_rank();
  row[1] = warp.meta_group_size();
  row[2] = warp.thread_rank();
  row[3] = warp.shfl(mix(rank_in_grid()), 9);
}

CASE(warps_of_a_wide_tile) {
  const buffer<unsigned> results(2 * 256 * 4);
  small_tiles_of_wide_tiles<<<2, 256>>>(results);
  show("results", results);
}
