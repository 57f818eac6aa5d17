// A graph of operations that can be run repeatedly.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include <driver_types.h>

namespace heddle_host::stream {

struct node {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::function<cudaError_t()> run;  // empty if there is nothing to do
  bool is_host_code = false;         // runs a user's function
  std::vector<node*> dependencies;
};

// Each node comes after all nodes that it depends on.
struct graph {
  std::vector<std::shared_ptr<node>> nodes;
};

// Whether some node of `last` depends on every node, directly or indirectly.
bool all_lead_to(const graph& in, const std::vector<node*>& last);

// Runs the nodes in order until one fails.
cudaError_t replay(const std::vector<std::shared_ptr<node>>& nodes);

bool has_host_code(const graph& in);

// A graph with the same nodes, whose dependencies point into the new graph.
std::shared_ptr<graph> clone(const graph& original);

// Whether one can replace the other: the same number and types of nodes, with the same
// dependencies.
cudaGraphExecUpdateResult compare_topology(const graph& old_graph, const graph& new_graph);

}  // namespace heddle_host::stream
