// Counts sectors by walking over the lanes' bytes in address order.
#include "sectors.hpp"

#include <algorithm>

namespace heddle_profiler {
namespace {

// Sorts the lanes' addresses; returns how many there are.
unsigned sort_begins(const request& what, std::array<std::uintptr_t, lanes_per_warp>& begins) {
  unsigned count = 0;
  what.for_each_lane([&](unsigned lane) { begins[count++] = what.address[lane]; });
  std::sort(begins.begin(), begins.begin() + count);
  return count;
}

}  // namespace

sector_cost sectors_of(const request& what) {
  std::array<std::uintptr_t, lanes_per_warp> begins;
  const unsigned count = sort_begins(what, begins);
  sector_cost cost{};
  std::uintptr_t end = 0;           // of the bytes counted so far
  std::uintptr_t first_sector = 0;  // the first one not yet counted
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

unsigned sectors_of_atomics(const request& what) {
  std::array<std::uintptr_t, lanes_per_warp> begins;
  const unsigned count = sort_begins(what, begins);
  unsigned visits = 0;
  unsigned on_address = 0;
  unsigned most = 0;  // lanes on one address of this sector
  for (unsigned i = 0; i < count; ++i) {
    const bool is_first = i == 0 || begins[i] / sector_bytes != begins[i - 1] / sector_bytes;
    on_address = is_first || begins[i] != begins[i - 1] ? 1 : on_address + 1;
    if (is_first) {
      visits += most;
      most = 0;
    }
    most = std::max(most, on_address);
  }
  return visits + most;
}

}  // namespace heddle_profiler
