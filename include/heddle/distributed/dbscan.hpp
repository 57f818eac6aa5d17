// DBSCAN over points that are spread over ranks, with the labels that one rank with all points
// would get.
//   strategy    space is cut into boxes with about equal numbers of points, one for each rank; a
//               rank clusters its own points together with copies of those around them, and a
//               union-find over exchanged pairs joins pieces of clusters that touch
//   needs       MPI; no CUDA
#pragma once
#include <heddle/cluster/result.hpp>
#include <heddle/distributed/cluster_numbers.hpp>
#include <heddle/distributed/halo.hpp>
#include <heddle/distributed/joined_pieces.hpp>
#include <heddle/distributed/local_clusters.hpp>
#include <heddle/distributed/spread_points.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::distributed {

// The options of a clustering over ranks.
struct dbscan_options {
  int threads = 1;  // per rank; 0: one per processor
  // Called with the name of each phase when this rank begins it.
  std::function<void(std::string_view phase)> on_phase;
};

// The phases, in order.
inline constexpr std::array<std::string_view, 10> dbscan_phases = {
    "count", "cut", "spread", "halo", "core", "join", "merge", "number", "label", "return"};

// A rank's result for the points of its part.
struct dbscan_part {
  std::vector<std::int32_t> labels;   // for each point its cluster, or cluster::noise
  std::vector<std::uint8_t> is_core;  // for each point 1 or 0
  std::int32_t clusters = 0;          // of all ranks together
  std::size_t owned = 0;              // points of this rank's box
  std::size_t copies = 0;             // copies of other ranks' points around the box
};

namespace detail {

// One clustering, phase by phase.
template <typename T, int axes>
class dbscan_run {
 public:
  dbscan_run(communicator& ranks, const cluster::points_view<T, axes>& part, double eps,
             int min_points, const dbscan_options& options)
      : ranks_(ranks),
        part_(part),
        eps_(eps),
        min_points_(min_points),
        options_(options),
        local_(options.threads) {}

  dbscan_part operator()() {
    begin("count");
    const input_order order(ranks_, part_.size());
    begin("cut");
    const space_cuts<T, axes> cuts = spread_points<T, axes>::cut(ranks_, order, part_, eps_);
    begin("spread");
    spread_points<T, axes> points(ranks_, order, part_, cuts);
    owned_ = static_cast<std::uint32_t>(points.owned().size());
    begin("halo");
    exchange_copies(points.owned());
    begin("core");
    find_core(points.owned());
    begin("join");
    local_.join(copy_is_core_);
    name_pieces(points);
    begin("merge");
    merge_pieces();
    begin("number");
    const cluster_numbers numbers(ranks_, order, clusters_);
    begin("label");
    std::vector<std::int32_t> labels = label_points(numbers, points.owned().size());
    begin("return");
    return send_back(points, labels, numbers.clusters());
  }

 private:
  static constexpr std::uint64_t no_name = std::numeric_limits<std::uint64_t>::max();

  void begin(std::string_view phase) const {
    if (options_.on_phase) options_.on_phase(phase);
  }

  // Appends copies of other ranks' points to this rank's own.
  void exchange_copies(std::vector<point<T, axes>>& points) {
    const auto boxes = ranks_.all_gather(rank_box<T, axes>::around(points));
    copied_ = lists<std::uint32_t>(copies_for_others<T, axes>(points, boxes, ranks_.rank(), eps_));
    const lists<point<T, axes>> copies =
        ranks_.all_to_all(of_copied<point<T, axes>>([&](std::uint32_t p) { return points[p]; }));
    if (points.size() + copies.values().size() > std::numeric_limits<std::int32_t>::max())
      throw std::length_error(
          "heddle::distributed::dbscan: a rank has more than 2^31 - 1 points and copies of others");
    points.insert(points.end(), copies.values().begin(), copies.values().end());
  }

  void find_core(const std::vector<point<T, axes>>& points) {
    const T* const first = points.empty() ? nullptr : points.front().data();
    local_.find_core(cluster::interleaved_points<axes>(first, points.size()), owned_, eps_,
                     min_points_);
    is_core_.resize(owned_);
    local_.write_core(is_core_);
    copy_is_core_ = std::move(
        ranks_
            .all_to_all(of_copied<std::uint8_t>([&](std::uint32_t p) { return is_core_[p]; }),
                        [&] { local_.keep_core_of_own_cells(); })
            .values());
  }

  // A piece is named by the number, in the whole input, of the smallest core point that this rank
  // owns in it. For each copied core point, its owner sends the name of the point's piece.
  void name_pieces(const spread_points<T, axes>& points) {
    piece_of_.assign(owned_ + copy_is_core_.size(), no_point);
    local_.write_pieces(piece_of_);
    names_.assign(local_.pieces(), no_name);
    for (std::uint32_t piece = 0; piece < local_.pieces(); ++piece)
      if (local_.first_own_core(piece) != no_point)
        names_[piece] = points.number_of(local_.first_own_core(piece));
    std::vector<std::vector<std::uint64_t>> names_to_send(static_cast<std::size_t>(ranks_.size()));
    for (int rank = 0; rank < ranks_.size(); ++rank)
      for (const std::uint32_t p : copied_[rank])
        if (is_core_[p])
          names_to_send[static_cast<std::size_t>(rank)].push_back(names_[piece_of_[p]]);
    const std::vector<std::uint64_t> received =
        std::move(ranks_.all_to_all(lists<std::uint64_t>(names_to_send)).values());
    std::size_t next = 0;
    for (std::size_t copy = 0; copy < copy_is_core_.size(); ++copy) {
      if (!copy_is_core_[copy]) continue;
      std::uint64_t& mine = names_[piece_of_[owned_ + copy]];
      const std::uint64_t theirs = received[next++];
      // For a piece of copies only, any name will do: the owners know what is connected.
      if (mine == no_name) mine = theirs;
      // Both owners of two neighbours find the pair.
      if (mine < theirs) pairs_.push_back({mine, theirs});
    }
    keep_distinct(pairs_);
  }

  void merge_pieces() {
    joined_pieces merged(ranks_.all_gather_lists(std::span<const piece_pair>(pairs_)).values());
    clusters_.reserve(names_.size());
    for (const std::uint64_t name : names_) clusters_.push_back(merged.smallest_core_of(name));
  }

  std::vector<std::int32_t> label_points(const cluster_numbers& numbers, std::size_t points) {
    std::vector<std::int32_t> cluster_of_piece;
    cluster_of_piece.reserve(clusters_.size());
    for (const std::uint64_t name : clusters_) cluster_of_piece.push_back(numbers.of(name));
    std::vector<std::int32_t> labels(points, cluster::noise);
    local_.label(cluster_of_piece, labels);
    labels.resize(owned_);
    return labels;
  }

  dbscan_part send_back(const spread_points<T, axes>& points,
                        const std::vector<std::int32_t>& labels, std::int32_t clusters) const {
    dbscan_part result;
    result.clusters = clusters;
    result.owned = owned_;
    result.copies = copy_is_core_.size();
    result.labels.assign(part_.size(), cluster::noise);
    result.is_core.assign(part_.size(), 0);
    // A label from -1 up, and one bit.
    std::vector<std::uint32_t> label_and_core(owned_);
    for (std::size_t p = 0; p < label_and_core.size(); ++p)
      label_and_core[p] = static_cast<std::uint32_t>(labels[p] + 1) << 1 | is_core_[p];
    points.send_back(label_and_core, [&](std::uint32_t p, std::uint32_t value) {
      result.labels[p] = static_cast<std::int32_t>(value >> 1) - 1;
      result.is_core[p] = value & 1;
    });
    return result;
  }

  // A value for each copied point, for the ranks that have the copies.
  template <typename Value, typename Of>
  lists<Value> of_copied(Of of) const {
    std::vector<std::int64_t> counts;
    for (int rank = 0; rank < ranks_.size(); ++rank) counts.push_back(copied_.count_of(rank));
    lists<Value> made(counts);
    for (std::size_t i = 0; i < made.values().size(); ++i)
      made.values()[i] = of(copied_.values()[i]);
    return made;
  }

  communicator& ranks_;
  const cluster::points_view<T, axes>& part_;
  double eps_;
  int min_points_;
  const dbscan_options& options_;
  local_clusters<T, axes> local_;
  std::uint32_t owned_ = 0;
  lists<std::uint32_t> copied_;             // for each rank, the own points that it has copies of
  std::vector<std::uint8_t> is_core_;       // per own point
  std::vector<std::uint8_t> copy_is_core_;  // per copy
  std::vector<std::uint32_t> piece_of_;     // per core point, own or copy
  std::vector<std::uint64_t> names_;        // per piece
  std::vector<piece_pair> pairs_;
  std::vector<std::uint64_t> clusters_;  // per piece: the smallest core point of its cluster
};

}  // namespace detail

// Labels the points of all ranks' parts, which in rank order form one cloud. The labels are exactly
// those of cluster::dbscan for that cloud, bit for bit, for any number of ranks and any
// distribution of the points over them. A rank holds only the points of its part, those of its box,
// the copies around these, and a sample of some hundred points for each rank.
//   called by   every rank, with the same eps and min_points
//   eps         from 1e-150 to 1e150
//   throws      std::invalid_argument; rank_error if another rank is lost; std::length_error above
//               2^31 - 1 points on a rank or clusters in all; std::bad_alloc
//   cost        each point is sent once, and its label back; points within eps of another rank's
//               box are copied; pairs of clusters that meet at box boundaries go to all ranks
template <typename T, int axes>
[[nodiscard]] dbscan_part dbscan(communicator& ranks, const cluster::points_view<T, axes>& part,
                                 double eps, int min_points, const dbscan_options& options = {}) {
  cluster::check_request(part.size(), eps, min_points);
  return detail::dbscan_run<T, axes>(ranks, part, eps, min_points, options)();
}

}  // namespace heddle::distributed
