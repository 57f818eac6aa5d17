// What tests over ranks share: one seed, one verdict, and parts of data that all ranks have.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <vector>

#include "distributed/ranks_main.hpp"
#include "support/seed.hpp"

namespace heddle_test {

// The same seed on every rank: HEDDLE_SEED, or one that rank 0 draws and prints.
inline std::uint64_t rank_seed() {
  static const std::uint64_t agreed = [] {
    const std::uint64_t chosen = ranks().broadcast(seed(), 0);
    if (ranks().rank() == 0) std::cout << "replay with HEDDLE_SEED=" << chosen << std::endl;
    return chosen;
  }();
  return agreed;
}

// Whether all ranks agree. A rank that continued alone would wait for the others.
inline bool all_say(bool is_so) {
  return ranks().all_reduce(is_so ? 1 : 0, [](int a, int b) { return std::min(a, b); }) == 1;
}

// The parts of all ranks, concatenated.
template <typename T>
std::vector<T> whole_of(const std::vector<T>& part) {
  return ranks().all_gather_lists(std::span<const T>(part)).values();
}

// Where this rank's part of `count` things begins and ends: even, all on one rank, or at random.
struct part_range {
  std::size_t begin = 0;
  std::size_t end = 0;
};
template <typename Source>
part_range random_part(Source& source, std::size_t count) {
  const auto count_of_ranks = static_cast<std::size_t>(ranks().size());
  const auto rank = static_cast<std::size_t>(ranks().rank());
  const auto kind = std::uniform_int_distribution<int>(0, 3)(source);
  std::vector<std::size_t> cuts(count_of_ranks + 1, 0);
  for (std::size_t i = 0; i <= count_of_ranks; ++i) cuts[i] = count * i / count_of_ranks;
  if (kind == 1) {
    const auto only = std::uniform_int_distribution<std::size_t>(0, count_of_ranks - 1)(source);
    for (std::size_t i = 0; i <= count_of_ranks; ++i) cuts[i] = i <= only ? 0 : count;
  } else if (kind == 2) {
    for (std::size_t i = 1; i < count_of_ranks; ++i)
      cuts[i] = std::uniform_int_distribution<std::size_t>(0, count)(source);
    std::sort(cuts.begin(), cuts.end() - 1);
    cuts[count_of_ranks] = count;
  }
  return {cuts[rank], cuts[rank + 1]};
}

}  // namespace heddle_test
