// Conditional nodes, and the values that kernels set for them.
#include <map>
#include <mutex>

#include <cuda_device_runtime_api.h>
#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/graphs.hpp"

namespace heddle_host::api {
namespace {

using stream::condition;

struct condition_table {
  std::mutex mutex;
  std::map<cudaGraphConditionalHandle, std::weak_ptr<condition>> by_handle;
  cudaGraphConditionalHandle next = 1;
};

// Never destroyed: graphs may run while the program exits.
condition_table& all() {
  static condition_table& only = *new condition_table;
  return only;
}

std::shared_ptr<condition> find_condition(cudaGraphConditionalHandle handle) {
  const std::lock_guard lock(all().mutex);
  const auto found = all().by_handle.find(handle);
  return found == all().by_handle.end() ? nullptr : found->second.lock();
}

bool is_possible(cudaGraphConditionalNodeType type, unsigned bodies) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return bodies == 1 || bodies == 2;
    case cudaGraphCondTypeWhile:
      return bodies == 1;
    case cudaGraphCondTypeSwitch:
      return bodies >= 1;
  }
  return false;
}

}  // namespace

cudaError_t read_conditional(stream::node& made, cudaConditionalNodeParams& parameters) {
  if (!is_possible(parameters.type, parameters.size)) return cudaErrorInvalidValue;
  made.chooses = find_condition(parameters.handle);
  if (made.chooses == nullptr) return cudaErrorInvalidValue;
  made.type = cudaGraphNodeTypeConditional;
  made.chooses_as = parameters.type;
  made.parameters = std::make_shared<node_parameters>();
  for (unsigned body = 0; body < parameters.size; ++body) {
    made.bodies.push_back(std::make_shared<stream::graph>());
    made.parameters->bodies.push_back(graphs().lend(made.bodies.back()));
  }
  parameters.phGraph_out = made.parameters->bodies.data();
  return cudaSuccess;
}

}  // namespace heddle_host::api

using namespace heddle_host;

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int default_value, unsigned int flags) {
  return api::device_call([&] {
    const auto owner = api::graphs().find(graph);
    if (handle == nullptr || owner == nullptr) return cudaErrorInvalidValue;
    if (flags > cudaGraphCondAssignDefault) return cudaErrorInvalidValue;
    auto made = std::make_shared<stream::condition>();
    made->value = made->initial = default_value;
    made->is_reset = flags == cudaGraphCondAssignDefault;
    owner->conditions.push_back(made);
    const std::lock_guard lock(api::all().mutex);
    *handle = api::all().next++;
    api::all().by_handle[*handle] = made;
    return cudaSuccess;
  });
}

// With an unknown handle, which is undefined behaviour in CUDA, nothing happens.
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  const auto set = [&] {
    const auto found = api::find_condition(handle);
    if (found != nullptr) found->value.store(value, std::memory_order_release);
  };
  if (!in_lane()) return set();
  const machine_section inside;
  set();
}
