// A graph of operations that can be run repeatedly.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <driver_types.h>

namespace heddle_host::api {
struct graph_memory;
struct node_parameters;
}  // namespace heddle_host::api

namespace heddle_host::stream {

class event;
struct graph;

// A value that kernels set and conditional nodes read.
struct condition {
  std::atomic<unsigned> value{0};
  unsigned initial = 0;
  bool is_reset = false;  // every launch of the graph resets it to the initial value
};

struct node {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::function<cudaError_t()> run;  // empty if there is nothing to do
  bool is_host_code = false;         // runs a user's function
  bool is_enabled = true;
  std::string label;  // a kernel's name
  std::vector<node*> dependencies;
  graph* owner = nullptr;
  const node* original = nullptr;  // the node that it was cloned from

  std::vector<std::shared_ptr<graph>> bodies;  // of a child graph or a conditional node
  std::shared_ptr<condition> chooses;          // of a conditional node: decides which body runs
  cudaGraphConditionalNodeType chooses_as = cudaGraphCondTypeIf;
  std::shared_ptr<event> awaited;
  std::shared_ptr<api::graph_memory> memory;  // what it allocates or frees
  std::shared_ptr<api::node_parameters> parameters;
};

struct graph {
  std::vector<std::shared_ptr<node>> nodes;
  std::vector<std::shared_ptr<condition>> conditions;

  node* add(node what);
};

// Whether each of `nodes` is one of `last` or comes before one of them.
bool all_lead_to(const std::vector<node*>& nodes, const std::vector<node*>& last);

// Sorts the nodes so that each comes after those it depends on. False if the dependencies form a
// cycle.
bool sort(graph& which);

// Runs the nodes, which are sorted, one after another until one fails.
cudaError_t replay(const graph& what);
// Launches a whole graph: resets its conditions, then runs it.
cudaError_t launch(const graph& what);

// Calls `use` for each node, including those of child graphs and conditional bodies.
void for_each_node(const graph& in, const std::function<void(node&)>& use);
bool has_host_code(const graph& in);

// A graph with copies of the nodes, whose dependencies point into the new graph. Conditions are
// shared, because kernels know them by handle.
std::shared_ptr<graph> clone(const graph& from);
// Makes the nodes of `copy` clones of the nodes that those of `like` were cloned from.
void take_originals(graph& copy, const graph& like);

// Whether one can replace the other: the same number and types of nodes, with the same
// dependencies.
cudaGraphExecUpdateResult compare_topology(const graph& old_graph, const graph& new_graph);

}  // namespace heddle_host::stream
