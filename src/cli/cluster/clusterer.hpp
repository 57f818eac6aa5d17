// The interface of the CPU and GPU back ends of `heddle cluster`.
#pragma once
#include <cloud/cloud.hpp>

#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cli/cluster/cluster_frames.hpp"

namespace heddle::cli {

class stopwatch {
 public:
  // Milliseconds since construction or the last call.
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
  double copy = 0, cluster = 0;  // milliseconds; the CPU copies nothing
};

// Clusters one cloud after another, as float if that is exact, else as double. Keeps its memory.
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

[[nodiscard]] std::unique_ptr<clusterer> make_cpu_clusterer(const cluster_options& options);

// The back end that `options` asks for. A program built without CUDA replaces itself by the one
// built with CUDA, if that exists, and passes it `arguments`, the command line.
//   options   must outlive the clusterer
//   throws   std::runtime_error, with a message, if a GPU is asked for and none can be used
[[nodiscard]] std::unique_ptr<clusterer> choose_clusterer(
    const cluster_options& options, const std::vector<std::string>& arguments);

// Turns points that are not above into NaN, which makes them noise and no one's neighbour.
template <typename T>
void leave_out_below(double above, T* coordinates, std::size_t points) {
  for (std::size_t point = 0; point < points; ++point)
    if (!(static_cast<double>(coordinates[3 * point + 2]) > above))
      coordinates[3 * point + 2] = std::numeric_limits<T>::quiet_NaN();
}

// The library's statistics of a cluster, from the CPU or a GPU, in double.
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
