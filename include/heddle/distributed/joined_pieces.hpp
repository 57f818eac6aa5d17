// Joins pieces of different ranks that belong to one cluster.
#pragma once
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace heddle::distributed::detail {

// Two connected pieces, each named by the number of its smallest core point in the whole input.
struct piece_pair {
  std::uint64_t one;
  std::uint64_t other;

  friend auto operator<=>(const piece_pair&, const piece_pair&) = default;
};

// Sorts pairs and removes duplicates.
inline void keep_distinct(std::vector<piece_pair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

// The clusters that result from the pairs of all ranks. A piece in no pair is a whole cluster.
//   called by   every rank with the same pairs
//   cost        memory and time depend on the pairs, not on the points
class joined_pieces {
 public:
  explicit joined_pieces(const std::vector<piece_pair>& pairs) {
    for (const piece_pair& pair : pairs) {
      names_.push_back(pair.one);
      names_.push_back(pair.other);
    }
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    parents_.resize(names_.size());
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    for (const piece_pair& pair : pairs) {
      const std::size_t one = root(place_of(pair.one)), other = root(place_of(pair.other));
      parents_[std::max(one, other)] = std::min(one, other);
    }
  }

  // The smallest core point of the cluster that a piece belongs to.
  [[nodiscard]] std::uint64_t smallest_core_of(std::uint64_t piece) {
    const std::size_t place = place_of(piece);
    return place < names_.size() && names_[place] == piece ? names_[root(place)] : piece;
  }

 private:
  [[nodiscard]] std::size_t place_of(std::uint64_t name) const {
    return static_cast<std::size_t>(std::lower_bound(names_.begin(), names_.end(), name) -
                                    names_.begin());
  }

  std::size_t root(std::size_t place) {
    while (parents_[place] != place) {
      parents_[place] = parents_[parents_[place]];
      place = parents_[place];
    }
    return place;
  }

  std::vector<std::uint64_t> names_;  // ascending, so that a root is the smallest of its set
  std::vector<std::size_t> parents_;
};

}  // namespace heddle::distributed::detail
