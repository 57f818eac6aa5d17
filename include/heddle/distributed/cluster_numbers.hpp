// Numbers the clusters, in the order of their smallest core points in the whole input.
#pragma once
#include <heddle/distributed/communicator.hpp>
#include <heddle/distributed/spread_points.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace heddle::distributed::detail {

// Each rank asks for the clusters that it knows. The rank whose part of the input has a cluster's
// smallest core point then knows how many clusters begin before it, since every cluster is asked
// for.
//   called by   every rank
//   cost        twelve bytes for each cluster that a rank knows, and a count from each rank
class cluster_numbers {
 public:
  // Asks for the numbers of clusters, named by their smallest core points.
  cluster_numbers(communicator& ranks, const input_order& order,
                  const std::vector<std::uint64_t>& clusters)
      : names_(clusters) {
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    std::vector<std::vector<std::uint32_t>> questions(static_cast<std::size_t>(ranks.size()));
    for (const std::uint64_t name : names_) {
      const int rank = order.rank_of(name);
      questions[static_cast<std::size_t>(rank)].push_back(
          static_cast<std::uint32_t>(name - order.begin_of(rank)));
    }
    const lists<std::uint32_t> asked = ranks.all_to_all(lists<std::uint32_t>(questions));
    std::vector<std::uint32_t> beginning = asked.values();
    std::sort(beginning.begin(), beginning.end());
    beginning.erase(std::unique(beginning.begin(), beginning.end()), beginning.end());
    const std::uint64_t before = count(ranks, beginning.size());
    std::vector<std::vector<std::int32_t>> answers(questions.size());
    for (int rank = 0; rank < ranks.size(); ++rank)
      for (const std::uint32_t point : asked[rank]) {
        const auto found = std::lower_bound(beginning.begin(), beginning.end(), point);
        answers[static_cast<std::size_t>(rank)].push_back(
            static_cast<std::int32_t>(before) +
            static_cast<std::int32_t>(found - beginning.begin()));
      }
    // Ranks ascend and names with them, so answers come in the order of the names.
    numbers_ = ranks.all_to_all(lists<std::int32_t>(answers)).values();
  }

  [[nodiscard]] std::int32_t clusters() const { return clusters_; }
  // The number of a cluster that was asked for.
  [[nodiscard]] std::int32_t of(std::uint64_t name) const {
    const auto found = std::lower_bound(names_.begin(), names_.end(), name);
    return numbers_[static_cast<std::size_t>(found - names_.begin())];
  }

 private:
  // Counts all clusters; returns how many begin in the parts of earlier ranks.
  std::uint64_t count(communicator& ranks, std::uint64_t own) {
    std::uint64_t before = 0, all = 0;
    const std::vector<std::uint64_t> counts = ranks.all_gather(own);
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      if (static_cast<int>(rank) < ranks.rank()) before += counts[rank];
      all += counts[rank];
    }
    // All ranks see the same sum, so all of them throw.
    if (all > std::numeric_limits<std::int32_t>::max())
      throw std::length_error("heddle::distributed::dbscan: more than 2^31 - 1 clusters");
    clusters_ = static_cast<std::int32_t>(all);
    return before;
  }

  std::vector<std::uint64_t> names_;   // ascending
  std::vector<std::int32_t> numbers_;  // of the names
  std::int32_t clusters_ = 0;
};

}  // namespace heddle::distributed::detail
