// Compares the addresses of a request's lanes.
#include "addresses.hpp"

#include <algorithm>

namespace heddle_profiler {

address_sharing sharing_of(const request& what) {
  std::array<std::uintptr_t, lanes_per_warp> all;
  unsigned count = 0;
  what.for_each_lane([&](unsigned lane) { all[count++] = what.address[lane]; });
  std::sort(all.begin(), all.begin() + count);
  address_sharing found{};
  unsigned run = 0;
  for (unsigned i = 0; i < count; ++i) {
    const bool is_new = i == 0 || all[i] != all[i - 1];
    run = is_new ? 1 : run + 1;
    found.addresses += is_new;
    found.most_on_one = std::max(found.most_on_one, run);
  }
  return found;
}

std::uintptr_t span_of(const request& what) {
  std::uintptr_t first = ~std::uintptr_t{0};
  std::uintptr_t end = 0;
  what.for_each_lane([&](unsigned lane) {
    first = std::min(first, what.address[lane]);
    end = std::max(end, what.address[lane] + what.bytes);
  });
  return end - first;
}

lane_stride stride_of(const request& what) {
  if (what.lanes() < 2) return {false, 0};
  const auto first = static_cast<unsigned>(std::countr_zero(what.mask));
  const auto second = static_cast<unsigned>(std::countr_zero(what.mask & (what.mask - 1)));
  const auto distance = static_cast<std::int64_t>(what.address[second] - what.address[first]);
  const auto lanes_between = static_cast<std::int64_t>(second - first);
  if (distance % lanes_between != 0) return {false, 0};
  const std::int64_t stride = distance / lanes_between;
  bool is_constant = true;
  what.for_each_lane([&](unsigned lane) {
    const auto expected =
        what.address[first] +
        static_cast<std::uintptr_t>(stride * (static_cast<int>(lane) - static_cast<int>(first)));
    is_constant = is_constant && what.address[lane] == expected;
  });
  return {is_constant, stride};
}

}  // namespace heddle_profiler
