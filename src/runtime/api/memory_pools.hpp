// Memory pools: their handles and how much is allocated from each.
#pragma once
#include <cstddef>

#include <driver_types.h>

namespace heddle_host::api {

// The pool that cudaMallocAsync uses for the device.
cudaMemPool_t current_pool(int device);
bool is_pool(cudaMemPool_t handle);
int device_of_pool(cudaMemPool_t handle);
// Whether the pool's size limit allows another allocation of `bytes`.
bool has_room(cudaMemPool_t handle, std::size_t bytes);
// Update the pool's statistics; unknown (destroyed) pools are ignored.
void count_allocation(cudaMemPool_t handle, std::size_t bytes);
void count_release(cudaMemPool_t handle, std::size_t bytes);
// Destroys the device's pools and resets its default pool.
void forget_pools(int device);

}  // namespace heddle_host::api
