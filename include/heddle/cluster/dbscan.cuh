// DBSCAN on a GPU, with exactly scikit-learn's labels, bit for bit, on every run.
//   strategy    points are sorted into cells of edge eps / √axes, found through a hash table of
//               bricks; warps count neighbours, union-find joins cells
//   needs       sm_75
#pragma once
#include <heddle/cluster/core_points.cuh>
#include <heddle/cluster/describe_clusters.cuh>
#include <heddle/cluster/group_points.cuh>
#include <heddle/cluster/join_cells.cuh>
#include <heddle/cluster/label_points.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/scan.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle::cluster {

// Clusters one cloud after another in one stream, reusing its memory.
//   called by   one host thread at a time, with the device current on which the object was made.
//               Movable, not copyable.
//   memory      260 to 450 bytes for each point of the largest cloud so far
//   capture     as for device::workspace: a call can be captured into a CUDA graph, which on each
//               replay clusters what is then in memory
template <typename T, int axes>
class device_dbscan {
 public:
  // Throws heddle::error if the library cannot run on the current device.
  explicit device_dbscan(cudaStream_t stream = nullptr,
                         source_location where = source_location::current())
      : work_(stream, where) {}

  // Labels points in device memory. Returns before the labels are written; they come in stream
  // order. They are those of host_dbscan, which defines what neighbours are.
  //   eps         from 1e-150 to 1e150
  //   min_points  at least 1
  //   labels      for each point its cluster, or noise
  //   is_core     for each point 1 or 0; may be null
  //   throws      std::invalid_argument, std::length_error above 2^31 - 1 points, heddle::error
  //   cost        fifteen kernels; few distances per point, none in cells of min_points points
  void operator()(const points_view<T, axes>& points, double eps, int min_points,
                  std::int32_t* labels, std::uint8_t* is_core = nullptr,
                  source_location where = source_location::current()) {
    where_ = where;
    cluster(points, eps, min_points, labels, is_core, false);
  }

  // The same, and describes the clusters: see statistics().
  //   cost        four more kernels
  void describe(const points_view<T, axes>& points, double eps, int min_points,
                std::int32_t* labels, std::uint8_t* is_core = nullptr,
                source_location where = source_location::current()) {
    where_ = where;
    cluster(points, eps, min_points, labels, is_core, true);
  }

  // For points and results in host memory; waits for the results.
  [[nodiscard]] dbscan_result<T, axes> of_host_points(
      const points_view<T, axes>& points, double eps, int min_points,
      source_location where = source_location::current()) {
    where_ = where;
    check_request(points.size(), eps, min_points);
    const std::size_t count = points.size();
    std::vector<T> values(count * axes);
    for (std::size_t p = 0; p < count; ++p)
      for (int axis = 0; axis < axes; ++axis)
        values[p * axes + static_cast<std::size_t>(axis)] = points(p, axis);
    struct owner {};
    std::byte* memory = work_.template kept<owner>(count * (axes * sizeof(T) + 8) + 256, where);
    T* const coordinates = reinterpret_cast<T*>(memory);
    auto* const labels = reinterpret_cast<std::int32_t*>(coordinates + count * axes);
    auto* const is_core = reinterpret_cast<std::uint8_t*>(labels + count);
    copy(coordinates, values.data(), count * axes);
    describe(interleaved_points<axes>(static_cast<const T*>(coordinates), count), eps, min_points,
             labels, is_core, where);
    dbscan_result<T, axes> result;
    result.labels.resize(count);
    result.is_core.resize(count);
    std::uint32_t clusters = 0;
    copy(result.labels.data(), labels, count);
    copy(result.is_core.data(), is_core, count);
    copy(&clusters, clusters_, 1);
    check(cudaStreamSynchronize(work_.stream()), where);
    std::vector<device_statistics<T, axes>> computed(clusters);
    copy(computed.data(), statistics_, clusters);
    check(cudaStreamSynchronize(work_.stream()), where);
    result.clusters = static_cast<std::int32_t>(clusters);
    for (const device_statistics<T, axes>& one : computed) {
      cluster_statistics<T, axes> mine;
      mine.size = one.size;
      std::copy_n(one.centroid, axes, mine.centroid.begin());
      std::copy_n(one.low, axes, mine.low.begin());
      std::copy_n(one.high, axes, mine.high.begin());
      result.statistics.push_back(mine);
    }
    return result;
  }

  // In device memory, for work that comes later in the stream, until the next call: the number of
  // clusters, and after describe() a description of each.
  [[nodiscard]] const std::uint32_t* clusters() const noexcept { return clusters_; }
  [[nodiscard]] const device_statistics<T, axes>* statistics() const noexcept {
    return statistics_;
  }

 private:
  static constexpr int threads = detail::warps_of_block * warp_size;
  // Kernels loop over their items: more blocks than this only add launch time.
  static constexpr std::uint32_t most_blocks = 4096;

  // Hands out parts of one allocation; without memory it only adds up the sizes.
  class memory_plan {
   public:
    explicit memory_plan(std::byte* memory) : memory_(memory) {}
    template <typename Element>
    Element* take(std::size_t count) {
      std::byte* const part = memory_ == nullptr ? nullptr : memory_ + bytes_;
      bytes_ += (count * sizeof(Element) + 255) / 256 * 256;
      return reinterpret_cast<Element*>(part);
    }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

   private:
    std::byte* memory_;
    std::size_t bytes_ = 0;
  };

  detail::device_cells<T, axes> lay_out(const points_view<T, axes>& points, double eps,
                                        int min_points) {
    const std::size_t count = std::max<std::size_t>(points.size(), 1);
    // Bricks fill at most two thirds of the table.
    const std::size_t slots = std::bit_ceil(count + count / 2 + 1);
    // A separate allocation, because it must stay zero between calls.
    struct table_owner {};
    std::byte* const table =
        work_.template kept<table_owner>(256 + slots * sizeof(detail::brick<axes>), where_);
    detail::device_cells<T, axes> all{
        .points = detail::device_points<T, axes>(points),
        .per_cell = detail::cells_per_unit<axes>(eps),
        .bounds = detail::neighbour_bounds<T>(eps),
        .min_points = static_cast<std::uint32_t>(min_points),
        .bricks = {reinterpret_cast<detail::brick<axes>*>(table + 256),
                   static_cast<std::uint32_t>(slots)},
        .tally = reinterpret_cast<detail::device_tally*>(table)};
    memory_plan sizes(nullptr);
    take_parts(sizes, count, all);
    struct owner {};
    memory_plan parts(work_.template kept<owner>(sizes.bytes(), where_));
    take_parts(parts, count, all);
    return all;
  }

  void take_parts(memory_plan& plan, std::size_t count, detail::device_cells<T, axes>& all) {
    all.clusters = plan.template take<std::uint32_t>(1);
    clusters_ = all.clusters;
    statistics_ = plan.template take<device_statistics<T, axes>>(count);
    sums_ = plan.template take<std::uint64_t>(count * axes);
    all.used_slots = plan.template take<std::uint32_t>(count);
    all.seats = plan.template take<std::uint64_t>(count);
    for (T*& values : all.values) values = plan.template take<T>(count);
    all.numbers = plan.template take<std::uint32_t>(count);
    all.cells = plan.template take<std::uint32_t>(count);
    all.is_core = plan.template take<std::uint8_t>(count);
    all.homes = plan.template take<std::uint64_t>(count);
    all.begins = plan.template take<std::uint32_t>(count);
    all.sizes = plan.template take<std::uint32_t>(count);
    all.core_counts = plan.template take<std::uint32_t>(count);
    all.first_core = plan.template take<std::uint32_t>(count);
    all.boxes = plan.template take<detail::device_box<T, axes>>(count);
    all.roots = plan.template take<std::uint32_t>(count);
    all.pairs_beside = take_list(plan, count, &all.tally->pairs_beside);
    all.other_pairs = take_list(plan, 2 * count, &all.tally->other_pairs);
    all.parents = plan.template take<std::uint32_t>(count);
    all.sets = container::union_find_view(all.parents);
    all.firsts = plan.template take<std::uint32_t>(count / 32 + 1);
    all.firsts_before = plan.template take<std::uint32_t>(count / 32 + 1);
  }

  static detail::pair_list take_list(memory_plan& plan, std::size_t most, std::uint32_t* count) {
    most = std::min(most, std::size_t{1} << 31);
    return {plan.template take<detail::doubtful_pair>(most), static_cast<std::uint32_t>(most),
            count};
  }

  void cluster(const points_view<T, axes>& points, double eps, int min_points, std::int32_t* labels,
               std::uint8_t* is_core, bool with_statistics) {
    check_request(points.size(), eps, min_points);
    detail::device_cells<T, axes> all = lay_out(points, eps, min_points);
    all.labels = labels;
    all.is_core_point = is_core;
    label(all);
    if (with_statistics) describe_clusters(all);
    launch_for_threads(all.points.count, detail::clear_table<T, axes>, all);
  }

  void label(const detail::device_cells<T, axes>& all) {
    launch_for_threads(all.points.count, detail::find_cells<T, axes>, all);
    launch_for_threads(all.points.count, detail::number_cells<T, axes>, all);
    launch_for_threads(all.points.count, detail::count_points<T, axes>, all);
    launch_for_threads(all.points.count, detail::place_cells<T, axes>, all);
    launch_for_threads(all.points.count, detail::move_points<T, axes>, all);
    launch_for_threads(all.points.count, detail::sum_up_full_cells<T, axes>, all);
    launch_for_warps(all.points.count, detail::find_core_points<T, axes>, all);
    launch_for_warps(all.points.count, detail::join_cells<T, axes, true>, all, all.pairs_beside);
    launch_for_warps(all.points.count, detail::join_doubtful_pairs<T, axes>, all, all.pairs_beside);
    launch_for_warps(all.points.count, detail::join_cells<T, axes, false>, all, all.other_pairs);
    launch_for_warps(all.points.count, detail::join_doubtful_pairs<T, axes>, all, all.other_pairs);
    launch_for_threads(all.points.count, detail::mark_clusters<T, axes>, all);
    device::exclusive_scan(
        work_,
        device::transformed{static_cast<const std::uint32_t*>(all.firsts), detail::count_bits{}},
        all.firsts_before, std::int64_t{all.words_of_firsts()}, plus{}, where_);
    launch_for_warps(all.points.count, detail::label_points<T, axes>, all);
  }

  void describe_clusters(const detail::device_cells<T, axes>& all) {
    const detail::device_description<T, axes> result{statistics_, sums_};
    launch_for_threads(all.points.count, detail::begin_description<T, axes>, all, result);
    launch_for_threads(all.points.count, detail::measure_clusters<T, axes>, all, result);
    launch_for_threads(all.points.count, detail::add_up_clusters<T, axes>, all, result);
    launch_for_threads(all.points.count, detail::end_description<T, axes>, all, result);
  }

  template <typename... Parameters, typename... Arguments>
  void launch_for_threads(std::uint32_t items, void (*kernel)(Parameters...),
                          const Arguments&... arguments) {
    const std::uint32_t blocks = std::clamp((items + threads - 1) / threads, 1u, most_blocks);
    device::detail::launch(
        work_, {.blocks = static_cast<int>(blocks), .threads = threads, .where = where_}, kernel,
        arguments...);
  }
  // As many warps as run at once, or one for each point if that is fewer.
  template <typename... Parameters, typename... Arguments>
  void launch_for_warps(std::uint32_t items, void (*kernel)(Parameters...),
                        const Arguments&... arguments) {
    constexpr std::uint32_t warps = detail::warps_of_block;
    const auto fitting =
        static_cast<std::uint32_t>(work_.resident_blocks(kernel, threads, 0, where_));
    const std::uint32_t blocks = std::clamp((items + warps - 1) / warps, 1u, fitting);
    device::detail::launch(
        work_, {.blocks = static_cast<int>(blocks), .threads = threads, .where = where_}, kernel,
        arguments...);
  }

  template <typename Element>
  void copy(Element* to, const Element* from, std::size_t count) {
    if (count == 0) return;
    check(cudaMemcpyAsync(to, from, count * sizeof(Element), cudaMemcpyDefault, work_.stream()),
          where_);
  }

  device::workspace work_;
  source_location where_ = source_location::current();  // of the current call
  std::uint32_t* clusters_ = nullptr;
  device_statistics<T, axes>* statistics_ = nullptr;
  std::uint64_t* sums_ = nullptr;
};

}  // namespace heddle::cluster
