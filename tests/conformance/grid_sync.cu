// Cooperative launches: grid.sync orders all blocks, and a grid that does not fit is rejected.
#include <cooperative_groups.h>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;
namespace cg = cooperative_groups;

__global__ void rounds(unsigned count, unsigned* values, unsigned* results) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned size = gridDim.x * blockDim.x;
  const unsigned rank = rank_in_grid();
  values[rank] = mix(rank);
  for (unsigned round = 0; round < count; ++round) {
    grid.sync();
    const unsigned got = values[(rank + blockDim.x + round) % size];
    grid.sync();
    values[rank] = values[rank] * 3 + got;
  }
  grid.sync();
  results[rank] = values[size - 1 - rank];
}

static void launch_rounds(unsigned blocks, unsigned threads, unsigned count) {
  const buffer<unsigned> values(blocks * threads), results(blocks * threads);
  unsigned* values_pointer = values;
  unsigned* results_pointer = results;
  void* arguments[] = {&count, &values_pointer, &results_pointer};
  CHECKED(cudaLaunchCooperativeKernel((const void*)rounds, dim3(blocks), dim3(threads), arguments));
  show((std::to_string(blocks) + " blocks of " + std::to_string(threads)).c_str(), results);
}

CASE(grid_sync_many_rounds) { launch_rounds(4, 64, 200); }

CASE(grid_sync_of_several_shapes) {
  launch_rounds(1, 32, 5);
  launch_rounds(2, 33, 7);
  launch_rounds(3, 128, 10);
  launch_rounds(4, 256, 6);
}

__global__ void handles(unsigned* results) {
  const cg::grid_group grid = cg::this_grid();
  unsigned* const row = results + rank_in_grid() * 7;
  row[0] = grid.is_valid();
  row[1] = static_cast<unsigned>(grid.thread_rank());
  row[2] = static_cast<unsigned>(grid.size());
  row[3] = static_cast<unsigned>(grid.num_threads());
  row[4] = static_cast<unsigned>(grid.num_blocks());
  row[5] = static_cast<unsigned>(grid.block_rank());
  row[6] = grid.block_index().x * 100 + grid.dim_blocks().x;
}

CASE(grid_group_members) {
  const buffer<unsigned> results(3 * 40 * 7);
  unsigned* pointer = results;
  void* arguments[] = {&pointer};
  CHECKED(cudaLaunchCooperativeKernel((void*)handles, dim3(3), dim3(40), arguments, 0, nullptr));
  show("members", results);
}

__global__ void validity(int* results) { results[rank_in_grid()] = cg::this_grid().is_valid(); }

__global__ void phases(unsigned* totals, unsigned* results) {
  // in each phase all blocks add to a total, synchronise, and read the total
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  __shared__ unsigned of_block;
  for (unsigned phase = 0; phase < 8; ++phase) {
    if (block.thread_rank() == 0) of_block = 0;
    block.sync();
    atomicAdd(&of_block, mix(rank_in_grid() + phase * 1000) % 50);
    block.sync();
    if (block.thread_rank() == 0) atomicAdd(&totals[phase], of_block * (blockIdx.x + 1));
    grid.sync();
    results[phase * gridDim.x * blockDim.x + rank_in_grid()] = totals[phase] - of_block;
    block.sync();
  }
}

CASE(grid_sync_phases_with_block_results) {
  const buffer<unsigned> totals(8, 0), results(8 * 4 * 64);
  unsigned* totals_pointer = totals;
  unsigned* results_pointer = results;
  void* arguments[] = {&totals_pointer, &results_pointer};
  CHECKED(cudaLaunchCooperativeKernel((void*)phases, dim3(4), dim3(64), arguments, 0, nullptr));
  show("totals", totals);
  show("results", results);
}

__global__ void two_dimensional(unsigned* values, unsigned* results) {
  const cg::grid_group grid = cg::this_grid();
  values[grid.thread_rank()] = blockIdx.x * 1000 + blockIdx.y * 100 + threadIdx.x;
  grid.sync();
  results[grid.thread_rank()] = values[grid.size() - 1 - grid.thread_rank()];
}

CASE(grid_sync_in_two_dimensions) {
  const buffer<unsigned> values(2 * 2 * 40), results(2 * 2 * 40);
  unsigned* values_pointer = values;
  unsigned* results_pointer = results;
  void* arguments[] = {&values_pointer, &results_pointer};
  CHECKED(cudaLaunchCooperativeKernel((void*)two_dimensional, dim3(2, 2), dim3(8, 5), arguments, 0,
                                      nullptr));
  show("results", results);
}

CASE(cooperative_launch_that_is_too_large) {
  const buffer<int> results(1);
  int* pointer = results;
  void* arguments[] = {&pointer};
  SHOW_ERROR(cudaLaunchCooperativeKernel((void*)validity, dim3(1000000), dim3(1024), arguments, 0,
                                         nullptr));
  SHOW_ERROR(cudaGetLastError());
  SHOW_ERROR(cudaGetLastError());
  // the rejected launch does not affect the next one
  CHECKED(cudaLaunchCooperativeKernel((void*)validity, dim3(1), dim3(1), arguments, 0, nullptr));
  show("valid", results);
}

__global__ void publish_counter(unsigned* counter, unsigned* results) {
  const cg::grid_group grid = cg::this_grid();
  atomicAdd(counter, mix(rank_in_grid()) % 10);
  grid.sync();
  results[rank_in_grid()] = *counter;
}

CASE(grid_sync_publishes_a_counter) {
  const buffer<unsigned> counter(1, 0), results(3 * 50);
  unsigned* counter_pointer = counter;
  unsigned* results_pointer = results;
  void* arguments[] = {&counter_pointer, &results_pointer};
  CHECKED(cudaLaunchCooperativeKernel((void*)publish_counter, dim3(3), dim3(50), arguments, 0,
                                      nullptr));
  show("results", results);
}
