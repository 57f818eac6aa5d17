// What DBSCAN costs on a GPU: a synthetic street, and real clouds if HEDDLE_CLOUDS names some.
#include <heddle/cluster/dbscan.cuh>
#include <heddle/cluster/host_dbscan.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cloud/street_scan.hpp"
#include "library/cluster/reference_clouds.hpp"
#include "support/device.cuh"

namespace {
using namespace heddle::cluster;
using heddle::check;

struct times {
  double resident_us = 0;    // points and labels on the device, in a replayed graph
  double end_to_end_us = 0;  // from the host's points to the host's labels and statistics
  double first_us = 0;       // the same on a new object, which allocates
};

template <typename Call>
double microseconds(Call&& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
}

// The median of several replays of a graph that holds one clustering.
double resident_microseconds(const std::vector<float>& values, double eps, int min_points) {
  constexpr int runs = 21, replays = 20;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<double> took;
  {
    const std::size_t count = values.size() / 3;
    const heddle_bench::device_array<float> points(values.size());
    const heddle_bench::device_array<std::int32_t> labels(count);
    check(cudaMemcpy(points.data(), values.data(), values.size() * sizeof(float),
                     cudaMemcpyHostToDevice));
    device_dbscan<float, 3> clustering(stream);
    const auto view = interleaved_points<3>(static_cast<const float*>(points.data()), count);
    clustering(view, eps, min_points, labels.data());
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    clustering(view, eps, min_points, labels.data());
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&ready, graph, 0));
    for (int run = 0; run < runs; ++run) {
      check(cudaEventRecord(begin, stream));
      for (int i = 0; i < replays; ++i) check(cudaGraphLaunch(ready, stream));
      check(cudaEventRecord(end, stream));
      check(cudaEventSynchronize(end));
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin, end));
      took.push_back(1e3 * milliseconds / replays);
    }
    check(cudaGraphExecDestroy(ready));
    check(cudaGraphDestroy(graph));
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  check(cudaStreamDestroy(stream));
  std::nth_element(took.begin(), took.begin() + runs / 2, took.end());
  return took[runs / 2];
}

// Returns false if the labels differ from the CPU's, or from the reference.
bool print_row(const std::string& name, const std::vector<float>& values, double eps,
               int min_points, const std::vector<std::int32_t>* reference) {
  const auto points = interleaved_points<3>(values.data(), values.size() / 3);
  times took;
  device_dbscan<float, 3> clustering;
  dbscan_result<float, 3> result;
  const auto cluster = [&] { result = clustering.of_host_points(points, eps, min_points); };
  took.first_us = microseconds(cluster);
  took.end_to_end_us = took.first_us;
  for (int run = 0; run < 10; ++run) {
    took.end_to_end_us = std::min(took.end_to_end_us, microseconds(cluster));
  }
  took.resident_us = resident_microseconds(values, eps, min_points);
  const bool is_right = result.labels == dbscan(points, eps, min_points).labels &&
                        (reference == nullptr || result.labels == *reference);
  std::printf("| %s | %zu | %g | %d | %d | %.1f us | %.0f us | %.0f us | %s |\n", name.c_str(),
              values.size() / 3, eps, min_points, result.clusters, took.resident_us,
              took.end_to_end_us, took.first_us,
              !is_right              ? "WRONG"
              : reference != nullptr ? "scikit-learn's"
                                     : "the CPU's");
  std::fflush(stdout);
  return is_right;
}

}  // namespace

int main(int count, char** arguments) try {
  const bool is_sweep = count > 1 && std::string(arguments[1]) == "--sweep";
  if (count > 1 && !is_sweep) {
    std::fprintf(stderr, "usage: cluster_bench [--sweep]\n");
    return 2;
  }
  std::printf(
      "| cloud | points | eps | min_points | clusters | on the device | end to end | first call | "
      "labels |\n|---|---|---|---|---|---|---|---|---|\n");
  bool all_right = true;
  const std::vector<double> radii =
      is_sweep ? std::vector<double>{0.1, 0.2, 0.5, 1.0} : std::vector<double>{0.2, 0.5, 1.0};
  for (const std::size_t points : {10'000, 100'000, 1'000'000, 10'000'000}) {
    if (points > 1'000'000 && !is_sweep) continue;
    const std::vector<float> values = heddle::cloud::street(1).scan(points);
    for (const double eps : radii)
      for (const int min_points : is_sweep ? std::vector<int>{2, 10, 50} : std::vector<int>{10})
        all_right = print_row("made-up street", values, eps, min_points, nullptr) && all_right;
  }
  if (const char* folder = std::getenv("HEDDLE_CLOUDS")) {
    std::set<std::filesystem::path> clouds;
    for (const auto& one : heddle_test::find_references(folder)) {
      clouds.insert(one.cloud);
      all_right = print_row(one.cloud.stem().string(), heddle_test::read_cloud(one.cloud), one.eps,
                            one.min_points, &one.labels) &&
                  all_right;
    }
    for (const std::filesystem::path& cloud : clouds)
      for (const double eps : radii)
        all_right =
            print_row(cloud.stem().string(), heddle_test::read_cloud(cloud), eps, 10, nullptr) &&
            all_right;
  }
  return all_right ? 0 : 1;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "cluster_bench: %s\n", failure.what());
  return 2;
}
