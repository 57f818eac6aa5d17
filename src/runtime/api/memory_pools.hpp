// Memory pools: who allocated in the order of a stream, and how much.
#pragma once
#include <cstddef>

#include <driver_types.h>

namespace heddle_host::api {

// The pool that cudaMallocAsync uses.
cudaMemPool_t current_pool();
bool is_pool(cudaMemPool_t handle);
// Keeps the pool's figures; unknown pools (destroyed meanwhile) are ignored.
void count_allocation(cudaMemPool_t handle, std::size_t bytes);
void count_release(cudaMemPool_t handle, std::size_t bytes);
void forget_pools();

}  // namespace heddle_host::api
