// Formats the results of `heddle cluster` for each cloud.
#include "cli/cluster/cluster_frames.hpp"

#include <fmt/core.h>
#include <cloud/view.hpp>

#include <filesystem>

namespace heddle::cli {

std::string page_of(const cluster_options& options, const std::string& name,
                    const cloud::cloud& points, const clustered_cloud& found) {
  cloud::view shown;
  shown.title = std::filesystem::path(name).filename().string();
  shown.note = fmt::format("DBSCAN, eps {}, at least {} points", options.eps, options.min_points);
  if (options.above) shown.note += fmt::format(", above z = {}", *options.above);
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

// The shortest text that reads back as the same number; floats are printed as floats.
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
    for (const double value : one.centroid) lines += fmt::format(",{}", value);
    for (const auto& corner : {one.low, one.high})
      for (const double value : corner) lines += ',' + digits_of(value);
    lines += '\n';
  }
  return lines;
}

}  // namespace heddle::cli
