// What the code written by the frontend calls: the way from `k<<<grid, block>>>(…)` to a launch.
#pragma once
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <heddle_host/lane.hpp>
#include <heddle_host/lane_return.hpp>
#include <heddle_host/launch.hpp>
#include <heddle_host/type_name.hpp>

namespace heddle_host {

// `__launch_bounds__` and `__cluster_dims__` of a kernel; 0: not given.
struct kernel_attributes {
  unsigned max_threads_per_block = 0;
  unsigned min_blocks_per_multiprocessor = 0;
  unsigned max_blocks_per_cluster = 0;
  unsigned cluster_x = 0, cluster_y = 0, cluster_z = 0;
};

// Remembers the shape of the launch that follows on this thread. True if the shape is already known
// to be unusable, so that the kernel must not be called (the error is then CUDA's last error).
bool push_configuration(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes = 0,
                        cudaStream_t stream = nullptr);

// Takes the shape pushed last on this thread and launches; without one (a kernel called like a
// plain function) that is an error.
void launch_pushed(const kernel_image& kernel, const void* closure);

// One lane. It owns a bitwise copy of the arguments, as on a GPU: kernels may change their
// parameters, and nothing is constructed or destroyed on the device.
template <typename Body>
[[gnu::always_inline]] inline void run_body(const void* closure) {
  if constexpr (std::is_trivially_copyable_v<Body>) {
    Body body = *static_cast<const Body*>(closure);  // this form can stay in registers
    body();
  } else {
    alignas(Body) unsigned char body[sizeof(Body)];
    std::memcpy(body, closure, sizeof(Body));
    (*std::launder(reinterpret_cast<Body*>(body)))();
  }
}

#ifdef HEDDLE_CHECKED

// All the code of a kernel's body, and nothing of the machine's, which is not for the checker. What
// it calls becomes part of it, however large, so that a finding has the line of the call.
template <typename Body>
[[gnu::noinline, gnu::flatten]] void run_lane(const void* closure) {
  run_body<Body>(closure);
}

template <typename Body>
[[noreturn]] void run_lanes(const void* closure) {
  run_one_by_one(&run_lane<Body>, closure);
}

#else

// What a fiber does all its life, as long as the same grid runs: one lane after another. A lane
// that has to wait keeps the fiber, and another fiber goes on with the next lane.
template <typename Body>
[[noreturn]] void run_lanes(const void* closure) {
  runner& mine = *lane_now.starting_on;
  for (;;) {
    unsigned x = threadIdx.x;  // counted in a register: from memory it would be the loop's pace
    do {
      enter_lane_code();
      run_body<Body>(closure);
      leave_lane_code();
      threadIdx.x = ++x;
    } while (__builtin_expect(x < lane_now.row_end, 1));
    if (context next = end_lane(mine)) switch_context(mine.idle, next);
  }
}

#endif

// The whole of a kernel's function after rewriting: its body arrives as a closure over its
// parameters.
template <typename Body>
void enter_kernel(const char* signature, kernel_attributes attributes, Body body) {
  static const kernel_image image{
      signature,
      type_name<Body>(),
      sizeof(Body),
      alignof(Body),
      &run_lanes<Body>,
      attributes.max_threads_per_block,
      dim3(attributes.cluster_x, attributes.cluster_y, attributes.cluster_z)};
  launch_pushed(image, &body);
}

// The whole shape of a launch, for the calls that say more than `<<<…>>>` can.
struct launch_shape {
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool is_cooperative = false;
  dim3 cluster{0, 0, 0};  // 0 0 0: as the kernel says
};
void push_launch(const launch_shape& shape);
// CUDA's code for the launch that this thread asked for last.
cudaError_t launch_result();

// The kernel's image without launching it: between these two, kernels called on this thread only
// tell who they are. Null: nobody has told.
void begin_inspection();
const kernel_image* end_inspection();

// An argument for a kernel that will not look at it.
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
