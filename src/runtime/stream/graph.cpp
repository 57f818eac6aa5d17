// Queries and operations on graphs.
#include "stream/graph.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "stream/fault.hpp"

namespace heddle_host::stream {
namespace {

using positions_of_nodes = std::unordered_map<const node*, std::size_t>;

positions_of_nodes positions(const graph& of) {
  positions_of_nodes at;
  for (std::size_t index = 0; index < of.nodes.size(); ++index) at[of.nodes[index].get()] = index;
  return at;
}

// The positions of a node's dependencies, in ascending order.
std::vector<std::size_t> positions(const node& of, const positions_of_nodes& at) {
  std::vector<std::size_t> found;
  for (const node* each : of.dependencies) found.push_back(at.at(each));
  std::sort(found.begin(), found.end());
  return found;
}

// The body that has to run now; null if none.
const graph* chosen_body(const node& conditional) {
  const unsigned value = conditional.chooses->value.load(std::memory_order_acquire);
  const std::size_t wanted =
      conditional.chooses_as == cudaGraphCondTypeSwitch ? value : (value != 0 ? 0 : 1);
  return wanted < conditional.bodies.size() ? conditional.bodies[wanted].get() : nullptr;
}

cudaError_t run_conditional(const node& what) {
  do {
    const graph* const body = chosen_body(what);
    if (body == nullptr) return cudaSuccess;
    if (const cudaError_t error = replay(*body); error != cudaSuccess) return error;
  } while (what.chooses_as == cudaGraphCondTypeWhile);
  return cudaSuccess;
}

cudaError_t run_node(const node& what) {
  if (!what.is_enabled) return cudaSuccess;
  if (what.chooses != nullptr) return run_conditional(what);
  if (!what.bodies.empty()) return replay(*what.bodies.front());
  return what.run ? what.run() : cudaSuccess;
}

void reset_conditions(const graph& of) {
  for (const auto& each : of.conditions) {
    if (each->is_reset) each->value.store(each->initial, std::memory_order_release);
  }
  for (const auto& each : of.nodes) {
    for (const auto& body : each->bodies) reset_conditions(*body);
  }
}

}  // namespace

node* graph::add(node what) {
  what.owner = this;
  nodes.push_back(std::make_shared<node>(std::move(what)));
  return nodes.back().get();
}

bool all_lead_to(const std::vector<node*>& nodes, const std::vector<node*>& last) {
  std::unordered_set<const node*> reached;
  std::vector<const node*> to_visit(last.begin(), last.end());
  while (!to_visit.empty()) {
    const node* const next = to_visit.back();
    to_visit.pop_back();
    if (!reached.insert(next).second) continue;
    to_visit.insert(to_visit.end(), next->dependencies.begin(), next->dependencies.end());
  }
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](const node* each) { return reached.contains(each); });
}

bool sort(graph& which) {
  std::vector<std::shared_ptr<node>> left = std::move(which.nodes);
  std::vector<std::shared_ptr<node>> sorted;
  std::unordered_set<const node*> placed;
  const std::size_t count = left.size();
  while (sorted.size() < count) {
    const std::size_t before = sorted.size();
    for (std::shared_ptr<node>& each : left) {
      if (each == nullptr) continue;
      const bool is_ready =
          std::all_of(each->dependencies.begin(), each->dependencies.end(),
                      [&](const node* needed) { return placed.contains(needed); });
      if (!is_ready) continue;
      placed.insert(each.get());
      sorted.push_back(std::move(each));
    }
    if (sorted.size() != before) continue;
    std::copy_if(left.begin(), left.end(), std::back_inserter(sorted),
                 [](const auto& each) { return each != nullptr; });
    which.nodes = std::move(sorted);
    return false;
  }
  which.nodes = std::move(sorted);
  return true;
}

cudaError_t replay(const graph& what) {
  for (const auto& each : what.nodes) {
    if (fault() != cudaSuccess) return fault();
    if (const cudaError_t error = run_node(*each); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t launch(const graph& what) {
  reset_conditions(what);
  return replay(what);
}

void for_each_node(const graph& in, const std::function<void(node&)>& use) {
  for (const auto& each : in.nodes) {
    use(*each);
    for (const auto& body : each->bodies) for_each_node(*body, use);
  }
}

bool has_host_code(const graph& in) {
  bool has = false;
  for_each_node(in, [&](const node& each) { has |= each.is_host_code; });
  return has;
}

std::shared_ptr<graph> clone(const graph& from) {
  auto copy = std::make_shared<graph>();
  copy->conditions = from.conditions;
  const auto at = positions(from);
  for (const auto& each : from.nodes) {
    node* const fresh = copy->add(*each);
    fresh->original = each.get();
    for (std::shared_ptr<graph>& body : fresh->bodies) body = clone(*body);
  }
  for (const auto& each : copy->nodes) {
    for (node*& needed : each->dependencies) needed = copy->nodes[at.at(needed)].get();
  }
  return copy;
}

void take_originals(graph& copy, const graph& like) {
  for (std::size_t index = 0; index < copy.nodes.size(); ++index) {
    node& mine = *copy.nodes[index];
    const node& other = *like.nodes[index];
    mine.original = other.original;
    const std::size_t bodies = std::min(mine.bodies.size(), other.bodies.size());
    for (std::size_t body = 0; body < bodies; ++body) {
      take_originals(*mine.bodies[body], *other.bodies[body]);
    }
  }
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
    if (positions(before, old_at) != positions(after, new_at) ||
        before.bodies.size() != after.bodies.size() || before.chooses_as != after.chooses_as) {
      return cudaGraphExecUpdateErrorTopologyChanged;
    }
    for (std::size_t body = 0; body < before.bodies.size(); ++body) {
      const auto inner = compare_topology(*before.bodies[body], *after.bodies[body]);
      if (inner != cudaGraphExecUpdateSuccess) return inner;
    }
  }
  return cudaGraphExecUpdateSuccess;
}

}  // namespace heddle_host::stream
