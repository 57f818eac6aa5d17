// Called by the code that the frontend writes: from `k<<<grid, block>>>(…)` to a launch.
#pragma once
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <driver_types.h>
#include <vector_types.h>

#include <heddle_host/kernel_image.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/lane_return.hpp>
#include <heddle_host/type_name.hpp>
#ifndef HEDDLE_CHECKED
#include <heddle_host/lane_block.hpp>
#include <heddle_host/lane_row.hpp>
#include <heddle_host/turn.hpp>
#endif

namespace heddle_host {

// Computed by the compiler: calls in launch bounds may give another result when the host runs them.
template <unsigned value>
inline constexpr unsigned constant = value;

// A kernel's `__launch_bounds__` and `__cluster_dims__`; 0 if not given.
struct kernel_attributes {
  unsigned max_threads_per_block = 0;
  unsigned min_blocks_per_multiprocessor = 0;
  unsigned max_blocks_per_cluster = 0;
  unsigned cluster_x = 0, cluster_y = 0, cluster_z = 0;
};

// Stores the shape of this thread's next launch. Always false: as with nvcc, the kernel is called,
// and its arguments are evaluated, even if the shape is invalid.
bool push_configuration(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes = 0,
                        cudaStream_t stream = nullptr);

// Launches with the last shape that this thread or, in a kernel, this lane has pushed. It is an
// error if there is none, that is, if a kernel was called like a plain function. After a launch by
// a lane, the lane's own code is running again.
void launch_pushed(const kernel_image& kernel, const void* closure);

template <typename Body>
[[gnu::always_inline]] inline void call_body(Body& body) {
#ifndef HEDDLE_CHECKED
  if constexpr (takes_lane<Body>) {
    row_guard alone;
    body(running_lane_in_row(alone));
    return;
  } else if constexpr (takes_block<Body>) {
    block_of_lanes one(true);
    body(one);
    return;
  } else
#endif
    body();
}

// Runs one lane. It gets a bitwise copy of the arguments, as on a GPU: kernels may change their
// parameters, and nothing is constructed or destroyed on the device.
template <typename Body>
[[gnu::always_inline]] inline void run_body(const void* closure) {
  if constexpr (std::is_trivially_copyable_v<Body>) {
    Body body = *static_cast<const Body*>(closure);  // in this form it can stay in registers
    call_body(body);
  } else {
    alignas(Body) unsigned char body[sizeof(Body)];
    std::memcpy(body, closure, sizeof(Body));
    call_body(*std::launder(reinterpret_cast<Body*>(body)));
  }
}

#ifdef HEDDLE_CHECKED

// Contains the kernel body's code and none of the runtime's, which the checker must not see. All
// calls are inlined, however large, so that a finding gets the line of the call.
template <typename Body>
[[gnu::noinline, gnu::flatten]] void run_lane(const void* closure) {
  run_body<Body>(closure);
}

template <typename Body>
[[noreturn]] void run_lanes(const void* closure) {
  run_one_by_one(&run_lane<Body>, closure);
}

#else

// The main loop of a fiber for one grid: it runs one lane after another. A lane that has to wait
// keeps the fiber, and another fiber takes over the next lane.
template <typename Body>
[[noreturn]] void run_lanes(const void* closure) {
  runner& mine = *lane_now.starting_on;
  for (;;) {
    unsigned x = threadIdx.x;  // in a register: a counter in memory would bound the loop's speed
    do {
      enter_lane_code();
      run_body<Body>(closure);
      leave_lane_code();
      threadIdx.x = ++x;
    } while (__builtin_expect(x < lane_now.row_end, 1));
    if (context next = end_lane(mine)) switch_context(mine.idle, next);
  }
}

// The same for a kernel of which `run_rest` runs all lanes that are left in a block. They run one
// by one if they are observed or if a schedule decides which lane runs.
template <typename Body>
[[noreturn, gnu::always_inline]] inline void run_loops(const void* closure,
                                                       void (*run_rest)(const void*)) {
  runner& mine = *lane_now.starting_on;
  for (;;) {
    if (lane_now.row_end == 0) {
      enter_lane_code();
      run_body<Body>(closure);
      leave_lane_code();
    } else {
      run_rest(closure);
    }
    if (context next = end_lane(mine)) switch_context(mine.idle, next);
  }
}

// For a kernel whose lanes need no other lane.
template <typename Body, row_mode mode>
[[noreturn]] void run_rows(const void* closure) {
  run_loops<Body>(closure, &run_rows_of_block<Body, mode>);
}

// For a kernel whose lanes need each other only at barriers.
template <typename Body>
[[noreturn]] void run_blocks(const void* closure) {
  run_loops<Body>(closure, &run_block<Body>);
}

#endif

using lane_loop = void (*)(const void* closure);

template <typename Body, typename Lanes>
constexpr lane_loop loop_for() {
#ifndef HEDDLE_CHECKED
  if constexpr (Lanes::holds && std::is_trivially_copyable_v<Body>) {
    if constexpr (takes_block<Body>)
      return &run_blocks<Body>;
    else
      return &run_rows<Body, Lanes::mode>;
  } else
#endif
  {
    return &run_lanes<Body>;
  }
}

// A kernel whose lanes may need each other.
struct any_lanes {
  static constexpr bool holds = false;
};

// A kernel's function after rewriting: its body arrives as a closure over its parameters.
template <typename Lanes, typename Body>
void enter_kernel(const char* signature, kernel_attributes attributes, Lanes, Body body) {
  // If a lane launches, another lane of the same thread must not get here while `image` is being
  // initialised.
  if (in_lane()) leave_lane_code();
  static const kernel_image image{
      signature,
      type_name<Body>(),
      sizeof(Body),
      alignof(Body),
      loop_for<Body, Lanes>(),
      attributes.max_threads_per_block,
      dim3(attributes.cluster_x, attributes.cluster_y, attributes.cluster_z)};
  launch_pushed(image, &body);
}
template <typename Body>
void enter_kernel(const char* signature, kernel_attributes attributes, Body body) {
  enter_kernel(signature, attributes, any_lanes{}, body);
}

// The full shape of a launch, for calls that can set more than `<<<…>>>`.
struct launch_shape {
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool is_cooperative = false;
  dim3 cluster{0, 0, 0};  // 0 0 0: taken from the kernel
};
void push_launch(const launch_shape& shape);
// CUDA's error code of this thread's last launch.
cudaError_t launch_result();

// Finds a kernel's image without launching it: between these two calls, kernels called on this
// thread only identify themselves. Null if no kernel was called.
void begin_inspection();
const kernel_image* end_inspection();

// An argument for a kernel that will not read it.
template <typename Parameter>
class unread_argument {
 public:
  Parameter&& get() { return static_cast<Parameter&&>(*reinterpret_cast<Parameter*>(bytes_)); }

 private:
  alignas(Parameter) unsigned char bytes_[sizeof(Parameter)] = {};
};

template <typename... Parameters>
const kernel_image* inspect(void (*kernel)(Parameters...)) {
  if (kernel == nullptr) return nullptr;
  begin_inspection();
  kernel(unread_argument<Parameters>().get()...);
  return end_inspection();
}

}  // namespace heddle_host
