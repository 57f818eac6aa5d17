// What `heddle cluster` does with each cloud.
#pragma once
#include <cloud/cloud.hpp>
#include <cloud/read.hpp>
#include <cloud/write.hpp>
#include <heddle/cluster/host_dbscan.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

struct cluster_wishes {
  std::vector<std::string> clouds;
  double eps = 0;
  int min_points = 0;
  std::optional<double> above;  // only points with a larger z are clustered
  int threads = 0;
  std::string output, page;  // with {} for the name of a cloud
  std::string statistics;
  cloud::encoding encoding = cloud::encoding::binary;
  cloud::format format = cloud::format::by_content;
  bool is_demo = false;
  std::size_t demo_points = 120'000;
  std::uint64_t demo_seed = 1;
};

struct clustered_cloud {
  struct cluster {
    std::uint32_t size = 0;
    std::array<double, 3> centroid{}, low{}, high{};
  };
  std::vector<std::int32_t> labels;
  std::vector<cluster> clusters;
};

// Clusters in the precision in which the coordinates are exact. Keeps threads and memory.
class cloud_clusterer {
 public:
  explicit cloud_clusterer(const cluster_wishes& wishes) : wishes_(wishes) {}

  [[nodiscard]] clustered_cloud operator()(const cloud::cloud& points);

 private:
  template <typename T>
  clustered_cloud cluster(std::unique_ptr<cluster::host_dbscan<T, 3>>& clustering,
                          const std::vector<T>& coordinates);

  const cluster_wishes& wishes_;
  std::unique_ptr<cluster::host_dbscan<float, 3>> of_floats_;
  std::unique_ptr<cluster::host_dbscan<double, 3>> of_doubles_;
};

// The page that --view writes.
[[nodiscard]] std::string page_of(const cluster_wishes& wishes, const std::string& name,
                                  const cloud::cloud& points, const clustered_cloud& found);

// Lines of the file that --stats writes, a first one with the names and one for each cluster.
[[nodiscard]] std::string statistics_header();
[[nodiscard]] std::string statistics_of(const std::string& name, const clustered_cloud& found);

}  // namespace heddle::cli
