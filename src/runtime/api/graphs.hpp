// Finds graphs and their nodes by handle, and makes nodes from CUDA's parameters.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <driver_types.h>

#include "api/handles.hpp"
#include "stream/graph.hpp"
#include "stream/queue.hpp"

namespace heddle_host::api {

// What queries return about a node. Only nodes that were made from parameters have it.
struct node_parameters {
  std::optional<cudaKernelNodeParams> kernel;
  std::vector<std::vector<std::byte>> values;  // of its arguments
  std::vector<void*> arguments;                // point to `values`
  std::vector<cudaLaunchAttribute> attributes;
  std::optional<cudaMemcpy3DParms> copy;
  std::optional<cudaMemsetParams> fill;
  std::optional<cudaHostNodeParams> host;
  cudaEvent_t event = nullptr;
  std::vector<cudaGraph_t> bodies;
};

// An instantiated graph. It has its own copy of the nodes; a change replaces the whole copy if a
// launch still uses it.
struct executable {
  std::shared_ptr<stream::graph> nodes;
  unsigned long long flags = 0;
  stream::point last_launch;  // the next one waits for it
};

handle_table<cudaGraph_t, stream::graph, handle_kind::graph>& graphs();
handle_table<cudaGraphExec_t, executable, handle_kind::executable_graph>& executables();

inline cudaGraphNode_t handle_of(stream::node* of) { return reinterpret_cast<cudaGraphNode_t>(of); }
inline stream::node* node_of(cudaGraphNode_t handle) {
  return reinterpret_cast<stream::node*>(handle);
}

// Finds the nodes with these handles. All of them must belong to the graph.
cudaError_t find_nodes(std::vector<stream::node*>& found, const stream::graph& in,
                       const cudaGraphNode_t* handles, std::size_t count);
// Adds a node; its dependencies must be nodes of the same graph.
cudaError_t add_node(cudaGraphNode_t* handle, cudaGraph_t to, const cudaGraphNode_t* dependencies,
                     std::size_t dependency_count, stream::node what);

// Each of these makes the content of a node. Returns CUDA's error if the parameters are invalid.
cudaError_t read_node(stream::node& made, const cudaKernelNodeParams* parameters,
                      std::vector<cudaLaunchAttribute> attributes = {});
cudaError_t read_node(stream::node& made, const cudaMemcpy3DParms* parameters);
cudaError_t read_node(stream::node& made, const cudaMemsetParams* parameters);
cudaError_t read_node(stream::node& made, const cudaHostNodeParams* parameters);
cudaError_t read_flat_copy(stream::node& made, void* destination, const void* source,
                           std::size_t bytes, cudaMemcpyKind kind);
cudaError_t read_child_graph(stream::node& made, cudaGraph_t child);
cudaError_t read_event_node(stream::node& made, cudaGraphNodeType type, cudaEvent_t event);
// Also writes the handles of the bodies into the parameters.
cudaError_t read_conditional(stream::node& made, cudaConditionalNodeParams& parameters);
// Handles all of these types, and memory nodes.
cudaError_t read_any_node(stream::node& made, cudaGraphNodeParams& parameters);

// Gives a node the content of another one of the same type.
cudaError_t replace_content(stream::node& of, stream::node by);

}  // namespace heddle_host::api
