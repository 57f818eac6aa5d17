// A page that shows a clustered cloud in a browser.
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
  std::array<float, 3> low{}, high{};  // its box
};

struct view {
  std::string title;
  std::string note;                      // how the clusters were made, for example
  std::span<const float> points;         // x y z …; those that are not finite are not shown
  std::span<const std::int32_t> labels;  // for each point its cluster, or a negative number
  std::vector<shown_cluster> clusters;
  std::array<double, 3> origin{};       // what has been taken off the points
  std::size_t most_points = 2'000'000;  // of a larger cloud only each n-th point is shown
};

// One HTML file that needs no other: points coloured by cluster, to be turned, moved and looked at
// closely, with boxes, and a legend of the largest clusters.
[[nodiscard]] std::string view_page(const view& shown);

}  // namespace heddle::cloud
