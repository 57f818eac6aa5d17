// Memory pools: their handles and how much is allocated from each.
#pragma once
#include <cstddef>

#include <driver_types.h>

namespace heddle_host::api {

// The pool that cudaMallocAsync uses.
cudaMemPool_t current_pool();
bool is_pool(cudaMemPool_t handle);
// Update the pool's statistics; unknown (destroyed) pools are ignored.
void count_allocation(cudaMemPool_t handle, std::size_t bytes);
void count_release(cudaMemPool_t handle, std::size_t bytes);
void forget_pools();

}  // namespace heddle_host::api
