// The options of `heddle cluster`, and its results for each cloud.
#pragma once
#include <cloud/cloud.hpp>
#include <cloud/read.hpp>
#include <cloud/write.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

enum class cluster_device { any, cpu, gpu };

struct cluster_options {
  std::vector<std::string> clouds;
  double eps = 0;
  int min_points = 0;
  std::optional<double> above;  // only points with a larger z are clustered
  cluster_device device = cluster_device::any;
  int threads = 0;           // CPU threads
  std::string output, page;  // {} stands for the name of a cloud
  std::string statistics;
  cloud::encoding encoding = cloud::encoding::binary;
  cloud::format format = cloud::format::by_content;
  bool is_over_ranks = false;  // several MPI processes
  int ranks = 0;               // 0: one per processor
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

// The HTML page for --view.
[[nodiscard]] std::string page_of(const cluster_options& options, const std::string& name,
                                  const cloud::cloud& points, const clustered_cloud& found);

// The lines of the --stats file: a header, then one line for each cluster.
[[nodiscard]] std::string statistics_header();
[[nodiscard]] std::string statistics_of(const std::string& name, const clustered_cloud& found);

}  // namespace heddle::cli
