// What `heddle cluster` does with each cloud.
#include "cluster_frames.hpp"

#include <fmt/format.h>
#include <cloud/view.hpp>

#include <filesystem>
#include <limits>

namespace heddle::cli {

template <typename T>
clustered_cloud cloud_clusterer::cluster(std::unique_ptr<cluster::host_dbscan<T, 3>>& clustering,
                                         const std::vector<T>& coordinates) {
  if (!clustering)
    clustering = std::make_unique<cluster::host_dbscan<T, 3>>(
        cluster::dbscan_options{.threads = wishes_.threads});
  const std::size_t count = coordinates.size() / 3;
  const T* first = coordinates.data();
  std::vector<T> kept;
  if (wishes_.above) {
    // A point that is not a number is noise and nobody's neighbour.
    kept = coordinates;
    for (std::size_t point = 0; point < count; ++point)
      if (!(static_cast<double>(kept[3 * point + 2]) > *wishes_.above))
        kept[3 * point + 2] = std::numeric_limits<T>::quiet_NaN();
    first = kept.data();
  }
  cluster::dbscan_result<T, 3> result;
  (*clustering)(cluster::interleaved_points<3>(first, count), wishes_.eps, wishes_.min_points,
                result);
  clustered_cloud found;
  found.labels = std::move(result.labels);
  for (const auto& one : result.statistics) {
    auto& made = found.clusters.emplace_back();
    made.size = one.size;
    made.centroid = one.centroid;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      made.low[axis] = static_cast<double>(one.low[axis]);
      made.high[axis] = static_cast<double>(one.high[axis]);
    }
  }
  return found;
}

clustered_cloud cloud_clusterer::operator()(const cloud::cloud& points) {
  return points.exact.empty() ? cluster(of_floats_, points.points)
                              : cluster(of_doubles_, points.exact);
}

std::string page_of(const cluster_wishes& wishes, const std::string& name,
                    const cloud::cloud& points, const clustered_cloud& found) {
  cloud::view shown;
  shown.title = std::filesystem::path(name).filename().string();
  shown.note = fmt::format("DBSCAN, eps {}, at least {} points", wishes.eps, wishes.min_points);
  if (wishes.above) shown.note += fmt::format(", above z = {}", *wishes.above);
  shown.points = points.points;
  shown.labels = found.labels;
  shown.origin = points.origin;
  for (const auto& one : found.clusters) {
    auto& box = shown.clusters.emplace_back();
    box.size = one.size;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.low[axis] = static_cast<float>(one.low[axis] - points.origin[axis]);
      box.high[axis] = static_cast<float>(one.high[axis] - points.origin[axis]);
    }
  }
  return cloud::view_page(shown);
}

namespace {

// As short as it can be told from all others: what was read as a float is written as one.
std::string digits_of(double value) {
  const auto single = static_cast<float>(value);
  return static_cast<double>(single) == value ? fmt::format("{}", single)
                                              : fmt::format("{}", value);
}

}  // namespace

std::string statistics_header() {
  return "cloud,cluster,points,centroid_x,centroid_y,centroid_z,low_x,low_y,low_z,high_x,high_y,"
         "high_z\n";
}

std::string statistics_of(const std::string& name, const clustered_cloud& found) {
  std::string cell = name;
  if (cell.find_first_of(",\"\n\r") != cell.npos) {
    for (std::size_t at = cell.find('"'); at != cell.npos; at = cell.find('"', at + 2))
      cell.insert(at, 1, '"');
    cell = '"' + cell + '"';
  }
  std::string lines;
  for (std::size_t label = 0; label < found.clusters.size(); ++label) {
    const auto& one = found.clusters[label];
    lines += fmt::format("{},{},{}", cell, label, one.size);
    for (const auto& place : {one.centroid, one.low, one.high})
      for (const double value : place) lines += ',' + digits_of(value);
    lines += '\n';
  }
  return lines;
}

}  // namespace heddle::cli
