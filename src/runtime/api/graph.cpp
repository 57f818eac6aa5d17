// The host API for graphs: creation, destruction, and dependencies between nodes.
#include "stream/graph.hpp"

#include <algorithm>

#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/graph_memory.hpp"
#include "api/graphs.hpp"
#include "api/streams.hpp"
#include "stream/capture.hpp"

namespace heddle_host::api {
namespace {

using stream::graph;
using stream::node;

// Writes up to *count handles of `nodes`; without `handles`, only their number.
cudaError_t list(const std::vector<node*>& nodes, cudaGraphNode_t* handles, std::size_t* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (handles != nullptr) {
    for (std::size_t index = 0; index < *count; ++index) {
      handles[index] = index < nodes.size() ? handle_of(nodes[index]) : nullptr;
    }
  }
  if (handles == nullptr || *count > nodes.size()) *count = nodes.size();
  return cudaSuccess;
}

bool depends_on(const node& which, const node* other) {
  const auto& all = which.dependencies;
  return std::find(all.begin(), all.end(), other) != all.end();
}

// Invalidates the handles of the graphs within a graph or a node.
void forget_bodies(const graph& of);
void forget_bodies(const node& of) {
  for (const auto& body : of.bodies) {
    graphs().forget(body.get());
    forget_bodies(*body);
  }
}
void forget_bodies(const graph& of) {
  for (const auto& each : of.nodes) forget_bodies(*each);
}

// Calls `change(from, to)` for each pair of nodes. Fails if one does not belong to the graph.
template <typename Change>
cudaError_t change_edges(cudaGraph_t of, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                         std::size_t count, Change change) {
  const auto found = graphs().find(of);
  if (found == nullptr) return cudaErrorInvalidValue;
  std::vector<node*> before;
  std::vector<node*> after;
  const cudaError_t error = find_nodes(before, *found, from, count);
  if (error != cudaSuccess || find_nodes(after, *found, to, count) != cudaSuccess) {
    return cudaErrorInvalidValue;
  }
  for (std::size_t index = 0; index < count; ++index) {
    const cudaError_t changed = change(before[index], after[index]);
    if (changed != cudaSuccess) return changed;
  }
  return cudaSuccess;
}

}  // namespace

// Never destroyed: graphs may be used while the program exits.
handle_table<cudaGraph_t, graph, handle_kind::graph>& graphs() {
  static auto& table = *new handle_table<cudaGraph_t, graph, handle_kind::graph>;
  return table;
}

cudaError_t find_nodes(std::vector<node*>& found, const graph& in, const cudaGraphNode_t* handles,
                       std::size_t count) {
  if (count > 0 && handles == nullptr) return cudaErrorInvalidValue;
  for (std::size_t index = 0; index < count; ++index) {
    const auto known = std::find_if(in.nodes.begin(), in.nodes.end(), [&](const auto& each) {
      return handle_of(each.get()) == handles[index];
    });
    if (known == in.nodes.end()) return cudaErrorInvalidValue;
    found.push_back(known->get());
  }
  return cudaSuccess;
}

cudaError_t add_node(cudaGraphNode_t* handle, cudaGraph_t to, const cudaGraphNode_t* dependencies,
                     std::size_t dependency_count, node what) {
  const auto found = graphs().find(to);
  if (found == nullptr || handle == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = find_nodes(what.dependencies, *found, dependencies, dependency_count);
  if (error != cudaSuccess) return error;
  *handle = handle_of(found->add(std::move(what)));
  return cudaSuccess;
}

void forget_graphs() {
  graphs().take_if([](const graph&) { return true; });
  executables().take_if([](const executable&) { return true; });
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;
using api::node_of;
using stream::node;

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return device_call([&] {
    if (graph != nullptr) *graph = nullptr;
    const stream::queue_pointer on = api::find_stream(handle);
    if (on == nullptr) return cudaErrorInvalidResourceHandle;
    std::shared_ptr<stream::graph> captured;
    const cudaError_t error = stream::end_capture(on, captured);
    if (captured != nullptr && graph != nullptr) *graph = api::graphs().add_once(captured);
    return error;
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return device_call([&] {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = api::graphs().add(std::make_shared<stream::graph>());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return device_call([&] {
    const auto taken = api::graphs().take(graph);
    if (taken == nullptr) return cudaErrorInvalidValue;
    api::forget_bodies(*taken);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  return device_call([&] {
    const auto found = api::graphs().find(original);
    if (found == nullptr || clone == nullptr) return cudaErrorInvalidValue;
    if (api::has_memory_nodes(*found)) return cudaErrorNotSupported;
    *clone = api::graphs().add(stream::clone(*found));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* handle, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return device_call([&] {
    const auto found = api::graphs().find(clone);
    if (found == nullptr || handle == nullptr) return cudaErrorInvalidValue;
    for (const auto& each : found->nodes) {
      if (each->original != node_of(original)) continue;
      *handle = api::handle_of(each.get());
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* handles, size_t* count) {
  return device_call([&] {
    const auto found = api::graphs().find(graph);
    if (found == nullptr) return cudaErrorInvalidValue;
    std::vector<node*> nodes;
    for (const auto& each : found->nodes) nodes.push_back(each.get());
    return api::list(nodes, handles, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* handles, size_t* count) {
  return device_call([&] {
    const auto found = api::graphs().find(graph);
    if (found == nullptr) return cudaErrorInvalidValue;
    std::vector<node*> roots;
    for (const auto& each : found->nodes) {
      if (each->dependencies.empty()) roots.push_back(each.get());
    }
    return api::list(roots, handles, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count) {
  return device_call([&] {
    const auto found = api::graphs().find(graph);
    if (found == nullptr || count == nullptr) return cudaErrorInvalidValue;
    if ((from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
    std::vector<node*> before;
    std::vector<node*> after;
    for (const auto& each : found->nodes) {
      for (node* needed : each->dependencies) {
        before.push_back(needed);
        after.push_back(each.get());
      }
    }
    if (edges != nullptr) std::fill_n(edges, std::min(*count, before.size()), cudaGraphEdgeData{});
    size_t written = *count;
    api::list(before, from, &written);
    return api::list(after, to, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* edges, size_t* count) {
  return device_call([&] {
    if (handle == nullptr || count == nullptr) return cudaErrorInvalidValue;
    const std::vector<node*>& all = node_of(handle)->dependencies;
    if (edges != nullptr) std::fill_n(edges, std::min(*count, all.size()), cudaGraphEdgeData{});
    return api::list(all, dependencies, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* edges, size_t* count) {
  return device_call([&] {
    if (handle == nullptr || count == nullptr) return cudaErrorInvalidValue;
    std::vector<node*> all;
    for (const auto& each : node_of(handle)->owner->nodes) {
      if (api::depends_on(*each, node_of(handle))) all.push_back(each.get());
    }
    if (edges != nullptr) std::fill_n(edges, std::min(*count, all.size()), cudaGraphEdgeData{});
    return api::list(all, dependents, count);
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return device_call([&] {
    return api::change_edges(graph, from, to, count, [](node* before, node* after) {
      if (before == after || api::depends_on(*after, before)) return cudaErrorInvalidValue;
      after->dependencies.push_back(before);
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return device_call([&] {
    return api::change_edges(graph, from, to, count, [](node* before, node* after) {
      const bool was_there = std::erase(after->dependencies, before) != 0;
      return was_there ? cudaSuccess : cudaErrorInvalidValue;
    });
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return device_call([&] {
    if (handle == nullptr) return cudaErrorInvalidValue;
    node* const gone = node_of(handle);
    if (gone->memory != nullptr) return cudaErrorNotSupported;
    stream::graph& in = *gone->owner;
    for (const auto& each : in.nodes) std::erase(each->dependencies, gone);
    api::forget_bodies(*gone);
    std::erase_if(in.nodes, [&](const auto& each) { return each.get() == gone; });
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return device_call([&] {
    if (handle == nullptr || type == nullptr) return cudaErrorInvalidValue;
    *type = node_of(handle)->type;
    return cudaSuccess;
  });
}
