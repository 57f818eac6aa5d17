// Counts the distinct words that each bank has to deliver, for each part of the warp.
#include "banks.hpp"

#include <algorithm>

namespace heddle_profiler {
namespace {

// The most words that any bank delivers to these lanes. Lanes share a word unless `each`.
unsigned ways_of(const request& what, std::uint32_t lanes, bool each) {
  std::array<std::uintptr_t, lanes_per_warp * 4> words;
  unsigned count = 0;
  for (std::uint32_t left = lanes; left; left &= left - 1) {
    const std::uintptr_t begin = what.address[static_cast<unsigned>(std::countr_zero(left))];
    const std::uintptr_t last = (begin + what.bytes - 1) / bank_bytes;
    for (std::uintptr_t word = begin / bank_bytes; word <= last && count < words.size(); ++word) {
      words[count++] = word;
    }
  }
  std::sort(words.begin(), words.begin() + count);
  const auto end = each ? words.begin() + count : std::unique(words.begin(), words.begin() + count);
  std::array<unsigned, banks> wanted{};
  unsigned most = 0;
  for (auto word = words.begin(); word != end; ++word) {
    most = std::max(most, ++wanted[*word % banks]);
  }
  return most;
}

bank_cost cost_of(const request& what, bool each) {
  const unsigned parts = std::clamp(what.bytes / bank_bytes, 1u, 4u);
  const unsigned lanes_per_part = lanes_per_warp / parts;
  bank_cost cost{};
  for (unsigned part = 0; part < parts; ++part) {
    const auto whole = static_cast<std::uint32_t>((std::uint64_t{1} << lanes_per_part) - 1);
    const std::uint32_t lanes = what.mask & whole << part * lanes_per_part;
    if (lanes == 0) continue;
    const unsigned ways = ways_of(what, lanes, each);
    cost.wavefronts += ways;
    cost.fewest += 1;
    cost.ways = std::max(cost.ways, ways);
  }
  return cost;
}

}  // namespace

bank_cost banks_of(const request& what) { return cost_of(what, false); }
bank_cost banks_of_atomics(const request& what) { return cost_of(what, true); }

}  // namespace heddle_profiler
