// Writes a page that shows a clustered cloud in a browser.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::cloud {

struct shown_cluster {
  std::uint32_t size = 0;
  std::array<float, 3> low{}, high{};  // bounding box
};

struct view {
  std::string title;
  std::string note;                      // for example, how the clusters were made
  std::span<const float> points;         // x y z …; points that are not finite are not shown
  std::span<const std::int32_t> labels;  // the cluster of each point, or a negative number
  std::vector<shown_cluster> clusters;
  std::array<double, 3> origin{};       // what was subtracted from the points
  std::size_t most_points = 2'000'000;  // larger clouds show only every n-th point
};

// A self-contained HTML page: points coloured by cluster, which can be rotated, panned and zoomed,
// with bounding boxes and a legend of the largest clusters.
[[nodiscard]] std::string view_page(const view& shown);

}  // namespace heddle::cloud
