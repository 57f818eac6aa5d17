// Clusters on the CPU.
#include <heddle/cluster/host_dbscan.hpp>

#include "cli/cluster/clusterer.hpp"

namespace heddle::cli {
namespace {

class cpu_clusterer : public clusterer {
 public:
  explicit cpu_clusterer(const cluster_options& options) : options_(options) {}

  clustered_cloud operator()(const cloud::cloud& points, cluster_times& took) override {
    stopwatch watch;
    clustered_cloud found = points.exact.empty() ? cluster(of_floats_, points.points)
                                                 : cluster(of_doubles_, points.exact);
    took.cluster = watch.lap();
    return found;
  }
  bool is_on_gpu() const override { return false; }

 private:
  template <typename T>
  using clustering = std::unique_ptr<cluster::host_dbscan<T, 3>>;

  template <typename T>
  clustered_cloud cluster(clustering<T>& cluster_points, const std::vector<T>& coordinates) {
    if (!cluster_points)
      cluster_points = std::make_unique<cluster::host_dbscan<T, 3>>(
          cluster::dbscan_options{.threads = options_.threads});
    const std::size_t count = coordinates.size() / 3;
    const T* first = coordinates.data();
    std::vector<T> kept;
    if (options_.above) {
      kept = coordinates;
      leave_out_below(*options_.above, kept.data(), count);
      first = kept.data();
    }
    cluster::dbscan_result<T, 3> result;
    (*cluster_points)(cluster::interleaved_points<3>(first, count), options_.eps,
                      options_.min_points, result);
    clustered_cloud found;
    found.labels = std::move(result.labels);
    for (const auto& one : result.statistics) found.clusters.push_back(in_doubles(one));
    return found;
  }

  const cluster_options& options_;
  clustering<float> of_floats_;
  clustering<double> of_doubles_;
};

}  // namespace

std::unique_ptr<clusterer> make_cpu_clusterer(const cluster_options& options) {
  return std::make_unique<cpu_clusterer>(options);
}

}  // namespace heddle::cli
