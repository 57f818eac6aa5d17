// Cuts space into one part for each rank, using a sample of the points.
#pragma once
#include <heddle/cluster/neighbour_rule.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::distributed::detail {

using cluster::detail::point;

// The index of the point that represents the block of `stride` points beginning at block * stride:
// the same on all ranks, but at a different position in each block, so that points in a regular
// order are not all sampled from one side.
[[nodiscard]] inline std::uint64_t sampled_of_block(std::uint64_t block, std::uint64_t stride) {
  std::uint64_t bits = block + 0x9e3779b97f4a7c15u;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return block * stride + (bits ^ bits >> 31) % stride;
}

// A tree of cuts: the ranks are halved, and space with them, until each rank has its own box. Each
// cut divides the sample in proportion to the ranks on its two sides, across the axis with the
// lowest cost.
//   called by   every rank with the same sample; all get the same cuts
template <typename T, int axes>
class space_cuts {
 public:
  // Cuts space for `ranks` ranks; points within eps of a cut add to its cost.
  space_cuts(std::span<point<T, axes>> sample, int ranks, double eps) : eps_(eps) {
    halve(sample, 0, ranks);
  }

  // The rank that owns a finite point. Equal points have the same owner.
  [[nodiscard]] int owner(const point<T, axes>& one) const {
    std::size_t at = 0;
    int first = 0;
    while (nodes_[at].ranks > 1) {
      const node& here = nodes_[at];
      const bool is_above = one[here.axis] >= here.value;
      if (is_above) first += here.ranks / 2;
      at = is_above ? here.above : at + 1;
    }
    return first;
  }

 private:
  struct node {
    int ranks = 1;
    int axis = 0;
    T value = 0;            // smaller coordinates are below
    std::size_t above = 0;  // the node below directly follows this one
  };
  struct candidate {
    int axis = 0;
    T value = 0;
    double cost = 0;
  };

  void halve(std::span<point<T, axes>> sample, int first, int ranks) {
    const std::size_t at = nodes_.size();
    nodes_.push_back({.ranks = ranks});
    if (ranks == 1) return;
    const int below = ranks / 2;
    candidate best = cut_across(sample, 0, ranks);
    for (int axis = 1; axis < axes; ++axis) {
      const candidate other = cut_across(sample, axis, ranks);
      if (other.cost < best.cost) best = other;
    }
    nodes_[at].axis = best.axis;
    nodes_[at].value = best.value;
    const auto middle =
        std::partition(sample.begin(), sample.end(),
                       [&](const point<T, axes>& one) { return one[best.axis] < best.value; });
    const auto count = static_cast<std::size_t>(middle - sample.begin());
    halve(sample.first(count), first, below);
    nodes_[at].above = nodes_.size();
    halve(sample.subspan(count), first + below, ranks - below);
  }

  // The cut across an axis that divides the sample closest to the ranks' shares.
  candidate cut_across(std::span<point<T, axes>> sample, int axis, int ranks) const {
    candidate made{axis, T(0), 0};
    if (sample.empty()) return made;
    const int below = ranks / 2;
    const auto is_less = [axis](const point<T, axes>& a, const point<T, axes>& b) {
      return a[axis] < b[axis];
    };
    const auto wanted = sample.begin() + static_cast<std::ptrdiff_t>(
                                             sample.size() * static_cast<std::size_t>(below) /
                                             static_cast<std::size_t>(ranks));
    std::nth_element(sample.begin(), wanted, sample.end(), is_less);
    made.value = (*wanted)[axis];
    made.cost = cost_of(sample, axis, made.value, ranks);
    // Equal values stay together: all above the cut, or all below the next value.
    T next = made.value;
    for (const point<T, axes>& one : sample)
      if (one[axis] > made.value && (next == made.value || one[axis] < next)) next = one[axis];
    if (next == made.value) return made;
    const double cost = cost_of(sample, axis, next, ranks);
    if (cost < made.cost) made = {axis, next, cost};
    return made;
  }

  // The sample points on the busiest rank of the two sides, including its copies of others' points.
  double cost_of(std::span<const point<T, axes>> sample, int axis, T value, int ranks) const {
    std::size_t less = 0, close = 0;
    for (const point<T, axes>& one : sample) {
      less += one[axis] < value;
      const double gap = static_cast<double>(one[axis]) - static_cast<double>(value);
      close += gap <= eps_ && -gap <= eps_;
    }
    const int below = ranks / 2;
    const double larger = std::max(static_cast<double>(less) / below,
                                   static_cast<double>(sample.size() - less) / (ranks - below));
    return larger + static_cast<double>(close) / ranks;
  }

  double eps_;
  std::vector<node> nodes_;
};

}  // namespace heddle::distributed::detail
