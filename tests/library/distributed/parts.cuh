// Divides ranges into parts for ranks: evenly, very unevenly, and with nothing for some.
#pragma once
#include <heddle/device/workspace.cuh>
#include <heddle/distributed/on_devices.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "distributed/ranks_main.hpp"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace heddle_test {

enum class cut { even, all_on_first, all_on_last, every_other, one_each_and_rest, anywhere };

inline constexpr cut all_cuts[]{cut::even,        cut::all_on_first,      cut::all_on_last,
                                cut::every_other, cut::one_each_and_rest, cut::anywhere};

// The start of each rank's part, and finally the count.
inline std::vector<std::int64_t> cuts_of(cut kind, std::int64_t count, int ranks,
                                         std::uint64_t seed) {
  std::vector<std::int64_t> begins(ranks + 1, 0);
  for (int i = 1; i < ranks; ++i) {
    switch (kind) {
      case cut::even:
        begins[i] = count * i / ranks;
        break;
      case cut::all_on_first:
        begins[i] = count;
        break;
      case cut::all_on_last:
        begins[i] = 0;
        break;
      // Ranks 1, 3, … have the elements of two ranks.
      case cut::every_other:
        begins[i] = count * (i / 2) / std::max(1, ranks / 2);
        break;
      case cut::one_each_and_rest:
        begins[i] = std::min<std::int64_t>(i, count);
        break;
      case cut::anywhere:
        begins[i] = static_cast<std::int64_t>(sample_bits(seed, i) % (count + 1));
        break;
    }
  }
  begins[ranks] = count;
  std::sort(begins.begin(), begins.end());
  return begins;
}

// Calls what(begin, end) for each way to divide `count` elements; [begin, end) is the caller's.
template <typename What>
void for_each_cut(std::int64_t count, std::uint64_t seed, const What& what) {
  for (const cut kind : all_cuts) {
    const auto begins = cuts_of(kind, count, ranks().size(), seed);
    SCOPED_TRACE("cut " + std::to_string(static_cast<int>(kind)) + " of " + std::to_string(count) +
                 " elements");
    what(begins[ranks().rank()], begins[ranks().rank() + 1]);
  }
}

// The first rank's seed, on all ranks.
inline std::uint64_t common_seed() {
  static const std::uint64_t chosen = ranks().broadcast(seed(), 0);
  return chosen;
}

template <typename T>
std::vector<T> piece_of(const std::vector<T>& all, std::int64_t begin, std::int64_t end) {
  return {all.begin() + begin, all.begin() + end};
}

}  // namespace heddle_test

// Like HEDDLE_NAME_SEED, for the seed that all ranks share.
#define HEDDLE_NAME_COMMON_SEED() \
  SCOPED_TRACE("replay with HEDDLE_SEED=" + std::to_string(::heddle_test::common_seed()))
