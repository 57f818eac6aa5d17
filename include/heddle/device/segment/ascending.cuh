// The precondition of all calls with offsets.
#pragma once
#include <heddle/core/config.cuh>

#include <cstdint>

namespace heddle::device::detail {

// Expects offsets[0] … offsets[last] to ascend; reads them only if preconditions are checked.
//   called by   every thread of the grid, each for a share of them
template <typename Offsets>
__device__ inline void expect_ascending(const Offsets& offsets, std::int64_t last) {
  if constexpr (HEDDLE_CHECK_PRECONDITIONS != 0) {
    const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         i < last; i += threads) {
      HEDDLE_EXPECTS(
          static_cast<std::int64_t>(offsets[i]) <= static_cast<std::int64_t>(offsets[i + 1]),
          "the offsets of segments must ascend");
    }
  } else {
    static_cast<void>(offsets);
    static_cast<void>(last);
  }
}

}  // namespace heddle::device::detail
