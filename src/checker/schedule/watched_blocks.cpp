// Draws some blocks of a grid, each with the same probability.
#include "checker/schedule/watched_blocks.hpp"

namespace heddle_checker {

void watched_blocks::grid_begins(std::uint64_t blocks, bool is_watched) {
  chosen_.clear();
  all_ += blocks;
  is_watched_ = is_watched;
  if (!is_watched) return;
  if (most_ == 0 || blocks <= most_) {
    watched_ += blocks;
    return;
  }
  watched_ += most_;
  // Floyd's algorithm: as many draws as blocks wanted, however large the grid is.
  for (std::uint64_t last = blocks - most_; last < blocks; ++last) {
    const std::uint64_t drawn = random_.next() % (last + 1);
    chosen_.insert(chosen_.contains(drawn) ? last : drawn);
  }
}

}  // namespace heddle_checker
