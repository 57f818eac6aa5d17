// Chooses which blocks of a grid are watched, if not all are.
#pragma once
#include <cstdint>
#include <set>

#include "checker/schedule/schedules.hpp"

namespace heddle_checker {

class watched_blocks {
 public:
  // From now on watches `most` blocks of each grid, chosen by `seed`; 0: all of them.
  void choose_by(std::uint64_t seed, std::uint64_t most) {
    random_ = random_generator(seed);
    most_ = most;
  }

  // Chooses again. No block of an unwatched launch is chosen.
  void grid_begins(std::uint64_t blocks, bool is_watched = true);
  [[nodiscard]] bool contains(std::uint64_t block) const {
    return is_watched_ && (chosen_.empty() || chosen_.contains(block));
  }
  // Totals of all grids so far.
  [[nodiscard]] std::uint64_t watched() const { return watched_; }
  [[nodiscard]] std::uint64_t all() const { return all_; }

 private:
  std::uint64_t most_ = 0;
  bool is_watched_ = true;
  random_generator random_{0};
  std::set<std::uint64_t> chosen_;  // empty: all
  std::uint64_t watched_ = 0;
  std::uint64_t all_ = 0;
};

}  // namespace heddle_checker
