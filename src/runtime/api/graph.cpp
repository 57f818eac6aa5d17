// The host API of graphs.
#include "stream/graph.hpp"

#include <algorithm>
#include <cstring>

#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/handles.hpp"
#include "api/known_kernels.hpp"
#include "api/streams.hpp"
#include "api/transfer.hpp"
#include "stream/capture.hpp"

namespace heddle_host::api {
namespace {

using stream::graph;
using stream::node;

// An instantiated graph: its own copy of the nodes, which an update replaces as a whole.
struct executable {
  std::shared_ptr<graph> nodes;
};

// Never destroyed: graphs may be used while the program exits.
handle_table<cudaGraph_t, graph, handle_kind::graph>& graphs() {
  static auto& table = *new handle_table<cudaGraph_t, graph, handle_kind::graph>;
  return table;
}

handle_table<cudaGraphExec_t, executable, handle_kind::executable_graph>& executables() {
  static auto& table =
      *new handle_table<cudaGraphExec_t, executable, handle_kind::executable_graph>;
  return table;
}

cudaGraphNode_t handle_of(node* of) { return reinterpret_cast<cudaGraphNode_t>(of); }

// Adds a node; its dependencies must be nodes of the same graph.
cudaError_t add_node(cudaGraphNode_t* handle, cudaGraph_t to, const cudaGraphNode_t* dependencies,
                     std::size_t dependency_count, node what) {
  const auto found = graphs().find(to);
  if (found == nullptr || handle == nullptr) return cudaErrorInvalidValue;
  if (dependency_count > 0 && dependencies == nullptr) return cudaErrorInvalidValue;
  for (std::size_t index = 0; index < dependency_count; ++index) {
    const auto known = std::find_if(
        found->nodes.begin(), found->nodes.end(),
        [&](const auto& each) { return handle_of(each.get()) == dependencies[index]; });
    if (known == found->nodes.end()) return cudaErrorInvalidValue;
    what.dependencies.push_back(known->get());
  }
  found->nodes.push_back(std::make_shared<node>(std::move(what)));
  *handle = handle_of(found->nodes.back().get());
  return cudaSuccess;
}

node node_of(stream::operation what) {
  node made;
  made.type = what.type;
  made.run = std::move(what.run);
  return made;
}

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

cudaError_t instantiate(cudaGraphExec_t* handle, cudaGraph_t from) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  const auto found = graphs().find(from);
  if (found == nullptr) return cudaErrorInvalidValue;
  auto made = std::make_shared<executable>();
  made->nodes = stream::clone(*found);
  *handle = executables().add(std::move(made));
  return cudaSuccess;
}

cudaError_t update(cudaGraphExec_t handle, cudaGraph_t from, cudaGraphExecUpdateResult& result) {
  result = cudaGraphExecUpdateError;
  const auto target = executables().find(handle);
  const auto source = graphs().find(from);
  if (target == nullptr || source == nullptr) return cudaErrorInvalidValue;
  result = stream::compare_topology(*target->nodes, *source);
  if (result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
  target->nodes = stream::clone(*source);
  return cudaSuccess;
}

cudaError_t launch(cudaGraphExec_t handle, cudaStream_t on) {
  const auto found = executables().find(handle);
  if (found == nullptr) return cudaErrorInvalidValue;
  stream::operation what;
  what.is_host_code = stream::has_host_code(*found->nodes);
  what.run = [nodes = found->nodes] { return stream::replay(nodes->nodes); };
  what.type = cudaGraphNodeTypeGraph;
  return enqueue(on, std::move(what), stream::urgency::background);
}

}  // namespace

void forget_graphs() {
  graphs().take_all();
  executables().take_all();
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;
using stream::node;

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return device_call([&] {
    if (graph == nullptr) return cudaErrorInvalidValue;
    *graph = nullptr;
    const stream::queue_pointer on = api::find_stream(handle);
    if (on == nullptr) return cudaErrorInvalidResourceHandle;
    std::shared_ptr<stream::graph> captured;
    const cudaError_t error = stream::end_capture(on, captured);
    if (captured != nullptr) *graph = api::graphs().add(std::move(captured));
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
  return device_call(
      [&] { return api::graphs().take(graph) == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  return device_call([&] {
    const auto found = api::graphs().find(original);
    if (found == nullptr || clone == nullptr) return cudaErrorInvalidValue;
    *clone = api::graphs().add(stream::clone(*found));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t dependency_count) {
  return device_call(
      [&] { return api::add_node(handle, graph, dependencies, dependency_count, node{}); });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t dependency_count,
                                   const cudaKernelNodeParams* parameters) {
  return device_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    if (parameters->extra != nullptr) return cudaErrorNotSupported;
    launch_shape shape;
    shape.grid = parameters->gridDim;
    shape.block = parameters->blockDim;
    shape.dynamic_shared_bytes = parameters->sharedMemBytes;
    stream::operation work;
    const cudaError_t error =
        api::prepare_launch(work, parameters->func, shape, parameters->kernelParams);
    if (error != cudaSuccess) return error;
    return api::add_node(handle, graph, dependencies, dependency_count,
                         api::node_of(std::move(work)));
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t dependency_count,
                                 const cudaHostNodeParams* parameters) {
  return device_call([&] {
    if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
    node what;
    what.type = cudaGraphNodeTypeHost;
    what.is_host_code = true;
    what.run = [called = *parameters] {
      called.fn(called.userData);
      return cudaSuccess;
    };
    return api::add_node(handle, graph, dependencies, dependency_count, std::move(what));
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t dependency_count,
                                   const cudaMemcpy3DParms* parameters) {
  return device_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    memory::copy what;
    if (const cudaError_t error = api::read_parameters(what, *parameters); error != cudaSuccess) {
      return error;
    }
    const cudaError_t error = memory::check(what, parameters->kind);
    if (error != cudaSuccess) return error;
    return api::add_node(handle, graph, dependencies, dependency_count,
                         api::node_of(api::operation_for(what)));
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* handle, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t dependency_count,
                                     void* destination, const void* source, size_t bytes,
                                     cudaMemcpyKind kind) {
  return device_call([&] {
    const memory::copy what = memory::flat_copy(destination, source, bytes);
    const cudaError_t error = memory::check(what, kind);
    if (error != cudaSuccess) return error;
    return api::add_node(handle, graph, dependencies, dependency_count,
                         api::node_of(api::operation_for(what)));
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t dependency_count,
                                   const cudaMemsetParams* parameters) {
  return device_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    const std::size_t element = parameters->elementSize;
    if (element != 1 && element != 2 && element != 4) return cudaErrorInvalidValue;
    memory::fill what;
    what.destination = parameters->dst;
    what.value = static_cast<int>(parameters->value);
    what.width = parameters->width * element;
    what.height = parameters->height;
    what.pitch = parameters->pitch;
    what.element_bytes = element;
    const cudaError_t error = memory::check(what);
    if (error != cudaSuccess) return error;
    return api::add_node(handle, graph, dependencies, dependency_count,
                         api::node_of(api::operation_for(what)));
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t dependency_count,
                                       cudaGraph_t child) {
  return device_call([&] {
    const auto found = api::graphs().find(child);
    if (found == nullptr || child == graph) return cudaErrorInvalidValue;
    node what;
    what.type = cudaGraphNodeTypeGraph;
    what.is_host_code = stream::has_host_code(*found);
    what.run = [inner = stream::clone(*found)] { return stream::replay(inner->nodes); };
    return api::add_node(handle, graph, dependencies, dependency_count, std::move(what));
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

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return device_call([&] {
    if (handle == nullptr || type == nullptr) return cudaErrorInvalidValue;
    *type = reinterpret_cast<const node*>(handle)->type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  return device_call([&] { return api::instantiate(executable, graph); });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 cudaGraphNode_t* error_node, char* log, size_t log_bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes > 0) *log = '\0';
  return device_call([&] { return api::instantiate(executable, graph); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  return device_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = api::instantiate(executable, graph);
    parameters->errNode_out = nullptr;
    parameters->result_out =
        error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return error;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  return device_call([&] {
    if (result == nullptr) return cudaErrorInvalidValue;
    *result = {};
    return api::update(executable, graph, result->result);
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphNode_t* error_node, cudaGraphExecUpdateResult* result) {
  return device_call([&] {
    if (result == nullptr) return cudaErrorInvalidValue;
    if (error_node != nullptr) *error_node = nullptr;
    return api::update(executable, graph, *result);
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return device_call([&] {
    if (api::executables().find(executable) == nullptr) return cudaErrorInvalidValue;
    return api::find_stream(stream) == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return device_call([&] { return api::launch(executable, stream); });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return device_call([&] {
    return api::executables().take(executable) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}
