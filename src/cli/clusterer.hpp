// Who finds the clusters for `heddle cluster`: the CPU, or a GPU.
#pragma once
#include <cloud/cloud.hpp>

#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cluster_frames.hpp"

namespace heddle::cli {

class stopwatch {
 public:
  // Milliseconds since it was made or last asked.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double passed = std::chrono::duration<double, std::milli>(now - begin_).count();
    begin_ = now;
    return passed;
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

struct cluster_times {
  double copy = 0, cluster = 0;  // milliseconds; what the CPU clusters is not copied
};

// Clusters cloud after cloud, in the precision in which the coordinates are exact. Keeps its
// memory.
class clusterer {
 public:
  clusterer() = default;
  virtual ~clusterer() = default;
  clusterer(const clusterer&) = delete;
  clusterer& operator=(const clusterer&) = delete;

  [[nodiscard]] virtual clustered_cloud operator()(const cloud::cloud& points,
                                                   cluster_times& took) = 0;
  [[nodiscard]] virtual bool is_on_gpu() const = 0;
};

[[nodiscard]] std::unique_ptr<clusterer> make_cpu_clusterer(const cluster_wishes& wishes);

// Who does it, as the wishes say. The program that was built without CUDA becomes the one that was
// built with it, if that is there, and hands it the words of the command line.
//   wishes   outlive the clusterer
//   throws   std::runtime_error, with a sentence, where a GPU is asked for and cannot be had
[[nodiscard]] std::unique_ptr<clusterer> choose_clusterer(const cluster_wishes& wishes,
                                                          const std::vector<std::string>& words);

// Leaves out what is not above: a point that is not a number is noise and nobody's neighbour.
template <typename T>
void leave_out_below(double above, T* coordinates, std::size_t points) {
  for (std::size_t point = 0; point < points; ++point)
    if (!(static_cast<double>(coordinates[3 * point + 2]) > above))
      coordinates[3 * point + 2] = std::numeric_limits<T>::quiet_NaN();
}

// What the library knows of a cluster, on the CPU or on a GPU.
template <typename Statistics>
[[nodiscard]] clustered_cloud::cluster in_doubles(const Statistics& known) {
  clustered_cloud::cluster made;
  made.size = known.size;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    made.centroid[axis] = known.centroid[axis];
    made.low[axis] = static_cast<double>(known.low[axis]);
    made.high[axis] = static_cast<double>(known.high[axis]);
  }
  return made;
}

}  // namespace heddle::cli
