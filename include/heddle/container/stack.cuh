// A bounded stack for any number of lanes, without locks and safe from ABA.
//   strategy    a linked list of numbered nodes whose top carries a version; a warp changes the top
//               once for all its lanes
//   needs       sm_75
#pragma once
#include <heddle/container/index_stack.cuh>
#include <heddle/container/launch.cuh>
#include <heddle/container/memory.cuh>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::container {

// What kernels get of a stack<T>. It is copied freely, and lives no longer than the stack.
//   order       the value that went in last comes out first; who pops a value sees what its pusher
//               had written before
//   progress    lock-free: a lane that stops for ever in the middle of an operation stops nobody.
//               It keeps the place of one value.
//   full        is an answer: values and operations under way are together as many as the capacity
//   empty       is an answer: at one moment of the call nothing was on the stack
template <typename T>
class stack_view {
  static_assert(std::is_trivially_copyable_v<T>, "a stack holds trivially copyable values");

 public:
  // What goes in and comes out.
  using value_type = T;

  // True if the value is on the stack now, false if that was full.
  //   called by   single lanes, in any number
  //   cost        two exchanges, an acquire and a fence
  [[nodiscard]] __device__ bool try_push(const T& value) const {
    return try_push(value, true, lane_mask{1} << lane_id());
  }
  // False, and `value` is left alone, if the stack was empty.
  [[nodiscard]] __device__ bool try_pop(T& value) const {
    return try_pop(value, true, lane_mask{1} << lane_id());
  }

  // The same for many lanes at once, for the cost of one and a few shuffles.
  //   called by   every lane of `members`; those that want it take part
  //   result in   those lanes; if there is not room or are not values for all, the first of them
  //               get some. Values go on the stack in lane order, and the first lane gets the
  //               highest.
  [[nodiscard]] __device__ bool try_push(const T& value, bool wants, lane_mask members) const {
    std::uint32_t node = 0;
    const bool has_node = free_.pop(node, wants, members);
    if (has_node) values_[node] = value;
    used_.push(node, has_node, members);
    return has_node;
  }
  [[nodiscard]] __device__ bool try_pop(T& value, bool wants, lane_mask members) const {
    std::uint32_t node = 0;
    const bool has_value = used_.pop(node, wants, members);
    if (has_value) value = values_[node];
    free_.push(node, has_value, members);
    return has_value;
  }

 private:
  template <typename>
  friend class stack;

  detail::index_stack_view used_, free_;
  T* values_ = nullptr;
};

namespace detail {

// Each node above the next, and the first one on top.
template <typename Link>
__global__ void link_all(unsigned long long* top, Link* links, Link count) {
  for (Link i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    links[i] = i + 1 < count ? i + 2 : 0;
    if (i == 0) *top = 1;
  }
}

}  // namespace detail

// A stack in device memory.
//   called by   one host thread at a time, with the device current on which it was made; it can be
//               moved and not copied
//   memory      4 bytes for each value besides the value itself
template <typename T>
class stack {
 public:
  // The largest capacity.
  static constexpr std::size_t most_values = std::size_t{1} << 31;

  // Ready for kernels that come later in `stream`.
  // Throws heddle::error for a capacity of 0 or above most_values, and where memory does not
  // suffice.
  explicit stack(std::size_t capacity, cudaStream_t stream = nullptr,
                 source_location where = source_location::current())
      : capacity_(static_cast<std::uint32_t>(capacity)) {
    if (capacity == 0 || capacity > most_values) {
      throw error(cudaErrorInvalidValue,
                  "a stack holds 1 to " + std::to_string(most_values) + " values, not " +
                      std::to_string(capacity),
                  where);
    }
    const std::size_t link_bytes = detail::in_lines(capacity * sizeof(std::uint32_t));
    memory_ = detail::device_memory(2 * detail::line_bytes + link_bytes + capacity * sizeof(T),
                                    stream, where);
    links_ = reinterpret_cast<std::uint32_t*>(memory_.data() + 2 * detail::line_bytes);
    view_.used_ = detail::index_stack_view(top(0), links_);
    view_.free_ = detail::index_stack_view(top(1), links_);
    view_.values_ = reinterpret_cast<T*>(memory_.data() + 2 * detail::line_bytes + link_bytes);
    clear(stream, where);
  }

  // What kernels get, and how many values have room.
  [[nodiscard]] stack_view<T> view() const noexcept { return view_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  // Forgets all values, in the order of `stream`.
  void clear(cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    check(cudaMemsetAsync(memory_.data(), 0, 2 * detail::line_bytes, stream), where);
    detail::launch_for_each(capacity_, stream, where, detail::link_all<std::uint32_t>, top(1),
                            links_, capacity_);
  }

 private:
  [[nodiscard]] unsigned long long* top(std::size_t which) const {
    return reinterpret_cast<unsigned long long*>(memory_.data() + which * detail::line_bytes);
  }

  detail::device_memory memory_;
  stack_view<T> view_;
  std::uint32_t* links_ = nullptr;
  std::uint32_t capacity_;
};

}  // namespace heddle::container
