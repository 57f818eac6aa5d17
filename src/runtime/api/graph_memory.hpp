// Memory that graphs allocate and free. Its address is known as soon as the node exists.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include <driver_types.h>

#include "stream/graph.hpp"
#include "stream/queue.hpp"

namespace heddle_host::api {

struct executable;

// Exists while it is allocated or a node refers to it.
struct graph_memory {
  graph_memory(void* base, std::size_t bytes, int device, cudaMemPool_t pool);
  ~graph_memory();
  graph_memory(const graph_memory&) = delete;
  graph_memory& operator=(const graph_memory&) = delete;

  void* const base;
  const std::size_t bytes;
  const int device;
  const cudaMemPool_t pool;
  bool is_allocated = false;                 // after all work that the host has submitted so far
  std::weak_ptr<const executable> instance;  // the only executable graph that may contain it
};

// Makes the memory, and the node that allocates it.
cudaError_t make_allocation(stream::node& made, std::size_t bytes, const cudaMemPoolProps& where);
// The same for the operation that a capture turns into such a node.
cudaError_t make_allocation(stream::operation& made, void** pointer, std::size_t bytes, int device,
                            cudaMemPool_t pool);
// Makes the node that frees memory of a graph. Fails if no graph allocates the memory.
cudaError_t make_free(stream::node& made, void* pointer);
cudaError_t make_free(stream::operation& made, void* pointer);

// Whether a graph allocates this memory. If so, use the two functions below to free it.
bool is_graph_memory(const void* pointer);
// Free it outside a graph: in stream order, or at once.
cudaError_t free_graph_memory(stream::operation& made, void* pointer);
cudaError_t free_graph_memory_now(void* pointer);

bool has_memory_nodes(const stream::graph& in);
// Claims the graph's memory for an executable graph. Fails if another one has claimed it.
cudaError_t claim_memory(const stream::graph& of, const std::shared_ptr<const executable>& by);
// Accounts for the allocations and frees of a launch; an error if they are impossible. With
// `frees_first`, memory that an earlier launch has left allocated is freed first.
cudaError_t account_for_launch(const stream::graph& of, bool frees_first);
// Drops all bookkeeping for the device.
void forget_graph_memory(int device);

}  // namespace heddle_host::api
