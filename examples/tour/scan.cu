// The tour's clusters on a GPU: reads x y z of each point and writes a label for each.
// `scan POINTS.f32 LABELS.i32 EPS MIN_POINTS`
#include <heddle/cluster/dbscan.cuh>

#include <chrono>
#include <exception>
#include <fstream>

#include "figures.cuh"

namespace {

std::vector<float> read_points(const char* file) {
  std::ifstream opened(file, std::ios::binary | std::ios::ate);
  std::vector<float> values(static_cast<size_t>(opened.tellg()) / sizeof(float));
  opened.seekg(0);
  opened.read(reinterpret_cast<char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(float)));
  if (!opened) throw std::runtime_error("cannot read " + std::string(file));
  return values;
}

}  // namespace

int main(int count, char** arguments) try {
  using namespace heddle::cluster;
  if (count != 5) {
    std::fprintf(stderr, "usage: scan POINTS.f32 LABELS.i32 EPS MIN_POINTS\n");
    return 2;
  }
  const std::vector<float> values = read_points(arguments[1]);
  const size_t points = values.size() / 3;
  const double eps = std::atof(arguments[3]);
  const int min_points = std::atoi(arguments[4]);

  device_dbscan<float, 3> cluster;
  const tour::device_array<float> resident(values);
  const tour::device_array<std::int32_t> labels(points);
  const auto view = interleaved_points<3>(static_cast<const float*>(resident.data()), points);
  tour::print_figure(
      "points and labels on the GPU", "time", "ms",
      1e-3 * tour::microseconds([&] { cluster(view, eps, min_points, labels.data()); }));

  dbscan_result<float, 3> result;
  double best = 1e9;
  for (int run = 0; run < 10; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    result = cluster.of_host_points(interleaved_points<3>(values.data(), points), eps, min_points);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  tour::print_figure("with copies to the GPU and back", "time", "ms", best);

  std::ofstream file(arguments[2], std::ios::binary);
  file.write(reinterpret_cast<const char*>(result.labels.data()),
             static_cast<std::streamsize>(points * sizeof(std::int32_t)));
  return tour::print_if_wrong("labels", labels.values() == result.labels) && file.flush() ? 0 : 1;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 2;
}
