// Barriers of multi-warp tiles, clusters and grids; the barriers of a block are CUDA's own
// functions.
#pragma once
#include <cstddef>
#include <cstdint>

#include <vector_types.h>

namespace heddle_host {

// Waits for all non-exited threads of [first_thread, first_thread + threads) of the block.
void tile_barrier(unsigned first_thread, unsigned threads);

// As tile_barrier, and every thread gives 8 bytes to all others: element i comes from thread
// first_thread + i. Valid until the caller's next gather on the same tile.
const std::uint64_t* tile_gather(unsigned first_thread, unsigned threads, std::uint64_t value);

// Waits for all blocks of a cooperative launch.
void grid_barrier();
bool grid_is_cooperative();

// The cluster of the running block; a block without one is a cluster of one block.
dim3 cluster_dimensions();
uint3 block_index_in_cluster();
unsigned block_rank_in_cluster();
void cluster_arrive();
void cluster_wait();
// The same location in the shared memory of another block of the cluster.
void* map_shared_rank(const void* address, unsigned rank);
// The rank in the cluster of the block that owns an address in shared memory.
unsigned shared_rank_of(const void* address);

}  // namespace heddle_host
