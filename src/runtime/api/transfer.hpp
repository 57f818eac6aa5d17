// Turns copies and fills into stream operations.
#pragma once
#include <driver_types.h>

#include "memory/copy.hpp"
#include "stream/queue.hpp"

namespace heddle_host::api {

stream::operation operation_for(const memory::copy& what);
stream::operation operation_for(const memory::fill& what);

// Returns when the copy is done; it is ordered in the default stream.
cudaError_t transfer(const memory::copy& what, cudaMemcpyKind kind);
// The same between two devices, ordered after all pending work of both.
cudaError_t transfer_between(int destination_device, int source_device, const memory::copy& what);
// Returns as early as CUDA may: a pageable source can be reused at once, and a pageable destination
// is complete.
cudaError_t transfer_in_stream(const memory::copy& what, cudaMemcpyKind kind, cudaStream_t stream);

cudaError_t transfer_in_stream(const memory::fill& what, cudaStream_t stream);

// Converts CUDA's description of a copy between pointers or arrays.
cudaError_t read_parameters(memory::copy& what, const cudaMemcpy3DParms& parameters);

}  // namespace heddle_host::api
