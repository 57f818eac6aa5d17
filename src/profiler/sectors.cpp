// Counts sectors by walking over the lanes' bytes in the order of their addresses.
#include "sectors.hpp"

#include <algorithm>

namespace heddle_profiler {

sector_cost sectors_of(const request& what) {
  std::array<std::uintptr_t, lanes_per_warp> begins;
  unsigned count = 0;
  what.for_each_lane([&](unsigned lane) { begins[count++] = what.address[lane]; });
  std::sort(begins.begin(), begins.begin() + count);
  sector_cost cost{};
  std::uintptr_t end = 0;           // of the bytes that have been counted
  std::uintptr_t first_sector = 0;  // that has not been counted
  for (unsigned i = 0; i < count; ++i) {
    const std::uintptr_t mine_end = begins[i] + what.bytes;
    const std::uintptr_t begin = std::max(begins[i], end);
    if (mine_end <= begin) continue;
    cost.used_bytes += static_cast<unsigned>(mine_end - begin);
    const std::uintptr_t sector = std::max(begin / sector_bytes, first_sector);
    const std::uintptr_t last = (mine_end - 1) / sector_bytes;
    if (last >= sector) cost.sectors += static_cast<unsigned>(last - sector + 1);
    first_sector = last + 1;
    end = mine_end;
  }
  cost.fewest = (cost.used_bytes + sector_bytes - 1) / sector_bytes;
  return cost;
}

}  // namespace heddle_profiler
