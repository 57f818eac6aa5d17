// The stack of the textbooks: an array, a count and one lock.
#pragma once
#include <heddle/container/memory.cuh>
#include <heddle/sync/spin_lock.cuh>

#include <cstddef>

#include "container/warp_lock.cuh"

namespace heddle_bench {

// The functions of heddle::container::stack_view.
template <typename T, typename Lock = heddle::sync::spin_lock<>>
class locked_stack_view {
 public:
  using value_type = T;

  [[nodiscard]] __device__ bool try_push(const T& value) const {
    return try_push(value, true, heddle::lane_mask{1} << heddle::lane_id());
  }
  [[nodiscard]] __device__ bool try_pop(T& value) const {
    return try_pop(value, true, heddle::lane_mask{1} << heddle::lane_id());
  }

  [[nodiscard]] __device__ bool try_push(const T& value, bool wants,
                                         heddle::lane_mask members) const {
    const heddle::lane_mask lanes = __ballot_sync(members, wants);
    if (!wants) return false;
    const auto rank = static_cast<unsigned>(heddle::rank(lanes));
    bool is_in = false;
    locked_together(all_->lock, lanes, [&] {
      const unsigned long long height = all_->height;
      is_in = height + rank < capacity_;
      if (is_in) values_[height + rank] = value;
      const int count = heddle::count(__ballot_sync(lanes, is_in));
      __syncwarp(lanes);  // all have read it
      if (rank == 0) all_->height = height + static_cast<unsigned>(count);
    });
    return is_in;
  }
  [[nodiscard]] __device__ bool try_pop(T& value, bool wants, heddle::lane_mask members) const {
    const heddle::lane_mask lanes = __ballot_sync(members, wants);
    if (!wants) return false;
    const auto rank = static_cast<unsigned>(heddle::rank(lanes));
    bool has_value = false;
    locked_together(all_->lock, lanes, [&] {
      const unsigned long long height = all_->height;
      has_value = rank < height;
      if (has_value) value = values_[height - 1 - rank];
      const int count = heddle::count(__ballot_sync(lanes, has_value));
      __syncwarp(lanes);  // all have read it
      if (rank == 0) all_->height = height - static_cast<unsigned>(count);
    });
    return has_value;
  }

 private:
  template <typename, typename>
  friend class locked_stack;
  struct state {
    Lock lock;
    alignas(8) unsigned long long height;
  };

  state* all_ = nullptr;
  T* values_ = nullptr;
  std::size_t capacity_ = 0;
};

// Owns a stack; all-zero memory is an empty stack with a free lock.
template <typename T, typename Lock = heddle::sync::spin_lock<>>
class locked_stack {
 public:
  explicit locked_stack(std::size_t capacity, cudaStream_t stream = nullptr,
                        heddle::source_location where = heddle::source_location::current())
      : memory_(heddle::container::detail::line_bytes + capacity * sizeof(T), stream, where) {
    static_assert(sizeof(*view_.all_) <= heddle::container::detail::line_bytes);
    view_.all_ = reinterpret_cast<decltype(view_.all_)>(memory_.data());
    view_.values_ = reinterpret_cast<T*>(memory_.data() + heddle::container::detail::line_bytes);
    view_.capacity_ = capacity;
  }
  [[nodiscard]] locked_stack_view<T, Lock> view() const noexcept { return view_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return view_.capacity_; }

 private:
  heddle::container::detail::device_memory memory_;
  locked_stack_view<T, Lock> view_;
};

}  // namespace heddle_bench
