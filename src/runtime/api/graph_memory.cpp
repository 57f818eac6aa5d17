// The host API for memory nodes, and the bookkeeping of the memory that graphs allocate.
#include "api/graph_memory.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>
#include <heddle_host/observer.hpp>

#include "api/call.hpp"
#include "api/graphs.hpp"
#include "api/memory_pools.hpp"
#include "memory/failing_allocation.hpp"
#include "memory/heap.hpp"
#include "memory/registry.hpp"

namespace heddle_host::api {
namespace {

struct account {
  std::uint64_t used = 0;
  std::uint64_t most_used = 0;
  std::uint64_t reserved = 0;
  std::uint64_t most_reserved = 0;
};

struct memory_table {
  std::mutex mutex;
  std::map<const void*, std::weak_ptr<graph_memory>> by_base;
  std::set<std::shared_ptr<graph_memory>> allocated;  // kept alive even if its graph is destroyed
  std::map<int, account> accounts;                    // by device
};

// Never destroyed: graphs may run while the program exits.
memory_table& all() {
  static memory_table& only = *new memory_table;
  return only;
}

// The caller of this and of the next two functions holds the mutex.
std::shared_ptr<graph_memory> find(const void* base) {
  const auto found = all().by_base.find(base);
  return found == all().by_base.end() ? nullptr : found->second.lock();
}

void count_as_allocated(const std::shared_ptr<graph_memory>& which) {
  which->is_allocated = true;
  all().allocated.insert(which);
  account& of = all().accounts[which->device];
  of.used += which->bytes;
  of.most_used = std::max(of.most_used, of.used);
  of.reserved = std::max(of.reserved, of.used);
  of.most_reserved = std::max(of.most_reserved, of.reserved);
}

void count_as_free(const std::shared_ptr<graph_memory>& which) {
  which->is_allocated = false;
  all().allocated.erase(which);
  all().accounts[which->device].used -= which->bytes;
}

// begin() and end() are called when the work runs.
void begin(const graph_memory& which) {
  memory::poison(which.base, which.bytes);
  if (observer* const watching = current_observer()) {
    watching->memory_begins(which.base, which.bytes, memory_kind::device);
  }
}

void end(const graph_memory& which) {
  if (observer* const watching = current_observer()) {
    watching->memory_ends(which.base, which.bytes, memory_kind::device);
  }
}

std::function<cudaError_t()> allocate_when_run(const std::shared_ptr<graph_memory>& which) {
  return [which] {
    begin(*which);
    return cudaSuccess;
  };
}

std::function<cudaError_t()> free_when_run(const std::shared_ptr<graph_memory>& which) {
  return [which] {
    end(*which);
    return cudaSuccess;
  };
}

cudaError_t make(std::shared_ptr<graph_memory>& made, std::size_t bytes, int device,
                 cudaMemPool_t pool) {
  if (bytes == 0) return cudaErrorInvalidValue;
  void* const base = memory::allocation_is_to_fail() ? nullptr : memory::obtain(bytes, device);
  if (base == nullptr) return cudaErrorMemoryAllocation;
  memory::allocation known;
  known.base = static_cast<char*>(base);
  known.bytes = bytes;
  known.device = device;
  known.pool = pool;
  memory::add(known);
  made = std::make_shared<graph_memory>(base, bytes, device, pool);
  end(*made);  // nobody may use it until the graph runs
  const std::lock_guard lock(all().mutex);
  all().by_base[base] = made;
  return cudaSuccess;
}

// Null if no graph allocates this memory.
std::shared_ptr<graph_memory> find_locked(const void* base) {
  const std::lock_guard lock(all().mutex);
  return find(base);
}

}  // namespace

graph_memory::graph_memory(void* base, std::size_t bytes, int device, cudaMemPool_t pool)
    : base(base), bytes(bytes), device(device), pool(pool) {}

graph_memory::~graph_memory() {
  {
    const std::lock_guard lock(all().mutex);
    const auto found = all().by_base.find(base);
    if (found != all().by_base.end() && found->second.expired()) all().by_base.erase(found);
  }
  // If it is no longer registered, a reset of the device has released it already.
  if (memory::take(base, {memory::origin::device})) memory::release(base, bytes, device);
}

cudaError_t make_allocation(stream::node& made, std::size_t bytes, const cudaMemPoolProps& where) {
  if (where.allocType != cudaMemAllocationTypePinned ||
      where.location.type != cudaMemLocationTypeDevice) {
    return cudaErrorInvalidValue;
  }
  if (where.handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
  if (!is_device(where.location.id)) return cudaErrorInvalidDevice;
  const cudaError_t error = make(made.memory, bytes, where.location.id, nullptr);
  if (error != cudaSuccess) return error;
  made.type = cudaGraphNodeTypeMemAlloc;
  made.run = allocate_when_run(made.memory);
  return cudaSuccess;
}

cudaError_t make_allocation(stream::operation& made, void** pointer, std::size_t bytes, int device,
                            cudaMemPool_t pool) {
  const cudaError_t error = make(made.memory, bytes, device, pool);
  if (error != cudaSuccess) return error;
  *pointer = made.memory->base;
  made.type = cudaGraphNodeTypeMemAlloc;
  made.run = allocate_when_run(made.memory);
  return cudaSuccess;
}

cudaError_t make_free(stream::node& made, void* pointer) {
  made.memory = find_locked(pointer);
  if (made.memory == nullptr) return cudaErrorInvalidValue;
  made.type = cudaGraphNodeTypeMemFree;
  made.run = free_when_run(made.memory);
  return cudaSuccess;
}

cudaError_t make_free(stream::operation& made, void* pointer) {
  made.memory = find_locked(pointer);
  if (made.memory == nullptr) return cudaErrorInvalidValue;
  made.type = cudaGraphNodeTypeMemFree;
  made.run = free_when_run(made.memory);
  return cudaSuccess;
}

bool is_graph_memory(const void* pointer) { return find_locked(pointer) != nullptr; }

cudaError_t free_graph_memory(stream::operation& made, void* pointer) {
  const std::lock_guard lock(all().mutex);
  const std::shared_ptr<graph_memory> found = find(pointer);
  if (found == nullptr || !found->is_allocated) return cudaErrorInvalidValue;
  count_as_free(found);
  made.type = cudaGraphNodeTypeMemFree;
  made.run = free_when_run(found);
  return cudaSuccess;
}

cudaError_t free_graph_memory_now(void* pointer) {
  stream::operation freeing;
  const cudaError_t error = free_graph_memory(freeing, pointer);
  return error == cudaSuccess ? freeing.run() : error;
}

bool has_memory_nodes(const stream::graph& in) {
  bool has = false;
  stream::for_each_node(in, [&](const stream::node& each) { has |= each.memory != nullptr; });
  return has;
}

cudaError_t claim_memory(const stream::graph& of, const std::shared_ptr<const executable>& by) {
  const std::lock_guard lock(all().mutex);
  bool is_claimed = false;
  stream::for_each_node(of, [&](const stream::node& each) {
    if (each.type != cudaGraphNodeTypeMemAlloc) return;
    const auto owner = each.memory->instance.lock();
    is_claimed |= owner != nullptr && owner != by;
  });
  if (is_claimed) return cudaErrorNotSupported;
  stream::for_each_node(of, [&](const stream::node& each) {
    if (each.type == cudaGraphNodeTypeMemAlloc) each.memory->instance = by;
  });
  return cudaSuccess;
}

cudaError_t account_for_launch(const stream::graph& of, bool frees_first) {
  const std::lock_guard lock(all().mutex);
  std::map<const graph_memory*, bool> will_be_allocated;
  bool is_possible = true;
  stream::for_each_node(of, [&](const stream::node& each) {
    if (each.memory == nullptr) return;
    const bool allocates = each.type == cudaGraphNodeTypeMemAlloc;
    const auto known = will_be_allocated.find(each.memory.get());
    bool is_allocated =
        known != will_be_allocated.end() ? known->second : each.memory->is_allocated;
    if (allocates && known == will_be_allocated.end() && frees_first) is_allocated = false;
    is_possible = is_possible && is_allocated != allocates;
    will_be_allocated[each.memory.get()] = allocates;
  });
  if (!is_possible) return cudaErrorInvalidValue;
  stream::for_each_node(of, [&](const stream::node& each) {
    if (each.memory == nullptr) return;
    if (each.memory->is_allocated) count_as_free(each.memory);
    if (each.type == cudaGraphNodeTypeMemAlloc) count_as_allocated(each.memory);
  });
  return cudaSuccess;
}

void forget_graph_memory(int device) {
  std::set<std::shared_ptr<graph_memory>> dropped;  // destroyed without the lock
  const std::lock_guard lock(all().mutex);
  all().accounts.erase(device);
  for (auto each = all().allocated.begin(); each != all().allocated.end();) {
    if ((*each)->device == device) {
      dropped.insert(*each);
      each = all().allocated.erase(each);
    } else {
      ++each;
    }
  }
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::all;
using api::device_call;

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t dependency_count,
                                     cudaMemAllocNodeParams* parameters) {
  return device_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    stream::node made;
    cudaError_t error = api::make_allocation(made, parameters->bytesize, parameters->poolProps);
    if (error != cudaSuccess) return error;
    void* const base = made.memory->base;
    error = api::add_node(handle, graph, dependencies, dependency_count, std::move(made));
    if (error == cudaSuccess) parameters->dptr = base;
    return error;
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle,
                                           cudaMemAllocNodeParams* parameters) {
  return device_call([&] {
    const stream::node* const of = api::node_of(handle);
    if (of == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
    if (of->type != cudaGraphNodeTypeMemAlloc) return cudaErrorInvalidValue;
    *parameters = {};
    parameters->poolProps.allocType = cudaMemAllocationTypePinned;
    parameters->poolProps.location = {cudaMemLocationTypeDevice, of->memory->device};
    parameters->bytesize = of->memory->bytes;
    parameters->dptr = of->memory->base;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t dependency_count,
                                    void* pointer) {
  return device_call([&] {
    stream::node made;
    const cudaError_t error = api::make_free(made, pointer);
    if (error != cudaSuccess) return error;
    return api::add_node(handle, graph, dependencies, dependency_count, std::move(made));
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void* pointer) {
  return device_call([&] {
    const stream::node* const of = api::node_of(handle);
    if (of == nullptr || pointer == nullptr) return cudaErrorInvalidValue;
    if (of->type != cudaGraphNodeTypeMemFree) return cudaErrorInvalidValue;
    *static_cast<void**>(pointer) = of->memory->base;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return device_call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    const std::lock_guard lock(all().mutex);
    all().accounts[device].reserved = all().accounts[device].used;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return device_call([&] {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    const std::lock_guard lock(all().mutex);
    const api::account& of = all().accounts[device];
    const std::uint64_t values[] = {of.used, of.most_used, of.reserved, of.most_reserved};
    if (attribute < cudaGraphMemAttrUsedMemCurrent || attribute > cudaGraphMemAttrReservedMemHigh) {
      return cudaErrorInvalidValue;
    }
    *static_cast<std::uint64_t*>(value) = values[attribute];
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return device_call([&] {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    // Only the high-water marks can be set, and only to 0.
    if (*static_cast<const std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
    const std::lock_guard lock(all().mutex);
    api::account& of = all().accounts[device];
    switch (attribute) {
      case cudaGraphMemAttrUsedMemHigh:
        of.most_used = of.used;
        return cudaSuccess;
      case cudaGraphMemAttrReservedMemHigh:
        of.most_reserved = of.reserved;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}
