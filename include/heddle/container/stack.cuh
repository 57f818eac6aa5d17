// A bounded lock-free stack for any number of lanes, safe from ABA.
//   strategy    a linked list of numbered nodes with a version at the top; a warp changes the top
//               once for all its lanes; operations that lose the race for the top are paired off, a
//               push with a pop
//   needs       sm_75
#pragma once
#include <heddle/container/free_nodes.cuh>
#include <heddle/container/launch.cuh>
#include <heddle/container/memory.cuh>
#include <heddle/container/node_list.cuh>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace heddle::container {

// The handle that kernels use for a stack<T>. Freely copyable; valid as long as the stack.
//   order       last in, first out; a lane that pops a value sees what the pushing lane had written
//               before
//   progress    lock-free: a lane that stops forever in the middle of an operation blocks nobody.
//               It occupies the place of one value, and a warp that stops occupies one of the slots
//               where pushes and pops are paired.
//   full        is a result, not an error: values and operations in flight together fill the
//               capacity
//   empty       is a result, not an error: at one moment of the call the stack was empty
template <typename T>
class stack_view {
  static_assert(std::is_trivially_copyable_v<T>, "a stack holds trivially copyable values");

 public:
  // The type of the values.
  using value_type = T;

  // Returns true if the value is now on the stack, false if the stack was full.
  //   called by   single lanes, any number of them
  //   cost        push: a load, an addition, two updates and two fences; pop: two updates, an
  //               acquire, a fence and an addition that nothing waits for
  [[nodiscard]] __device__ bool try_push(const T& value) const {
    return push(value, detail::company<true>(lane_mask{1} << lane_id()));
  }
  // Returns false and leaves `value` unchanged if the stack was empty.
  [[nodiscard]] __device__ bool try_pop(T& value) const {
    return pop(value, detail::company<true>(lane_mask{1} << lane_id()));
  }

  // The same for many lanes at once, at the cost of one operation and some shuffles.
  //   called by   every lane of `members`; those with `wants` take part
  //   result in   those lanes; if there is not enough room or values, the first of them succeed.
  //               Values are pushed in lane order, and the first lane pops the topmost.
  [[nodiscard]] __device__ bool try_push(const T& value, bool wants, lane_mask members) const {
    const lane_mask lanes = __ballot_sync(members, wants);
    return wants && push(value, detail::company<false>(lanes));
  }
  [[nodiscard]] __device__ bool try_pop(T& value, bool wants, lane_mask members) const {
    const lane_mask lanes = __ballot_sync(members, wants);
    return wants && pop(value, detail::company<false>(lanes));
  }

 private:
  template <typename>
  friend class stack;

  template <bool is_alone>
  __device__ bool push(const T& value, const detail::company<is_alone>& who) const {
    detail::held_node mine{};
    unsigned long long top = 0;
    const int granted = free_.take(who, mine, [&] { top = used_.look(); });
    const detail::company<is_alone> pushing(who.where(who.rank() < granted));
    if (who.rank() >= granted) return false;
    if constexpr (sync::word<T>) {
      sync::store(values_ + mine.number, value);
    } else {
      values_[mine.number] = value;
    }
    used_.push(pushing, mine, top);
    return true;
  }
  template <bool is_alone>
  __device__ bool pop(T& value, const detail::company<is_alone>& who) const {
    detail::held_node mine{};
    using bits = sync::detail::bits_of<T>;
    bits read = 0;
    // Loads the values speculatively, before it is known which lane gets which node.
    const int found = used_.pop(who, mine, [&](std::uint32_t node) {
      if constexpr (sync::word<T>) {
        read = sync::load(reinterpret_cast<const bits*>(values_ + node));
      }
    });
    const detail::company<is_alone> popping(who.where(who.rank() < found));
    if (who.rank() >= found) return false;
    if constexpr (sync::word<T>) {
      std::memcpy(&value, &read, sizeof(T));
    } else {
      value = values_[mine.number];
    }
    free_.give_back(popping, mine);
    return true;
  }

  detail::node_list_view used_;
  detail::free_nodes_view free_;
  T* values_ = nullptr;
};

namespace detail {

// Marks all nodes as free.
template <typename View>
__global__ void lay_out_free(View nodes) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < nodes.part_count();
       i += gridDim.x * blockDim.x) {
    nodes.lay_out_part(i, 0);
  }
}

}  // namespace detail

// A stack in device memory.
//   called by   one host thread at a time, with the device current on which the stack was made.
//               Movable, not copyable.
//   memory      less than 9 bytes per value in addition to the value itself, and up to 4 KiB
template <typename T>
class stack {
 public:
  // The largest capacity.
  static constexpr std::size_t most_values = std::size_t{1} << 31;

  // Makes a stack that is ready for kernels that come later in `stream`.
  // Throws heddle::error for a capacity of 0 or above most_values, and if there is not enough
  // memory.
  explicit stack(std::size_t capacity, cudaStream_t stream = nullptr,
                 source_location where = source_location::current())
      : capacity_(static_cast<std::uint32_t>(capacity)) {
    if (capacity == 0 || capacity > most_values) {
      throw error(cudaErrorInvalidValue,
                  "a stack holds 1 to " + std::to_string(most_values) + " values, not " +
                      std::to_string(capacity),
                  where);
    }
    const std::size_t words = (capacity + detail::nodes_of_word - 1) / detail::nodes_of_word;
    const std::size_t meetings = std::bit_floor(std::clamp<std::size_t>(capacity / 32, 1, 4096));
    const std::size_t hints =
        capacity < 1024 ? 0 : std::bit_floor(std::min<std::size_t>(words, 16384));
    detail::memory_plan plan;
    const std::size_t top = plan.place_of<unsigned long long>(1),
                      taken = plan.place_of<std::uint32_t>(1);
    const std::size_t offers = plan.place_of<unsigned long long>(meetings);
    zeroed_ = plan.bytes();
    const std::size_t hint = plan.place_of<unsigned long long>(hints);
    const std::size_t bits = plan.place_of<std::uint32_t>(words);
    const std::size_t records = plan.place_of<unsigned long long>(capacity);
    const std::size_t values = plan.place_of<T>(capacity);
    memory_ = detail::device_memory(plan.bytes(), stream, where);
    const detail::offers_view meeting(memory_.at<unsigned long long>(offers),
                                      static_cast<std::uint32_t>(meetings));
    view_.used_ = detail::node_list_view(memory_.at<unsigned long long>(top),
                                         memory_.at<unsigned long long>(records), meeting);
    const detail::free_bits_view nodes(memory_.at<std::uint32_t>(bits),
                                       memory_.at<unsigned long long>(hint),
                                       static_cast<std::uint32_t>(hints), capacity_);
    view_.free_ = detail::free_nodes_view(memory_.at<std::uint32_t>(taken), nodes, capacity_);
    view_.values_ = memory_.at<T>(values);
    clear(stream, where);
  }

  // The handle for kernels, and the number of values that fit.
  [[nodiscard]] stack_view<T> view() const noexcept { return view_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  // Removes all values, in stream order.
  void clear(cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    check(cudaMemsetAsync(memory_.data(), 0, zeroed_, stream), where);
    const detail::free_bits_view& nodes = view_.free_.bits();
    detail::launch_for_each(nodes.part_count(), stream, where,
                            detail::lay_out_free<detail::free_bits_view>, nodes);
  }

 private:
  detail::device_memory memory_;
  stack_view<T> view_;
  std::size_t zeroed_ = 0;  // at the start of the memory
  std::uint32_t capacity_;
};

}  // namespace heddle::container
