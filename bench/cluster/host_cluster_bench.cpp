// What DBSCAN costs on the CPU: a synthetic street, and real clouds if HEDDLE_CLOUDS names some;
// next to it scikit-learn's time and labels for the same points, if Python has it.
#include <heddle/cluster/host_dbscan.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cloud/street_scan.hpp"
#include "cluster/scikit_learn.hpp"
#include "library/cluster/reference_clouds.hpp"

namespace {
using namespace heddle::cluster;

struct best_times {
  double wall = 1e30;       // milliseconds that the caller waits
  double processor = 1e30;  // milliseconds summed over all threads
};

double processor_milliseconds() { return static_cast<double>(std::clock()) * 1e3 / CLOCKS_PER_SEC; }

// The best of several runs on one object, as if frames were clustered one after another.
best_times measure(const std::vector<float>& values, double eps, int min_points, int threads,
                   dbscan_result<float, 3>& result) {
  using clock = std::chrono::steady_clock;
  host_dbscan<float, 3> clustering({.threads = threads});
  const auto points = interleaved_points<3>(values.data(), values.size() / 3);
  best_times best;
  const auto end = clock::now() + std::chrono::milliseconds(1500);
  for (int run = 0; run < 5 || clock::now() < end; ++run) {
    const double processor = processor_milliseconds();
    const auto begin = clock::now();
    clustering(points, eps, min_points, result);
    const std::chrono::duration<double, std::milli> wall = clock::now() - begin;
    best.wall = std::min(best.wall, wall.count());
    best.processor = std::min(best.processor, processor_milliseconds() - processor);
  }
  return best;
}

// scikit-learn builds lists of all neighbours: for more points they would fill the memory.
constexpr std::size_t most_points_of_peer = 200'000;

// Returns false if the labels depend on the number of threads, or differ from the reference.
bool print_row(const std::string& name, const std::vector<float>& values, double eps,
               int min_points, const std::vector<std::int32_t>* reference,
               const heddle_bench::scikit_learn& peer) {
  dbscan_result<float, 3> alone, together;
  const best_times one = measure(values, eps, min_points, 1, alone);
  const best_times all = measure(values, eps, min_points, 0, together);
  bool is_right =
      alone.labels == together.labels && (reference == nullptr || *reference == alone.labels);
  std::string times_of_peer = "– | – | –";
  const bool has_peer = !peer.version().empty() && values.size() / 3 <= most_points_of_peer;
  if (has_peer) {
    const auto theirs = peer.cluster(values, eps, min_points);
    is_right = is_right && theirs.labels == alone.labels;
    char text[96];
    std::snprintf(text, sizeof text, "%.0f ms | %.0f ms | %.1f", theirs.one_thread,
                  theirs.all_threads,
                  std::min(theirs.one_thread, theirs.all_threads) / std::min(one.wall, all.wall));
    times_of_peer = text;
  }
  std::printf("| %s | %zu | %g | %d | %d | %.1f ms | %.1f ms | %.1f ms | %.1f ms | %s | %s |\n",
              name.c_str(), values.size() / 3, eps, min_points, alone.clusters, one.wall,
              one.processor, all.wall, all.processor, times_of_peer.c_str(),
              !is_right                          ? "WRONG"
              : has_peer || reference != nullptr ? "scikit-learn's"
                                                 : "equal");
  std::fflush(stdout);
  return is_right;
}

}  // namespace

int main() try {
  const heddle_bench::scikit_learn peer(HEDDLE_CLUSTER_PEER);
  std::printf("%s\n\n", peer.version().empty()
                            ? "scikit-learn not found (on Debian: apt install python3-sklearn)"
                            : ("peer: scikit-learn " + peer.version()).c_str());
  // If other programs run at the same time, look at the processor time.
  std::printf(
      "| cloud | points | eps | min_points | clusters | one thread | processor time | %u threads "
      "| processor time | peer, one thread | peer, all threads | times as fast | labels |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
      std::thread::hardware_concurrency());
  bool all_right = true;
  for (const std::size_t count : {10'000, 100'000, 1'000'000}) {
    const std::vector<float> values = heddle::cloud::street(1).scan(count);
    for (const double eps : {0.2, 0.5, 1.0})
      all_right = print_row("made-up street", values, eps, 10, nullptr, peer) && all_right;
  }
  if (const char* folder = std::getenv("HEDDLE_CLOUDS"))
    for (const auto& reference : heddle_test::find_references(folder))
      all_right =
          print_row(reference.cloud.stem().string(), heddle_test::read_cloud(reference.cloud),
                    reference.eps, reference.min_points, &reference.labels, peer) &&
          all_right;
  return all_right ? 0 : 1;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "host_cluster_bench: %s\n", failure.what());
  return 2;
}
