// A memory request of a warp.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

namespace heddle_profiler {

inline constexpr unsigned lanes_per_warp = 32;

struct request {
  std::uint32_t mask = 0;   // the participating lanes
  std::uint32_t bytes = 0;  // per lane
  std::array<std::uintptr_t, lanes_per_warp> address;

  [[nodiscard]] unsigned lanes() const { return static_cast<unsigned>(std::popcount(mask)); }

  template <typename Action>
  void for_each_lane(Action action) const {
    for (std::uint32_t left = mask; left; left &= left - 1) {
      action(static_cast<unsigned>(std::countr_zero(left)));
    }
  }
};

}  // namespace heddle_profiler
