// Graph nodes: memory, conditional, event and child graph nodes, and their parameters.
#include <tuple>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void multiply_and_add(unsigned* value, unsigned factor, unsigned term) {
  *value = *value * factor + term;
}

__global__ void write_ranks(unsigned* values, unsigned factor) {
  values[rank_in_grid()] = rank_in_grid() * factor;
}

__global__ void add_ranks(unsigned* results, const unsigned* values) {
  results[rank_in_grid()] += values[rank_in_grid()];
}

namespace {

// A graph, its executable graph, and a stream.
struct fixture {
  fixture() {
    CHECKED(cudaGraphCreate(&graph, 0));
    CHECKED(cudaStreamCreate(&stream));
  }
  ~fixture() {
    if (executable != nullptr) CHECKED(cudaGraphExecDestroy(executable));
    CHECKED(cudaGraphDestroy(graph));
    CHECKED(cudaStreamDestroy(stream));
  }
  void instantiate(unsigned long long flags = 0) {
    CHECKED(cudaGraphInstantiate(&executable, graph, flags));
  }
  void launch() {
    CHECKED(cudaGraphLaunch(executable, stream));
    CHECKED(cudaStreamSynchronize(stream));
  }

  cudaGraph_t graph = nullptr;
  cudaStream_t stream = nullptr;
  cudaGraphExec_t executable = nullptr;
};

template <typename... P, typename... A>
cudaGraphNode_t add_kernel(cudaGraph_t graph, std::vector<cudaGraphNode_t> after, dim3 grid,
                           dim3 block, void (*kernel)(P...), A... arguments) {
  std::tuple<P...> values{arguments...};
  cudaGraphNode_t node = nullptr;
  std::apply(
      [&](auto&... each) {
        void* pointers[] = {&each..., nullptr};
        cudaKernelNodeParams parameters{};
        parameters.func = reinterpret_cast<void*>(kernel);
        parameters.gridDim = grid;
        parameters.blockDim = block;
        parameters.kernelParams = pointers;
        CHECKED(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters));
      },
      values);
  return node;
}

cudaMemAllocNodeParams allocation_of(std::size_t bytes) {
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.poolProps.location.id = 0;
  parameters.bytesize = bytes;
  return parameters;
}

// Adds a conditional node that depends on `after`, and returns its bodies.
std::vector<cudaGraph_t> add_conditional(cudaGraph_t graph, std::vector<cudaGraphNode_t> after,
                                         cudaGraphConditionalHandle handle,
                                         cudaGraphConditionalNodeType type, unsigned bodies) {
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = bodies;
  cudaGraphNode_t node;
  CHECKED(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &parameters));
  return {parameters.conditional.phGraph_out, parameters.conditional.phGraph_out + bodies};
}

}  // namespace

__global__ void choose(cudaGraphConditionalHandle handle, const unsigned* value, unsigned modulus) {
  cudaGraphSetConditional(handle, *value % modulus);
}

CASE(memory_nodes_allocate_at_every_launch) {
  fixture with;
  const buffer<unsigned> results(128, 0);
  cudaMemAllocNodeParams allocation = allocation_of(128 * sizeof(unsigned));
  cudaGraphNode_t allocated, freed;
  CHECKED(cudaGraphAddMemAllocNode(&allocated, with.graph, nullptr, 0, &allocation));
  unsigned* const memory = static_cast<unsigned*>(allocation.dptr);
  const auto written = add_kernel(with.graph, {allocated}, 2, 64, write_ranks, memory, 3u);
  const auto added =
      add_kernel(with.graph, {written}, 2, 64, add_ranks, static_cast<unsigned*>(results), memory);
  CHECKED(cudaGraphAddMemFreeNode(&freed, with.graph, &added, 1, memory));
  with.instantiate();
  for (int i = 0; i < 3; ++i) with.launch();
  show("results", results);
}

CASE(memory_outlives_the_launch_that_allocates_it) {
  fixture with;
  cudaMemAllocNodeParams allocation = allocation_of(64 * sizeof(unsigned));
  cudaGraphNode_t allocated;
  CHECKED(cudaGraphAddMemAllocNode(&allocated, with.graph, nullptr, 0, &allocation));
  unsigned* const memory = static_cast<unsigned*>(allocation.dptr);
  add_kernel(with.graph, {allocated}, 1, 64, write_ranks, memory, 5u);
  with.instantiate();
  with.launch();
  std::vector<unsigned> values(64);
  CHECKED(cudaMemcpy(values.data(), memory, 64 * sizeof(unsigned), cudaMemcpyDeviceToHost));
  show("values", values);
  SHOW_ERROR(cudaGraphLaunch(with.executable, with.stream));  // still allocated
  CHECKED(cudaFreeAsync(memory, with.stream));
  with.launch();
  CHECKED(cudaFree(memory));
  SHOW_ERROR(cudaFree(memory));
  cudaGetLastError();
}

CASE(instantiated_to_free_on_launch) {
  fixture with;
  cudaMemAllocNodeParams allocation = allocation_of(64 * sizeof(unsigned));
  cudaGraphNode_t allocated;
  CHECKED(cudaGraphAddMemAllocNode(&allocated, with.graph, nullptr, 0, &allocation));
  with.instantiate(cudaGraphInstantiateFlagAutoFreeOnLaunch);
  for (int i = 0; i < 3; ++i) with.launch();
  CHECKED(cudaFree(allocation.dptr));
}

CASE(captured_allocations_become_memory_nodes) {
  fixture with;
  const buffer<unsigned> results(64, 0);
  unsigned* memory = nullptr;
  cudaGraph_t captured;
  CHECKED(cudaStreamBeginCapture(with.stream, cudaStreamCaptureModeGlobal));
  CHECKED(cudaMallocAsync(reinterpret_cast<void**>(&memory), 64 * sizeof(unsigned), with.stream));
  write_ranks<<<1, 64, 0, with.stream>>>(memory, 7);
  add_ranks<<<1, 64, 0, with.stream>>>(results, memory);
  CHECKED(cudaFreeAsync(memory, with.stream));
  CHECKED(cudaStreamEndCapture(with.stream, &captured));
  std::size_t count = 0;
  CHECKED(cudaGraphGetNodes(captured, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  CHECKED(cudaGraphGetNodes(captured, nodes.data(), &count));
  for (const cudaGraphNode_t each : nodes) {
    cudaGraphNodeType type;
    CHECKED(cudaGraphNodeGetType(each, &type));
    std::printf("type %d\n", static_cast<int>(type));
  }
  CHECKED(cudaGraphInstantiate(&with.executable, captured, 0));
  CHECKED(cudaGraphDestroy(captured));
  for (int i = 0; i < 2; ++i) with.launch();
  show("results", results);
}

CASE(conditional_if_and_else) {
  for (unsigned start = 0; start < 2; ++start) {
    fixture with;
    const buffer<unsigned> value(std::vector<unsigned>{start}), result(1, 0);
    cudaGraphConditionalHandle handle;
    CHECKED(cudaGraphConditionalHandleCreate(&handle, with.graph, 0, 0));
    const auto chosen =
        add_kernel(with.graph, {}, 1, 1, choose, handle, static_cast<const unsigned*>(value), 2u);
    const auto bodies = add_conditional(with.graph, {chosen}, handle, cudaGraphCondTypeIf, 2);
    add_kernel(bodies[0], {}, 1, 1, multiply_and_add, static_cast<unsigned*>(result), 10u, 1u);
    add_kernel(bodies[1], {}, 1, 1, multiply_and_add, static_cast<unsigned*>(result), 10u, 2u);
    with.instantiate();
    for (int i = 0; i < 2; ++i) with.launch();
    show("result", result);
  }
}

__global__ void step_while(cudaGraphConditionalHandle handle, unsigned* value, unsigned limit) {
  *value += 3;
  cudaGraphSetConditional(handle, *value < limit);
}

CASE(conditional_while) {
  fixture with;
  const buffer<unsigned> value(1, 0), count(1, 0);
  cudaGraphConditionalHandle handle;
  CHECKED(cudaGraphConditionalHandleCreate(&handle, with.graph, 1, cudaGraphCondAssignDefault));
  const auto bodies = add_conditional(with.graph, {}, handle, cudaGraphCondTypeWhile, 1);
  const auto counted =
      add_kernel(bodies[0], {}, 1, 1, multiply_and_add, static_cast<unsigned*>(count), 1u, 1u);
  add_kernel(bodies[0], {counted}, 1, 1, step_while, handle, static_cast<unsigned*>(value), 20u);
  with.instantiate();
  with.launch();
  show("value", value);
  show("count", count);
  with.launch();  // the default value starts the loop again
  show("value", value);
  show("count", count);
}

CASE(conditional_switch) {
  fixture with;
  const buffer<unsigned> value(1, 0), result(1, 0);
  cudaGraphConditionalHandle handle;
  CHECKED(cudaGraphConditionalHandleCreate(&handle, with.graph, 0, 0));
  const auto chosen =
      add_kernel(with.graph, {}, 1, 1, choose, handle, static_cast<const unsigned*>(value), 4u);
  const auto bodies = add_conditional(with.graph, {chosen}, handle, cudaGraphCondTypeSwitch, 3);
  for (unsigned i = 0; i < 3; ++i) {
    add_kernel(bodies[i], {}, 1, 1, multiply_and_add, static_cast<unsigned*>(result), 10u, i + 1);
  }
  with.instantiate();
  for (unsigned i = 0; i < 5; ++i) {
    CHECKED(cudaMemcpy(value, &i, sizeof i, cudaMemcpyHostToDevice));
    with.launch();
    show("result", result);
  }
}

CASE(conditional_node_in_a_captured_stream) {
  fixture with;
  const buffer<unsigned> value(std::vector<unsigned>{1}), result(1, 0);
  cudaGraph_t captured, seen;
  const cudaGraphNode_t* before = nullptr;
  std::size_t count = 0;
  cudaStreamCaptureStatus status;
  CHECKED(cudaStreamBeginCapture(with.stream, cudaStreamCaptureModeGlobal));
  multiply_and_add<<<1, 1, 0, with.stream>>>(result, 10, 1);
  CHECKED(cudaStreamGetCaptureInfo(with.stream, &status, nullptr, &seen, &before, nullptr, &count));
  std::printf("nodes before: %zu\n", count);
  cudaGraphConditionalHandle handle;
  CHECKED(cudaGraphConditionalHandleCreate(&handle, seen, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional.handle = handle;
  parameters.conditional.type = cudaGraphCondTypeIf;
  parameters.conditional.size = 1;
  cudaGraphNode_t conditional;
  CHECKED(cudaGraphAddNode(&conditional, seen, before, nullptr, count, &parameters));
  CHECKED(cudaStreamUpdateCaptureDependencies(with.stream, &conditional, nullptr, 1,
                                              cudaStreamSetCaptureDependencies));
  multiply_and_add<<<1, 1, 0, with.stream>>>(result, 10, 3);
  CHECKED(cudaStreamEndCapture(with.stream, &captured));
  CHECKED(cudaStreamBeginCaptureToGraph(with.stream, parameters.conditional.phGraph_out[0], nullptr,
                                        nullptr, 0, cudaStreamCaptureModeGlobal));
  multiply_and_add<<<1, 1, 0, with.stream>>>(result, 10, 2);
  CHECKED(cudaStreamEndCapture(with.stream, nullptr));
  CHECKED(cudaGraphInstantiate(&with.executable, captured, 0));
  with.launch();
  show("result", result);
  CHECKED(cudaGraphDestroy(captured));
}

CASE(new_parameters_of_executable_nodes) {
  fixture with;
  const buffer<unsigned> result(1, 0), copied(1, 0), filled(8, 0);
  unsigned* const memory = result;
  const auto first = add_kernel(with.graph, {}, 1, 1, multiply_and_add, memory, 10u, 1u);
  cudaGraphNode_t copy, fill;
  CHECKED(cudaGraphAddMemcpyNode1D(&copy, with.graph, &first, 1, copied, result, sizeof(unsigned),
                                   cudaMemcpyDeviceToDevice));
  cudaMemsetParams pattern{};
  pattern.dst = filled;
  pattern.value = 0x01020304;
  pattern.elementSize = 4;
  pattern.width = 8;
  pattern.height = 1;
  CHECKED(cudaGraphAddMemsetNode(&fill, with.graph, &copy, 1, &pattern));
  with.instantiate();
  with.launch();
  unsigned factor = 100, term = 7;
  void* arguments[] = {const_cast<unsigned**>(&memory), &factor, &term};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(multiply_and_add);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  CHECKED(cudaGraphExecKernelNodeSetParams(with.executable, first, &parameters));
  pattern.value = 9;
  pattern.width = 4;
  CHECKED(cudaGraphExecMemsetNodeSetParams(with.executable, fill, &pattern));
  with.launch();
  show("result", result);
  show("copied", copied);
  show("filled", filled);
  CHECKED(cudaGraphNodeSetEnabled(with.executable, first, 0));
  with.launch();
  show("result", result);
  unsigned is_enabled = 7;
  CHECKED(cudaGraphNodeGetEnabled(with.executable, first, &is_enabled));
  std::printf("enabled: %u\n", is_enabled);
}

CASE(parameters_of_nodes_can_be_read) {
  fixture with;
  const buffer<unsigned> result(1, 0);
  const auto node =
      add_kernel(with.graph, {}, 3, 1, multiply_and_add, static_cast<unsigned*>(result), 10u, 4u);
  cudaKernelNodeParams parameters{};
  CHECKED(cudaGraphKernelNodeGetParams(node, &parameters));
  std::printf("grid %u, factor %u, term %u\n", parameters.gridDim.x,
              *static_cast<unsigned*>(parameters.kernelParams[1]),
              *static_cast<unsigned*>(parameters.kernelParams[2]));
  parameters.gridDim = dim3(1);
  CHECKED(cudaGraphKernelNodeSetParams(node, &parameters));
  with.instantiate();
  with.launch();
  with.launch();
  show("result", result);
}

CASE(child_graphs_are_copies) {
  fixture with, inner;
  const buffer<unsigned> result(1, 0);
  unsigned* const memory = result;
  const auto first = add_kernel(inner.graph, {}, 1, 1, multiply_and_add, memory, 10u, 1u);
  add_kernel(inner.graph, {first}, 1, 1, multiply_and_add, memory, 10u, 2u);
  cudaGraphNode_t one, two;
  CHECKED(cudaGraphAddChildGraphNode(&one, with.graph, nullptr, 0, inner.graph));
  add_kernel(inner.graph, {first}, 1, 1, multiply_and_add, memory, 10u, 9u);  // not in the copy
  CHECKED(cudaGraphAddChildGraphNode(&two, with.graph, &one, 1, inner.graph));
  cudaGraph_t copy;
  std::size_t count = 0;
  CHECKED(cudaGraphChildGraphNodeGetGraph(one, &copy));
  CHECKED(cudaGraphGetNodes(copy, nullptr, &count));
  std::printf("nodes: %zu\n", count);
  CHECKED(cudaGraphChildGraphNodeGetGraph(two, &copy));
  CHECKED(cudaGraphGetNodes(copy, nullptr, &count));
  std::printf("nodes: %zu\n", count);
  CHECKED(cudaGraphDestroyNode(two));
  with.instantiate();
  with.launch();
  show("result", result);
}

CASE(edges_can_be_changed) {
  fixture with;
  const buffer<unsigned> result(1, 0);
  unsigned* const memory = result;
  const auto one = add_kernel(with.graph, {}, 1, 1, multiply_and_add, memory, 10u, 1u);
  const auto two = add_kernel(with.graph, {one}, 1, 1, multiply_and_add, memory, 10u, 2u);
  const auto three = add_kernel(with.graph, {two}, 1, 1, multiply_and_add, memory, 10u, 3u);
  // now two, three, one
  CHECKED(cudaGraphRemoveDependencies(with.graph, &one, &two, nullptr, 1));
  CHECKED(cudaGraphAddDependencies(with.graph, &three, &one, nullptr, 1));
  SHOW_ERROR(cudaGraphAddDependencies(with.graph, &three, &one, nullptr, 1));
  cudaGetLastError();
  std::size_t count = 0;
  CHECKED(cudaGraphGetEdges(with.graph, nullptr, nullptr, nullptr, &count));
  std::printf("edges: %zu\n", count);
  CHECKED(cudaGraphNodeGetDependentNodes(two, nullptr, nullptr, &count));
  std::printf("after two: %zu\n", count);
  CHECKED(cudaGraphNodeGetDependencies(one, nullptr, nullptr, &count));
  std::printf("before one: %zu\n", count);
  with.instantiate();
  with.launch();
  show("result", result);
}

CASE(a_circle_cannot_be_instantiated) {
  fixture with;
  const buffer<unsigned> result(1, 0);
  unsigned* const memory = result;
  const auto one = add_kernel(with.graph, {}, 1, 1, multiply_and_add, memory, 10u, 1u);
  const auto two = add_kernel(with.graph, {one}, 1, 1, multiply_and_add, memory, 10u, 2u);
  const bool is_refused =  // when the edge is added, or at the latest by the instantiation
      cudaGraphAddDependencies(with.graph, &two, &one, nullptr, 1) != cudaSuccess ||
      cudaGraphInstantiate(&with.executable, with.graph, 0) != cudaSuccess;
  std::printf("refused: %d\n", is_refused);
  with.executable = nullptr;
  cudaGetLastError();
}

CASE(event_nodes_record_at_every_launch) {
  fixture with;
  const buffer<unsigned> result(1, 0);
  cudaEvent_t event, other;
  CHECKED(cudaEventCreate(&event));
  CHECKED(cudaEventCreate(&other));
  const auto step =
      add_kernel(with.graph, {}, 1, 1, multiply_and_add, static_cast<unsigned*>(result), 10u, 1u);
  cudaGraphNode_t recorded, waited;
  CHECKED(cudaGraphAddEventRecordNode(&recorded, with.graph, &step, 1, event));
  CHECKED(cudaGraphAddEventWaitNode(&waited, with.graph, &recorded, 1, other));
  cudaEvent_t known = nullptr;
  CHECKED(cudaGraphEventRecordNodeGetEvent(recorded, &known));
  std::printf("same event: %d\n", known == event);
  with.instantiate();
  with.launch();
  SHOW_ERROR(cudaEventQuery(event));
  show("result", result);
  CHECKED(cudaEventDestroy(event));
  CHECKED(cudaEventDestroy(other));
}

CASE(nodes_are_found_in_a_clone) {
  fixture with;
  const buffer<unsigned> result(1, 0);
  unsigned* const memory = result;
  const auto one = add_kernel(with.graph, {}, 1, 1, multiply_and_add, memory, 10u, 1u);
  cudaGraph_t clone;
  CHECKED(cudaGraphClone(&clone, with.graph));
  cudaGraphNode_t found = nullptr;
  CHECKED(cudaGraphNodeFindInClone(&found, one, clone));
  cudaKernelNodeParams parameters{};
  CHECKED(cudaGraphKernelNodeGetParams(found, &parameters));
  unsigned term = 8;
  void* arguments[] = {parameters.kernelParams[0], parameters.kernelParams[1], &term};
  parameters.kernelParams = arguments;
  CHECKED(cudaGraphKernelNodeSetParams(found, &parameters));
  with.instantiate();
  with.launch();
  show("original", result);
  cudaGraphExec_t other;
  CHECKED(cudaGraphInstantiate(&other, clone, 0));
  CHECKED(cudaGraphLaunch(other, with.stream));
  CHECKED(cudaStreamSynchronize(with.stream));
  show("clone", result);
  CHECKED(cudaGraphExecDestroy(other));
  CHECKED(cudaGraphDestroy(clone));
}
