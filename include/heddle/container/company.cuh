// Lanes of a warp that do one operation together, or a single lane that does it alone.
#pragma once
#include <heddle/core/mask.cuh>

namespace heddle::container::detail {

// The first lane leads. All lanes take part in every call. With a single lane, the shuffles and
// barriers compile to nothing.
template <bool is_alone>
class company {
 public:
  __device__ explicit company(lane_mask lanes) : lanes_(lanes) {}

  [[nodiscard]] __device__ lane_mask lanes() const { return lanes_; }
  [[nodiscard]] __device__ int size() const {
    if constexpr (is_alone) return 1;
    return count(lanes_);
  }
  // The caller's position, counted from the leader.
  [[nodiscard]] __device__ int rank() const {
    if constexpr (is_alone) return 0;
    return heddle::rank(lanes_);
  }
  [[nodiscard]] __device__ bool leads() const { return rank() == 0; }

  // After it, all lanes see what any of them had written before.
  __device__ void sync() const {
    if constexpr (!is_alone) __syncwarp(lanes_);
  }
  // The value held by the leader, by the last lane, or by a given rank or lane.
  template <typename T>
  [[nodiscard]] __device__ T of_leader(T value) const {
    return of_lane(value, first_lane(lanes_));
  }
  template <typename T>
  [[nodiscard]] __device__ T of_last(T value) const {
    return of_lane(value, last_lane(lanes_));
  }
  template <typename T>
  [[nodiscard]] __device__ T of_rank(T value, int rank) const {
    if constexpr (is_alone) return value;
    return of_lane(value, lane_of_rank(lanes_, rank));
  }
  template <typename T>
  [[nodiscard]] __device__ T of_lane(T value, int lane) const {
    if constexpr (is_alone) return value;
    return __shfl_sync(lanes_, value, lane);
  }
  // The lanes for which `holds` is true.
  [[nodiscard]] __device__ lane_mask where(bool holds) const {
    if constexpr (is_alone) return holds ? lanes_ : 0;
    return __ballot_sync(lanes_, holds);
  }

 private:
  lane_mask lanes_;
};

}  // namespace heddle::container::detail
