// A graph of operations that can be run again and again.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include <driver_types.h>

namespace heddle_host::stream {

struct node {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::function<cudaError_t()> run;  // empty: nothing to do
  bool is_host_code = false;         // runs a function of the user's
  std::vector<node*> dependencies;
};

// A node stands after all nodes it depends on.
struct graph {
  std::vector<std::shared_ptr<node>> nodes;
};

// Whether every node is needed, directly or not, by one of `last`.
bool all_lead_to(const graph& in, const std::vector<node*>& last);

// Runs the nodes one after another until one fails.
cudaError_t replay(const std::vector<std::shared_ptr<node>>& nodes);

bool has_host_code(const graph& in);

// A graph with the same nodes, whose dependencies point into the new graph.
std::shared_ptr<graph> clone(const graph& original);

// Whether the two can stand for each other: the same number and types of nodes, joined alike.
cudaGraphExecUpdateResult compare_topology(const graph& old_graph, const graph& new_graph);

}  // namespace heddle_host::stream
