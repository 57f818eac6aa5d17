// Queries and operations on graphs.
#include "stream/graph.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "stream/fault.hpp"

namespace heddle_host::stream {
namespace {

// The positions of a node's dependencies in its graph, sorted.
std::vector<std::size_t> positions(const node& of,
                                   const std::unordered_map<const node*, std::size_t>& at) {
  std::vector<std::size_t> found;
  for (const node* dependency : of.dependencies) found.push_back(at.at(dependency));
  std::sort(found.begin(), found.end());
  return found;
}

std::unordered_map<const node*, std::size_t> positions(const graph& in) {
  std::unordered_map<const node*, std::size_t> at;
  for (std::size_t index = 0; index < in.nodes.size(); ++index) at[in.nodes[index].get()] = index;
  return at;
}

}  // namespace

bool all_lead_to(const graph& in, const std::vector<node*>& last) {
  std::unordered_set<const node*> reached(last.begin(), last.end());
  // Dependencies come earlier, so one backward pass reaches every node.
  for (auto each = in.nodes.rbegin(); each != in.nodes.rend(); ++each) {
    if (!reached.contains(each->get())) return false;
    reached.insert((*each)->dependencies.begin(), (*each)->dependencies.end());
  }
  return true;
}

cudaError_t replay(const std::vector<std::shared_ptr<node>>& nodes) {
  for (const auto& each : nodes) {
    if (fault() != cudaSuccess) return fault();
    if (!each->run) continue;
    if (const cudaError_t error = each->run(); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

bool has_host_code(const graph& in) {
  return std::any_of(in.nodes.begin(), in.nodes.end(),
                     [](const auto& each) { return each->is_host_code; });
}

std::shared_ptr<graph> clone(const graph& original) {
  auto copy = std::make_shared<graph>();
  const auto at = positions(original);
  for (const auto& each : original.nodes) {
    auto fresh = std::make_shared<node>(*each);
    for (node*& dependency : fresh->dependencies) dependency = copy->nodes[at.at(dependency)].get();
    copy->nodes.push_back(std::move(fresh));
  }
  return copy;
}

cudaGraphExecUpdateResult compare_topology(const graph& old_graph, const graph& new_graph) {
  if (old_graph.nodes.size() != new_graph.nodes.size()) {
    return cudaGraphExecUpdateErrorTopologyChanged;
  }
  const auto old_at = positions(old_graph);
  const auto new_at = positions(new_graph);
  for (std::size_t index = 0; index < old_graph.nodes.size(); ++index) {
    const node& before = *old_graph.nodes[index];
    const node& after = *new_graph.nodes[index];
    if (before.type != after.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (positions(before, old_at) != positions(after, new_at)) {
      return cudaGraphExecUpdateErrorTopologyChanged;
    }
  }
  return cudaGraphExecUpdateSuccess;
}

}  // namespace heddle_host::stream
