// Makes graph nodes from CUDA's parameters, and returns their parameters.
#include <algorithm>
#include <cstring>

#include <cuda_runtime_api.h>
#include <heddle_host/function.hpp>

#include "api/call.hpp"
#include "api/graph_memory.hpp"
#include "api/graphs.hpp"
#include "api/known_kernels.hpp"
#include "api/streams.hpp"
#include "api/transfer.hpp"

namespace heddle_host::api {
namespace {

using stream::node;

node_parameters& parameters_of(node& made) {
  made.parameters = std::make_shared<node_parameters>();
  return *made.parameters;
}

// Copies the arguments, because the caller may change them after the call.
void keep(node_parameters& in, const cudaKernelNodeParams& given) {
  in.kernel = given;
  const kernel_caller* const caller = find_caller(given.func);
  for (std::size_t index = 0; caller != nullptr && index < caller->parameters; ++index) {
    std::vector<std::byte> value(caller->layouts[index].bytes);
    std::memcpy(value.data(), given.kernelParams[index], value.size());
    in.values.push_back(std::move(value));
    in.arguments.push_back(in.values.back().data());
  }
  in.kernel->kernelParams = in.arguments.empty() ? nullptr : in.arguments.data();
}

void take_work(node& made, stream::operation work) {
  made.type = work.type;
  made.run = std::move(work.run);
  if (work.label != nullptr) made.label = work.label;
}

}  // namespace

cudaError_t read_node(node& made, const cudaKernelNodeParams* parameters,
                      std::vector<cudaLaunchAttribute> attributes) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  if (parameters->extra != nullptr) return cudaErrorNotSupported;
  launch_shape shape;
  cudaLaunchConfig_t config{parameters->gridDim,        parameters->blockDim,
                            parameters->sharedMemBytes, nullptr,
                            attributes.data(),          static_cast<unsigned>(attributes.size())};
  cudaError_t error = read_configuration(shape, &config);
  if (error != cudaSuccess) return error;
  stream::operation work;
  error = prepare_launch(work, parameters->func, shape, parameters->kernelParams);
  if (error != cudaSuccess) return error;
  take_work(made, std::move(work));
  node_parameters& kept = parameters_of(made);
  keep(kept, *parameters);
  kept.attributes = std::move(attributes);
  return cudaSuccess;
}

cudaError_t read_node(node& made, const cudaMemcpy3DParms* parameters) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  memory::copy what;
  cudaError_t error = read_parameters(what, *parameters);
  if (error == cudaSuccess) error = memory::check(what, parameters->kind);
  if (error != cudaSuccess) return error;
  take_work(made, operation_for(what));
  parameters_of(made).copy = *parameters;
  return cudaSuccess;
}

cudaError_t read_flat_copy(node& made, void* destination, const void* source, std::size_t bytes,
                           cudaMemcpyKind kind) {
  cudaMemcpy3DParms flat{};
  flat.srcPtr = {const_cast<void*>(source), bytes, bytes, 1};
  flat.dstPtr = {destination, bytes, bytes, 1};
  flat.extent = {bytes, 1, 1};
  flat.kind = kind;
  const memory::copy what = memory::flat_copy(destination, source, bytes);
  const cudaError_t error = memory::check(what, kind);
  if (error != cudaSuccess) return error;
  take_work(made, operation_for(what));
  parameters_of(made).copy = flat;
  return cudaSuccess;
}

cudaError_t read_node(node& made, const cudaMemsetParams* parameters) {
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
  take_work(made, operation_for(what));
  parameters_of(made).fill = *parameters;
  return cudaSuccess;
}

cudaError_t read_node(node& made, const cudaHostNodeParams* parameters) {
  if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
  made.type = cudaGraphNodeTypeHost;
  made.is_host_code = true;
  made.run = [called = *parameters] {
    called.fn(called.userData);
    return cudaSuccess;
  };
  parameters_of(made).host = *parameters;
  return cudaSuccess;
}

cudaError_t read_child_graph(node& made, cudaGraph_t child) {
  const auto found = graphs().find(child);
  if (found == nullptr) return cudaErrorInvalidValue;
  if (has_memory_nodes(*found)) return cudaErrorNotSupported;
  made.type = cudaGraphNodeTypeGraph;
  made.bodies = {stream::clone(*found)};
  return stream::sort(*made.bodies.front()) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t read_event_node(node& made, cudaGraphNodeType type, cudaEvent_t event) {
  const auto found = find_event(event);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  made.type = type;
  if (type == cudaGraphNodeTypeEventRecord) {
    made.run = [found] {
      found->pass_now();
      return cudaSuccess;
    };
  } else {
    made.awaited = found;
  }
  parameters_of(made).event = event;
  return cudaSuccess;
}

cudaError_t read_any_node(node& made, cudaGraphNodeParams& parameters) {
  switch (parameters.type) {
    case cudaGraphNodeTypeKernel: {
      const auto& given = parameters.kernel;
      const cudaKernelNodeParams kernel{given.func,           given.gridDim,      given.blockDim,
                                        given.sharedMemBytes, given.kernelParams, given.extra};
      return read_node(made, &kernel);
    }
    case cudaGraphNodeTypeMemcpy:
      return read_node(made, &parameters.memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const auto& given = parameters.memset;
      const cudaMemsetParams fill{given.dst,         given.pitch, given.value,
                                  given.elementSize, given.width, given.height};
      return read_node(made, &fill);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams host{parameters.host.fn, parameters.host.userData};
      return read_node(made, &host);
    }
    case cudaGraphNodeTypeGraph:
      return read_child_graph(made, parameters.graph.graph);
    case cudaGraphNodeTypeEmpty:
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      return read_event_node(made, parameters.type, parameters.eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return read_event_node(made, parameters.type, parameters.eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: {
      const cudaError_t error =
          make_allocation(made, parameters.alloc.bytesize, parameters.alloc.poolProps);
      if (error == cudaSuccess) parameters.alloc.dptr = made.memory->base;
      return error;
    }
    case cudaGraphNodeTypeMemFree:
      return make_free(made, parameters.free.dptr);
    case cudaGraphNodeTypeConditional:
      return read_conditional(made, parameters.conditional);
    default:
      return cudaErrorNotSupported;
  }
}

cudaError_t replace_content(node& of, node by) {
  if (of.type != by.type || of.memory != nullptr || of.chooses != nullptr) {
    return cudaErrorInvalidValue;
  }
  of.run = std::move(by.run);
  of.label = std::move(by.label);
  of.bodies = std::move(by.bodies);
  of.awaited = std::move(by.awaited);
  of.parameters = std::move(by.parameters);
  return cudaSuccess;
}

namespace {

// Adds the node that `read(made)` makes.
template <typename Read>
cudaError_t add(cudaGraphNode_t* handle, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                std::size_t count, Read read) {
  return device_call([&] {
    node made;
    const cudaError_t error = read(made);
    if (error != cudaSuccess) return error;
    return add_node(handle, graph, dependencies, count, std::move(made));
  });
}

template <typename Read>
cudaError_t set(cudaGraphNode_t handle, Read read) {
  return device_call([&] {
    if (handle == nullptr) return cudaErrorInvalidValue;
    node made;
    const cudaError_t error = read(made);
    return error != cudaSuccess ? error : replace_content(*node_of(handle), std::move(made));
  });
}

// Writes the value that `choose(parameters)` selects. Captured nodes have no parameters.
template <typename Value, typename Choose>
cudaError_t get(cudaGraphNode_t handle, Value* value, Choose choose) {
  return device_call([&] {
    if (handle == nullptr || value == nullptr) return cudaErrorInvalidValue;
    if (node_of(handle)->parameters == nullptr) return cudaErrorNotSupported;
    const auto& known = choose(*node_of(handle)->parameters);
    if (!known) return cudaErrorInvalidValue;
    *value = *known;
    return cudaSuccess;
  });
}

cudaError_t get_event(cudaGraphNode_t handle, cudaGraphNodeType type, cudaEvent_t* event) {
  return device_call([&] {
    if (handle == nullptr || event == nullptr) return cudaErrorInvalidValue;
    const node& of = *node_of(handle);
    if (of.type != type || of.parameters == nullptr) return cudaErrorInvalidValue;
    *event = of.parameters->event;
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace heddle_host::api

using namespace heddle_host;
using api::add;
using api::device_call;
using api::get;
using api::node_of;
using api::set;
using stream::node;

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return add(handle, graph, dependencies, count, [](node&) { return cudaSuccess; });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return add(handle, graph, dependencies, count,
             [&](node& made) { return api::read_node(made, parameters); });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, cudaKernelNodeParams* parameters) {
  return get(
      handle, parameters, [](const auto& known) -> auto& { return known.kernel; });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle,
                                         const cudaKernelNodeParams* parameters) {
  return set(handle, [&](node& made) {
    const auto& known = node_of(handle)->parameters;
    return api::read_node(
        made, parameters,
        known == nullptr ? std::vector<cudaLaunchAttribute>() : known->attributes);
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaKernelNodeAttrID attribute,
                                            cudaKernelNodeAttrValue* value) {
  return device_call([&] {
    if (handle == nullptr || value == nullptr) return cudaErrorInvalidValue;
    if (node_of(handle)->type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    *value = {};
    if (node_of(handle)->parameters == nullptr) return cudaSuccess;
    for (const cudaLaunchAttribute& each : node_of(handle)->parameters->attributes) {
      if (each.id == attribute) *value = each.val;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaKernelNodeAttrID attribute,
                                            const cudaKernelNodeAttrValue* value) {
  return set(handle, [&](node& made) {
    const auto& known = node_of(handle)->parameters;
    if (value == nullptr) return cudaErrorInvalidValue;
    if (known == nullptr) return cudaErrorNotSupported;  // a captured node
    if (!known->kernel) return cudaErrorInvalidValue;
    std::vector<cudaLaunchAttribute> attributes = known->attributes;
    std::erase_if(attributes, [&](const auto& each) { return each.id == attribute; });
    attributes.push_back({attribute, {}, *value});
    return api::read_node(made, &*known->kernel, std::move(attributes));
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t destination, cudaGraphNode_t source) {
  return set(destination, [&](node& made) {
    if (source == nullptr) return cudaErrorInvalidValue;
    const auto& from = node_of(source)->parameters;
    const auto& to = node_of(destination)->parameters;
    if (from == nullptr || to == nullptr) return cudaErrorNotSupported;
    if (!from->kernel || !to->kernel) return cudaErrorInvalidValue;
    return api::read_node(made, &*to->kernel, from->attributes);
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add(handle, graph, dependencies, count,
             [&](node& made) { return api::read_node(made, parameters); });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle, cudaHostNodeParams* parameters) {
  return get(
      handle, parameters, [](const auto& known) -> auto& { return known.host; });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t handle,
                                       const cudaHostNodeParams* parameters) {
  return set(handle, [&](node& made) { return api::read_node(made, parameters); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return add(handle, graph, dependencies, count,
             [&](node& made) { return api::read_node(made, parameters); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* handle, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     void* destination, const void* source, size_t bytes,
                                     cudaMemcpyKind kind) {
  return add(handle, graph, dependencies, count, [&](node& made) {
    return api::read_flat_copy(made, destination, source, bytes, kind);
  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle, cudaMemcpy3DParms* parameters) {
  return get(
      handle, parameters, [](const auto& known) -> auto& { return known.copy; });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t handle,
                                         const cudaMemcpy3DParms* parameters) {
  return set(handle, [&](node& made) { return api::read_node(made, parameters); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t handle, void* destination,
                                           const void* source, size_t bytes, cudaMemcpyKind kind) {
  return set(handle, [&](node& made) {
    return api::read_flat_copy(made, destination, source, bytes, kind);
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return add(handle, graph, dependencies, count,
             [&](node& made) { return api::read_node(made, parameters); });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, cudaMemsetParams* parameters) {
  return get(
      handle, parameters, [](const auto& known) -> auto& { return known.fill; });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t handle,
                                         const cudaMemsetParams* parameters) {
  return set(handle, [&](node& made) { return api::read_node(made, parameters); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return add(handle, graph, dependencies, count, [&](node& made) {
    return child == graph ? cudaErrorInvalidValue : api::read_child_graph(made, child);
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* graph) {
  return device_call([&] {
    if (handle == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    if (node_of(handle)->type != cudaGraphNodeTypeGraph) return cudaErrorInvalidValue;
    *graph = api::graphs().lend(node_of(handle)->bodies.front());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return add(handle, graph, dependencies, count, [&](node& made) {
    return api::read_event_node(made, cudaGraphNodeTypeEventRecord, event);
  });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t* event) {
  return api::get_event(handle, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t handle, cudaEvent_t event) {
  return set(handle, [&](node& made) {
    return api::read_event_node(made, cudaGraphNodeTypeEventRecord, event);
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return add(handle, graph, dependencies, count, [&](node& made) {
    return api::read_event_node(made, cudaGraphNodeTypeWaitEvent, event);
  });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t* event) {
  return api::get_event(handle, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t handle, cudaEvent_t event) {
  return set(handle, [&](node& made) {
    return api::read_event_node(made, cudaGraphNodeTypeWaitEvent, event);
  });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                             size_t count, cudaGraphNodeParams* parameters) {
  return add(handle, graph, dependencies, count, [&](node& made) {
    return parameters == nullptr ? cudaErrorInvalidValue : api::read_any_node(made, *parameters);
  });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t handle, cudaGraphNodeParams* parameters) {
  return set(handle, [&](node& made) {
    return parameters == nullptr ? cudaErrorInvalidValue : api::read_any_node(made, *parameters);
  });
}
