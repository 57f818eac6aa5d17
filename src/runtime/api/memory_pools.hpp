// Memory pools: their handles and how much is allocated from each.
#pragma once
#include <cstddef>

#include <driver_types.h>

namespace heddle_host::api {

// The pool that cudaMallocAsync uses for the device.
cudaMemPool_t current_pool(int device);
bool is_pool(cudaMemPool_t handle);
int device_of_pool(cudaMemPool_t handle);
// Whether other processes may use the pool's memory.
bool can_be_exported(cudaMemPool_t handle);
// A pool of another process; `file` has its memory, and the pool closes it. It can allocate
// nothing.
cudaMemPool_t add_imported_pool(int file);
int file_of_imported(cudaMemPool_t handle);  // -1 for any other pool
// Whether the pool's size limit allows another allocation of `bytes`.
bool has_room(cudaMemPool_t handle, std::size_t bytes);
// Update the pool's statistics; unknown (destroyed) pools are ignored.
void count_allocation(cudaMemPool_t handle, std::size_t bytes);
void count_release(cudaMemPool_t handle, std::size_t bytes);
// Destroys the device's pools and resets its default pool.
void forget_pools(int device);

}  // namespace heddle_host::api
