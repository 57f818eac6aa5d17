// The host API for executable graphs: instantiation, updates, launches.
#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/graph_memory.hpp"
#include "api/graphs.hpp"
#include "api/streams.hpp"
#include "stream/event.hpp"

namespace heddle_host::api {

// Never destroyed: graphs may be used while the program exits.
handle_table<cudaGraphExec_t, executable, handle_kind::executable_graph>& executables() {
  static auto& table =
      *new handle_table<cudaGraphExec_t, executable, handle_kind::executable_graph>;
  return table;
}

namespace {

using stream::graph;
using stream::node;

cudaError_t sort_with_bodies(graph& which) {
  if (!stream::sort(which)) return cudaErrorInvalidValue;
  for (const auto& each : which.nodes) {
    for (const auto& body : each->bodies) {
      if (sort_with_bodies(*body) != cudaSuccess) return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

cudaError_t instantiate(cudaGraphExec_t* handle, cudaGraph_t from, unsigned long long flags) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  const auto found = graphs().find(from);
  if (found == nullptr) return cudaErrorInvalidValue;
  auto made = std::make_shared<executable>();
  made->nodes = stream::clone(*found);
  made->flags = flags;
  cudaError_t error = sort_with_bodies(*made->nodes);
  if (error == cudaSuccess) error = claim_memory(*made->nodes, made);
  if (error == cudaSuccess) *handle = executables().add(std::move(made));
  return error;
}

cudaError_t update(cudaGraphExec_t handle, cudaGraph_t from, cudaGraphExecUpdateResult& result) {
  result = cudaGraphExecUpdateError;
  const auto target = executables().find(handle);
  const auto source = graphs().find(from);
  if (target == nullptr || source == nullptr) return cudaErrorInvalidValue;
  const auto fresh = stream::clone(*source);
  if (sort_with_bodies(*fresh) != cudaSuccess) return cudaErrorInvalidValue;
  result = stream::compare_topology(*target->nodes, *fresh);
  if (result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
  if (claim_memory(*fresh, target) != cudaSuccess) {
    result = cudaGraphExecUpdateErrorNotSupported;
    return cudaErrorGraphExecUpdateFailure;
  }
  stream::take_originals(*fresh, *target->nodes);
  target->nodes = fresh;
  return cudaSuccess;
}

// A launch of an executable graph waits for the previous one, even in another stream.
cudaError_t launch(cudaGraphExec_t handle, cudaStream_t on) {
  const auto found = executables().find(handle);
  if (found == nullptr) return cudaErrorInvalidValue;
  const stream::queue_pointer to = find_stream(on);
  if (to == nullptr) return refuse(cudaErrorInvalidResourceHandle, on);
  const bool frees_first = (found->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  const cudaError_t error = account_for_launch(*found->nodes, frees_first);
  if (error != cudaSuccess) return error;
  stream::operation what;
  what.is_host_code = stream::has_host_code(*found->nodes);
  what.run = [nodes = found->nodes] { return stream::launch(*nodes); };
  what.type = cudaGraphNodeTypeGraph;
  if (found->last_launch.on != nullptr && found->last_launch.on != to) {
    what.waits.push_back(found->last_launch);
  }
  stream::for_each_node(*found->nodes, [&](const node& each) {
    if (each.awaited == nullptr) return;
    const stream::point awaited = each.awaited->last_point();
    if (awaited.on != nullptr) what.waits.push_back(awaited);
  });
  const stream::submission sent = stream::submit(to, std::move(what), stream::urgency::background);
  if (sent.error == cudaSuccess && !sent.was_captured) found->last_launch = sent.done;
  return sent.error;
}

node* find_clone(graph& in, const node* original) {
  node* found = nullptr;
  stream::for_each_node(in, [&](node& each) {
    if (each.original == original) found = &each;
  });
  return found;
}

// Calls `change(node)` for the executable graph's clone of a node. Launches that have already been
// submitted keep the old nodes.
template <typename Change>
cudaError_t change_node(cudaGraphExec_t handle, cudaGraphNode_t original, Change change) {
  return device_call([&] {
    const auto of = executables().find(handle);
    if (of == nullptr || original == nullptr) return cudaErrorInvalidValue;
    if (of->nodes.use_count() > 1) {
      const auto fresh = stream::clone(*of->nodes);
      stream::take_originals(*fresh, *of->nodes);
      of->nodes = fresh;
    }
    node* const found = find_clone(*of->nodes, node_of(original));
    return found == nullptr ? cudaErrorInvalidValue : change(*found);
  });
}

// Replaces the node's content by what `read(made)` makes.
template <typename Read>
cudaError_t set(cudaGraphExec_t handle, cudaGraphNode_t original, Read read) {
  return change_node(handle, original, [&](node& of) {
    node made;
    const cudaError_t error = read(made);
    return error != cudaSuccess ? error : replace_content(of, std::move(made));
  });
}

}  // namespace
}  // namespace heddle_host::api

using namespace heddle_host;
using api::device_call;
using stream::node;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return device_call([&] { return api::instantiate(executable, graph, flags); });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 cudaGraphNode_t* error_node, char* log, size_t log_bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes > 0) *log = '\0';
  return device_call([&] { return api::instantiate(executable, graph, 0); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  return device_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = api::instantiate(executable, graph, parameters->flags);
    parameters->errNode_out = nullptr;
    parameters->result_out =
        error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return error;
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  return device_call([&] {
    const auto found = api::executables().find(executable);
    if (found == nullptr || flags == nullptr) return cudaErrorInvalidValue;
    *flags = found->flags;
    return cudaSuccess;
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

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                       cudaGraphNodeParams* parameters) {
  return api::set(executable, handle, [&](node& made) {
    return parameters == nullptr ? cudaErrorInvalidValue : api::read_any_node(made, *parameters);
  });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                             const cudaKernelNodeParams* parameters) {
  return api::change_node(executable, handle, [&](node& of) {
    node made;
    const cudaError_t error = api::read_node(
        made, parameters,
        of.parameters == nullptr ? std::vector<cudaLaunchAttribute>() : of.parameters->attributes);
    return error != cudaSuccess ? error : api::replace_content(of, std::move(made));
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                             const cudaMemcpy3DParms* parameters) {
  return api::set(executable, handle, [&](node& made) { return api::read_node(made, parameters); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                               void* destination, const void* source, size_t bytes,
                                               cudaMemcpyKind kind) {
  return api::set(executable, handle, [&](node& made) {
    return api::read_flat_copy(made, destination, source, bytes, kind);
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                             const cudaMemsetParams* parameters) {
  return api::set(executable, handle, [&](node& made) { return api::read_node(made, parameters); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                           const cudaHostNodeParams* parameters) {
  return api::set(executable, handle, [&](node& made) { return api::read_node(made, parameters); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                 cudaGraph_t child) {
  return api::change_node(executable, handle, [&](node& of) {
    node made;
    const cudaError_t error = api::read_child_graph(made, child);
    if (error != cudaSuccess) return error;
    if (of.type != cudaGraphNodeTypeGraph) return cudaErrorInvalidValue;
    const auto result = stream::compare_topology(*of.bodies.front(), *made.bodies.front());
    if (result != cudaGraphExecUpdateSuccess) return cudaErrorInvalidValue;
    stream::take_originals(*made.bodies.front(), *of.bodies.front());
    return api::replace_content(of, std::move(made));
  });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                                 cudaEvent_t event) {
  return api::set(executable, handle, [&](node& made) {
    return api::read_event_node(made, cudaGraphNodeTypeEventRecord, event);
  });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                               cudaEvent_t event) {
  return api::set(executable, handle, [&](node& made) {
    return api::read_event_node(made, cudaGraphNodeTypeWaitEvent, event);
  });
}

namespace {
// CUDA allows only these types to be disabled.
bool can_be_disabled(const node& which) {
  return which.type == cudaGraphNodeTypeKernel || which.type == cudaGraphNodeTypeMemset ||
         which.type == cudaGraphNodeTypeMemcpy;
}
}  // namespace

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                    unsigned int is_enabled) {
  return api::change_node(executable, handle, [&](node& of) {
    if (!can_be_disabled(of)) return cudaErrorInvalidValue;
    of.is_enabled = is_enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t handle,
                                    unsigned int* is_enabled) {
  return device_call([&] {
    const auto of = api::executables().find(executable);
    if (of == nullptr || handle == nullptr || is_enabled == nullptr) return cudaErrorInvalidValue;
    const node* const found = api::find_clone(*of->nodes, api::node_of(handle));
    if (found == nullptr || !can_be_disabled(*found)) return cudaErrorInvalidValue;
    *is_enabled = found->is_enabled ? 1 : 0;
    return cudaSuccess;
  });
}
