// The arguments of a segmented reduction, and what its warps pass to each other.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/segment/split.cuh>
#include <heddle/warp/scan.cuh>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace heddle::device::detail {

// A segmented reduction, as the kernel sees it.
template <typename Input, typename Offsets, typename Output, typename Op, bool has_initial>
struct segment_problem {
  using element = element_of<Input>;
  using result = result_of<Output>;
  using value = carried<combined_type<Input, Op, Output>, Op>;

  Input values;
  Offsets offsets;
  std::int64_t segments;
  Output output;
  Op op;
  value initial;  // of empty segments; with has_initial also before all other values

  __device__ void write(std::int64_t segment, value total, bool is_empty) const {
    if constexpr (has_initial) {
      total = warp::detail::combine_where(!is_empty, initial, total, initial, op);
    } else {
      total = is_empty ? initial : total;
    }
    output[segment] = static_cast<result>(total);
  }
};

// A share of the work, and the partial results to be joined with those of other shares. Kept in
// shared memory and read when needed, to save registers.
template <typename T>
struct stream_share {
  static constexpr int alignment = alignof(T) > 16 ? static_cast<int>(alignof(T)) : 16;
  segment_split begin;
  segment_split end;
  // The first segment's part, if the segment began earlier and ends here.
  alignas(alignment) unsigned char first_part[sizeof(T)];
  // The part of the segment that continues past the share, if any.
  alignas(alignment) unsigned char last_part[sizeof(T)];

  __device__ T& first() { return *reinterpret_cast<T*>(first_part); }
  __device__ T& last() { return *reinterpret_cast<T*>(last_part); }
};

}  // namespace heddle::device::detail
