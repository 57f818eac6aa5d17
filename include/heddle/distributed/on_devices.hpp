// Small exchanges between the devices of ranks, staged through the hosts.
#pragma once
#include <heddle/device/workspace.cuh>
#include <heddle/distributed/communicator.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::distributed {

// What device collectives need of a communicator besides rank() and size(), as free functions: here
// for MPI's, and in nccl_link.hpp for NCCL's. Every rank calls them. They work in the order of the
// workspace's stream, on device memory.

// Gathers `bytes` bytes of each rank, in rank order.
//   result      available after the stream's work so far and that of the other ranks; the host has
//               waited for it
inline void gather_on_devices(communicator& ranks, device::workspace& workspace, const void* mine,
                              void* all, std::size_t bytes,
                              source_location where = source_location::current()) {
  const cudaStream_t stream = workspace.stream();
  if (ranks.size() == 1) {
    check(cudaMemcpyAsync(all, mine, bytes, cudaMemcpyDeviceToDevice, stream), where);
    return;
  }
  std::vector<std::byte> own(bytes), of_all(bytes * static_cast<std::size_t>(ranks.size()));
  check(cudaMemcpyAsync(own.data(), mine, bytes, cudaMemcpyDeviceToHost, stream), where);
  check(cudaStreamSynchronize(stream), where);
  ranks.all_gather_bytes(own.data(), of_all.data(), bytes, where);
  check(cudaMemcpyAsync(all, of_all.data(), of_all.size(), cudaMemcpyHostToDevice, stream), where);
  check(cudaStreamSynchronize(stream), where);
}

// Adds up arrays of integers, in place.
template <std::integral Word>
void sum_on_devices(communicator& ranks, device::workspace& workspace, Word* numbers,
                    std::int64_t count, source_location where = source_location::current()) {
  if (ranks.size() == 1) return;
  const cudaStream_t stream = workspace.stream();
  std::vector<Word> staged(static_cast<std::size_t>(count));
  const std::size_t bytes = staged.size() * sizeof(Word);
  check(cudaMemcpyAsync(staged.data(), numbers, bytes, cudaMemcpyDeviceToHost, stream), where);
  check(cudaStreamSynchronize(stream), where);
  ranks.all_sum(std::span(staged), where);
  check(cudaMemcpyAsync(numbers, staged.data(), bytes, cudaMemcpyHostToDevice, stream), where);
  check(cudaStreamSynchronize(stream), where);
}

}  // namespace heddle::distributed
