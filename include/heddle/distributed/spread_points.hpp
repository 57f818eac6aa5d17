// Sends points to the ranks that own their part of space, and results back.
#pragma once
#include <heddle/cluster/points.hpp>
#include <heddle/distributed/communicator.hpp>
#include <heddle/distributed/space_cuts.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heddle::distributed::detail {

// Numbers points across the whole input, which is the ranks' parts in rank order.
class input_order {
 public:
  input_order(communicator& ranks, std::uint64_t own_count) : begins_{0} {
    for (const std::uint64_t count : ranks.all_gather(own_count))
      begins_.push_back(begins_.back() + count);
  }

  [[nodiscard]] std::uint64_t total() const { return begins_.back(); }
  [[nodiscard]] std::uint64_t begin_of(int rank) const {
    return begins_[static_cast<std::size_t>(rank)];
  }
  // The rank whose part contains a point.
  [[nodiscard]] int rank_of(std::uint64_t number) const {
    return static_cast<int>(std::upper_bound(begins_.begin(), begins_.end(), number) -
                            begins_.begin() - 1);
  }

 private:
  std::vector<std::uint64_t> begins_;
};

// The finite points of all ranks' parts, each on the rank that owns its region of space.
//   called by   every rank
template <typename T, int axes>
class spread_points {
 public:
  // Sample points per rank: a cut that halves them is off by a few percent.
  static constexpr std::uint64_t sample_of_rank = 512;

  // Cuts space using a sample that all ranks see.
  [[nodiscard]] static space_cuts<T, axes> cut(communicator& ranks, const input_order& order,
                                               const cluster::points_view<T, axes>& part,
                                               double eps) {
    const auto size = static_cast<std::uint64_t>(ranks.size());
    const std::uint64_t stride =
        std::max<std::uint64_t>(1, order.total() / (sample_of_rank * size));
    const std::uint64_t begin = order.begin_of(ranks.rank()), end = begin + part.size();
    std::vector<point<T, axes>> sample;
    for (std::uint64_t block = begin / stride; block * stride < end && size > 1; ++block) {
      const std::uint64_t number = sampled_of_block(block, stride);
      if (number < begin || number >= end) continue;
      const point<T, axes> one = at(part, number - begin);
      if (is_finite(one)) sample.push_back(one);
    }
    lists<point<T, axes>> all = ranks.all_gather_lists(std::span<const point<T, axes>>(sample));
    return space_cuts<T, axes>(all.values(), ranks.size(), eps);
  }

  // Sends each point of this rank's part to its owner; non-finite points are not sent.
  spread_points(communicator& ranks, const input_order& order,
                const cluster::points_view<T, axes>& part, const space_cuts<T, axes>& cuts)
      : ranks_(ranks), order_(order) {
    std::vector<std::int32_t> owner(part.size(), nobody);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks.size()), 0);
    for (std::size_t p = 0; p < part.size(); ++p) {
      const point<T, axes> one = at(part, p);
      if (!is_finite(one)) continue;
      owner[p] = cuts.owner(one);
      ++counts[static_cast<std::size_t>(owner[p])];
    }
    sent_ = lists<std::uint32_t>(counts);
    std::vector<std::int64_t> next(counts.size());
    for (int rank = 0; rank < ranks.size(); ++rank)
      next[static_cast<std::size_t>(rank)] = sent_.begin_of(rank);
    for (std::size_t p = 0; p < part.size(); ++p) {
      if (owner[p] == nobody) continue;
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(owner[p])]++);
      sent_.values()[to] = static_cast<std::uint32_t>(p);
    }
    lists<point<T, axes>> places(counts);
    received_ = ranks.all_to_all(sent_, [&] {
      for (std::size_t i = 0; i < places.values().size(); ++i)
        places.values()[i] = at(part, sent_.values()[i]);
    });
    places_ = std::move(ranks.all_to_all(std::move(places)).values());
  }

  // The points that this rank owns, in the order of the whole input.
  [[nodiscard]] std::vector<point<T, axes>>& owned() { return places_; }
  // The number of an owned point in the whole input.
  [[nodiscard]] std::uint64_t number_of(std::uint32_t owned) const {
    int rank = 0;
    for (int end = received_.size(); end - rank > 1;) {
      const int middle = rank + (end - rank) / 2;
      (received_.begin_of(middle) <= owned ? rank : end) = middle;
    }
    return order_.begin_of(rank) + received_.values()[owned];
  }

  // Sends a value for each owned point back to where the point came from. Calls `take` with the
  // index in this rank's part and the value, for each of its finite points.
  template <typename Value, typename Take>
  void send_back(const std::vector<Value>& values, Take take) const {
    std::vector<std::int64_t> counts;
    for (int rank = 0; rank < ranks_.size(); ++rank) counts.push_back(received_.count_of(rank));
    lists<Value> back(counts);
    back.values() = values;
    const lists<Value> here = ranks_.all_to_all(std::move(back));
    for (std::size_t i = 0; i < here.values().size(); ++i)
      take(sent_.values()[i], here.values()[i]);
  }

 private:
  static constexpr std::int32_t nobody = -1;

  static point<T, axes> at(const cluster::points_view<T, axes>& part, std::size_t p) {
    point<T, axes> one;
    for (int axis = 0; axis < axes; ++axis) one[axis] = part(p, axis);
    return one;
  }
  static bool is_finite(const point<T, axes>& one) {
    return std::all_of(one.begin(), one.end(), [](T value) { return std::isfinite(value); });
  }

  communicator& ranks_;
  const input_order& order_;
  lists<std::uint32_t> sent_;      // to each owner: indices in this rank's part
  lists<std::uint32_t> received_;  // from each part: indices in it, ascending
  std::vector<point<T, axes>> places_;
};

}  // namespace heddle::distributed::detail
