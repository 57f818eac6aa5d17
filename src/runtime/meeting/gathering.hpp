// Where the threads of a multi-warp tile wait for each other and exchange eight bytes.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include <heddle_host/finding.hpp>

namespace heddle_host {

struct tile_gathering {
  unsigned first_thread = 0;
  unsigned threads = 0;
  unsigned arrived = 0;
  unsigned parity = 0;
  activity doing = activity::at_tile_barrier;  // what those that wait are doing
  std::array<std::vector<std::uint64_t>, 2> values;
  std::array<std::uint32_t, 32> waiting{};  // by warp
};

}  // namespace heddle_host
