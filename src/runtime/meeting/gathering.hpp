// Where the threads of a multi-warp tile meet and hand each other eight bytes.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace heddle_host {

struct tile_gathering {
  unsigned first_thread = 0;
  unsigned threads = 0;
  unsigned arrived = 0;
  unsigned parity = 0;
  std::array<std::vector<std::uint64_t>, 2> values;
  std::array<std::uint32_t, 32> waiting{};  // by warp
};

}  // namespace heddle_host
