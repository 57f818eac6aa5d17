// Blocks and grids of one, two and three dimensions, and the mapping of threads to lanes.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void coordinates(unsigned* results) {
  unsigned* const row = results + rank_in_grid() * 4;
  row[0] = threadIdx.x | threadIdx.y << 10 | threadIdx.z << 20;
  row[1] = blockIdx.x | blockIdx.y << 10 | blockIdx.z << 20;
  row[2] = blockDim.x | blockDim.y << 10 | blockDim.z << 20;
  row[3] = gridDim.x | gridDim.y << 10 | gridDim.z << 20;
}

static void show_coordinates(dim3 grid, dim3 block) {
  const unsigned threads = grid.x * grid.y * grid.z * block.x * block.y * block.z;
  const buffer<unsigned> results(threads * 4);
  coordinates<<<grid, block>>>(results);
  show("coordinates", results);
}

CASE(one_dimension) {
  show_coordinates(5, 70);
  show_coordinates(1, 1024);
}

CASE(two_dimensions) {
  show_coordinates(dim3(3, 4), dim3(5, 7));
  show_coordinates(dim3(1, 9), dim3(32, 32));
}

CASE(three_dimensions) {
  show_coordinates(dim3(2, 3, 4), dim3(3, 4, 5));
  show_coordinates(dim3(7, 1, 2), dim3(1, 1, 64));
}

__global__ void lanes_by_shuffle(unsigned* results) {
  // the thread index of the neighbouring lane shows how threads map to lanes
  const unsigned packed = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16 | blockIdx.x << 24;
  results[rank_in_grid()] = __shfl_xor_sync(full_mask, packed, 1);
}

CASE(lanes_count_along_x_then_y_then_z) {
  const buffer<unsigned> flat(2 * 64), square(2 * 64), cube(2 * 64);
  lanes_by_shuffle<<<2, dim3(3, 16, 1)>>>(flat);
  show("3 by 16", flat);
  lanes_by_shuffle<<<2, dim3(8, 8, 1)>>>(square);
  show("8 by 8", square);
  lanes_by_shuffle<<<2, dim3(1, 4, 16)>>>(cube);
  show("1 by 4 by 16", cube);
}

__global__ void warp_size(int* results) {
  results[threadIdx.x] = warpSize + static_cast<int>(threadIdx.x) / warpSize;
}

CASE(warp_size_is_32) {
  const buffer<int> results(64);
  warp_size<<<1, 64>>>(results);
  show("results", results);
}

__global__ void ballots_of_odd_blocks(unsigned* results) {
  results[rank_in_grid()] = __ballot_sync(full_mask, threadIdx.y % 2) ^ block_rank();
}

CASE(ballots_in_a_block_of_seven_by_nine) {
  const buffer<unsigned> results(2 * 3 * 63);
  ballots_of_odd_blocks<<<dim3(2, 3), dim3(7, 9)>>>(results);
  show("ballots", results);
}

__global__ void large_grid(unsigned* counters) {
  atomicAdd(&counters[block_rank() % 61], block_rank());
}

CASE(grid_of_many_small_blocks) {
  const buffer<unsigned> counters(61, 0);
  large_grid<<<dim3(100, 50, 20), 2>>>(counters);
  show("counters", counters);
}

__global__ void special_registers(unsigned* results) {
  unsigned lane, below, at_or_below, above, at_or_above, own;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(at_or_below));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(above));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(at_or_above));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(own));
  unsigned* const row = results + rank_in_grid() * 6;
  row[0] = lane;
  row[1] = below;
  row[2] = at_or_below;
  row[3] = above;
  row[4] = at_or_above;
  row[5] = own;
}

CASE(special_registers_of_a_lane) {
  const buffer<unsigned> results(45 * 6);
  special_registers<<<1, dim3(5, 9)>>>(results);
  show("registers", results);
}

__global__ void clocks_advance(int* results) {
  const long long before = clock64();
  const clock_t short_before = clock();
  unsigned value = threadIdx.x;
  for (int i = 0; i < 1000; ++i) value = mix(value);
  const long long after = clock64();
  results[threadIdx.x] = (after > before) + (clock() != short_before) * 2 + (value == 0) * 4;
}

CASE(clocks_move_forward) {
  const buffer<int> results(32);
  clocks_advance<<<1, 32>>>(results);
  show("results", results);
}
