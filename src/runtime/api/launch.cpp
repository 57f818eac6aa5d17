// From the launch shape in the source to a kernel in a stream: the path of every launch.
#include <execinfo.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <heddle_host/devices.hpp>
#include <heddle_host/function.hpp>
#include <heddle_host/kernel.hpp>
#include <heddle_host/known_kernel.hpp>
#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>

#include "api/call.hpp"
#include "api/device_facts.hpp"
#include "api/function.hpp"
#include "api/known_kernels.hpp"
#include "api/launch_limits.hpp"
#include "api/streams.hpp"
#include "machine/child_work.hpp"
#include "machine/grid_state.hpp"

namespace heddle_host {
namespace {

// Launches that this thread has pushed and not yet used.
struct pushed_launch {
  launch_shape shape;
  std::vector<const void*> by;  // the host's call stack, in a checked run
};
thread_local std::vector<pushed_launch> pushed;
thread_local cudaError_t last_result = cudaSuccess;
thread_local bool is_inspecting = false;
thread_local const kernel_image* inspected = nullptr;
thread_local stream::operation* prepared = nullptr;  // if set, receives launches in place of a
                                                     // stream

bool is_nothing(dim3 extent) { return extent.x == 0 && extent.y == 0 && extent.z == 0; }

std::size_t volume(dim3 extent) { return std::size_t{extent.x} * extent.y * extent.z; }

// Stores the cluster in the request if the launch and the kernel agree on it.
cudaError_t settle_cluster(launch_request& request, const launch_shape& shape) {
  const dim3 own = request.kernel->cluster;
  if (is_nothing(own) && is_nothing(shape.cluster)) return cudaSuccess;
  const dim3 cluster = is_nothing(own) ? shape.cluster : own;
  const bool contradicts =
      !is_nothing(shape.cluster) && (shape.cluster.x != cluster.x || shape.cluster.y != cluster.y ||
                                     shape.cluster.z != cluster.z);
  const int most = api::settings_of(*request.kernel).allows_large_clusters
                       ? api::largest_cluster_blocks
                       : api::portable_cluster_blocks;
  if (contradicts || volume(cluster) == 0 || volume(cluster) > static_cast<std::size_t>(most) ||
      shape.grid.x % cluster.x != 0 || shape.grid.y % cluster.y != 0 ||
      shape.grid.z % cluster.z != 0) {
    return cudaErrorInvalidClusterSize;
  }
  request.cluster = cluster;
  return cudaSuccess;
}

std::vector<const void*> calls_of_this_thread() {
  constexpr int most = 16;
  void* calls[most];
  const int count = backtrace(calls, most);
  return std::vector<const void*>(calls, calls + count);
}

// A bitwise copy of the arguments: a kernel's parameters are never constructed on the device.
std::shared_ptr<const void> copy_closure(const kernel_image& kernel, const void* closure) {
  const std::align_val_t alignment{kernel.closure_alignment};
  void* const image = ::operator new(kernel.closure_bytes, alignment);
  std::memcpy(image, closure, kernel.closure_bytes);
  return {image, [alignment](const void* bytes) {
            ::operator delete(const_cast<void*>(bytes), alignment);
          }};
}

// Checks the launch, and makes the request for it.
cudaError_t make_request(launch_request& request, const kernel_image& kernel, const void* closure,
                         const pushed_launch& what) {
  const launch_shape& shape = what.shape;
  if (const cudaError_t error = api::check_extents(shape); error != cudaSuccess) return error;
  request.kernel = &kernel;
  request.grid = shape.grid;
  request.block = shape.block;
  request.dynamic_shared_bytes = shape.dynamic_shared_bytes;
  request.is_cooperative = shape.is_cooperative;
  if (const cudaError_t error = settle_cluster(request, shape); error != cudaSuccess) return error;
  if (const cudaError_t error = api::check_resources(request); error != cudaSuccess) return error;
  request.closure = copy_closure(kernel, closure);
  request.launched_by = what.by;
  return cudaSuccess;
}

// Makes the operation for a stream or a graph.
cudaError_t prepare(stream::operation& work, const kernel_image& kernel, const void* closure,
                    const pushed_launch& what) {
  launch_request request;
  const cudaError_t error = make_request(request, kernel, closure, what);
  if (error != cudaSuccess) return error;
  work.run = [request = std::move(request)] { return execute(request); };
  work.type = cudaGraphNodeTypeKernel;
  work.label = kernel.signature;
  return cudaSuccess;
}

void warn_of_plain_call(const kernel_image& kernel) {
  std::fprintf(stderr,
               "heddle: %s is called like a function; a kernel needs a launch configuration, as "
               "in kernel<<<blocks, threads>>>(...)\n",
               kernel.signature);
}

// Dynamic parallelism: launches by lanes. They run after the blocks of the lane's grid have ended.

lane_calls& calls_of_running_lane() {
  return children_of_running_grid().calls_of(number_of_running_lane());
}

void push_in_lane(const launch_shape& shape, const void* code) {
  const machine_section inside;
  calls_of_running_lane().pushed.push_back({shape, code});
}

cudaError_t enqueue_launch_in_lane(const kernel_image& kernel, const void* closure,
                                   const child_shape& what) {
  pushed_launch launched{what.shape, {}};
  if (policy().records_calls) {
    const launch_request& parent = lane_now.block->grid().request();
    launched.by = {what.code};
    launched.by.insert(launched.by.end(), parent.launched_by.begin(), parent.launched_by.end());
  }
  child made;
  made.grid.emplace();
  const cudaError_t error = make_request(*made.grid, kernel, closure, launched);
  // In a kernel, CUDA reports all impossible shapes with the same error code.
  if (error == cudaErrorInvalidValue) return cudaErrorInvalidConfiguration;
  if (error != cudaSuccess) return error;
  return api::enqueue_child(std::move(made), what.shape.stream, what.code);
}

void launch_in_lane(const kernel_image& kernel, const void* closure) {
  const machine_section inside;
  lane_calls& mine = calls_of_running_lane();
  if (mine.pushed.empty()) {
    warn_of_plain_call(kernel);
    mine.launch_result = api::note_in_lane(cudaErrorInvalidConfiguration, nullptr);
    return;
  }
  const child_shape what = mine.pushed.back();
  mine.pushed.pop_back();
  mine.launch_result = api::note_in_lane(enqueue_launch_in_lane(kernel, closure, what), what.code);
}

cudaError_t launch(const kernel_image& kernel, const void* closure, const pushed_launch& what) {
  if (prepared != nullptr) return prepare(*prepared, kernel, closure, what);
  stream::operation work;
  const cudaError_t error = prepare(work, kernel, closure, what);
  if (error != cudaSuccess) return error;
  const cudaStream_t handle = what.shape.stream;
  const stream::queue_pointer to = api::find_stream(handle);
  if (to != nullptr && to->device != current_device()) {
    return api::refuse(cudaErrorInvalidResourceHandle, handle);
  }
  const cudaError_t sent = api::enqueue(handle, std::move(work), stream::urgency::background);
  return sent == cudaErrorInvalidResourceHandle ? api::refuse(sent, handle) : sent;
}

}  // namespace

bool push_configuration(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes,
                        cudaStream_t stream) {
  // As with nvcc, the kernel's arguments are evaluated even for an invalid shape.
  if (in_lane()) {
    push_in_lane({grid, block, dynamic_shared_bytes, stream, false, {0, 0, 0}},
                 __builtin_return_address(0));
    return false;
  }
  push_launch({grid, block, dynamic_shared_bytes, stream, false, {0, 0, 0}});
  return false;
}

// Captures the call stack here, at the launch; later calls come from the frontend's rewritten
// kernel.
void push_launch(const launch_shape& shape) {
  if (in_lane()) return push_in_lane(shape, __builtin_return_address(0));
  pushed.push_back(
      {shape, policy().records_calls ? calls_of_this_thread() : std::vector<const void*>()});
}

cudaError_t launch_result() {
  if (!in_lane()) return last_result;
  const machine_section inside;
  return calls_of_running_lane().launch_result;
}

// A lane must not be preempted during an inspection, because another lane of its thread might
// launch a kernel.
void begin_inspection() {
  if (in_lane()) leave_lane_code();
  is_inspecting = true;
  inspected = nullptr;
}

const kernel_image* end_inspection() {
  is_inspecting = false;
  if (in_lane()) enter_lane_code();
  return inspected;
}

void launch_pushed(const kernel_image& kernel, const void* closure) {
  if (is_inspecting) {
    inspected = &kernel;
    return;
  }
  if (in_lane()) return launch_in_lane(kernel, closure);
  if (pushed.empty()) {
    warn_of_plain_call(kernel);
    last_result = api::note(cudaErrorInvalidConfiguration);
    return;
  }
  const pushed_launch what = std::move(pushed.back());
  pushed.pop_back();
  api::about_to_launch(kernel.signature, &what.by);
  last_result = api::device_call([&] { return launch(kernel, closure, what); });
  api::about_to_launch(nullptr, nullptr);
}

cudaError_t launch(const void* kernel, const kernel_caller* caller, const launch_shape& shape,
                   void** arguments) {
  if (kernel == nullptr) return api::note(cudaErrorInvalidDeviceFunction);
  if (caller == nullptr) return api::note(cudaErrorInvalidResourceHandle);
  if (arguments == nullptr && caller->parameters > 0) return api::note(cudaErrorInvalidValue);
  push_launch(shape);
  caller->call(kernel, arguments);
  return launch_result();
}

cudaError_t api::prepare_launch(stream::operation& work, const void* kernel,
                                const launch_shape& shape, void** arguments) {
  prepared = &work;
  const cudaError_t error = heddle_host::launch(kernel, find_caller(kernel), shape, arguments);
  prepared = nullptr;
  return error;
}

cudaError_t read_configuration(launch_shape& shape, const cudaLaunchConfig_t* config) {
  return api::query([&] {
    if (config == nullptr || (config->numAttrs > 0 && config->attrs == nullptr)) {
      return cudaErrorInvalidValue;
    }
    shape.grid = config->gridDim;
    shape.block = config->blockDim;
    shape.dynamic_shared_bytes = config->dynamicSmemBytes;
    shape.stream = config->stream;
    for (unsigned index = 0; index < config->numAttrs; ++index) {
      const cudaLaunchAttribute& attribute = config->attrs[index];
      switch (attribute.id) {
        case cudaLaunchAttributeCooperative:
          shape.is_cooperative = attribute.val.cooperative != 0;
          break;
        case cudaLaunchAttributeClusterDimension: {
          const auto& cluster = attribute.val.clusterDim;
          shape.cluster = dim3(cluster.x, cluster.y, cluster.z);
          if (volume(shape.cluster) == 0) return cudaErrorInvalidClusterSize;
          break;
        }
        // Hints that do not change results.
        case cudaLaunchAttributeIgnore:
        case cudaLaunchAttributePriority:
        case cudaLaunchAttributeAccessPolicyWindow:
        case cudaLaunchAttributeSynchronizationPolicy:
        case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        case cudaLaunchAttributeProgrammaticStreamSerialization:
        case cudaLaunchAttributeMemSyncDomainMap:
        case cudaLaunchAttributeMemSyncDomain:
        case cudaLaunchAttributePreferredClusterDimension:
        case cudaLaunchAttributePreferredSharedMemoryCarveout:
        case cudaLaunchAttributeNvlinkUtilCentricScheduling:
          break;
        default:
          return cudaErrorNotSupported;
      }
    }
    return cudaSuccess;
  });
}

}  // namespace heddle_host
