// The tour's clustering stop: a synthetic street scan, clustered in this process and on the GPU.
#include <fmt/core.h>
#include <cloud/grouped_number.hpp>
#include <cloud/street_scan.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>

#include "cli/cluster/clusterer.hpp"
#include "cli/tour/tour_figures.hpp"
#include "cli/tour/tour_stops.hpp"

namespace heddle::cli {
namespace {

using heddle_report::tour_state;

// The parameters of `heddle cluster --demo`.
constexpr double eps = 0.6, above = -1.6;
constexpr int min_points = 10;

struct clustering {
  clustered_cloud found;
  double milliseconds = 0;  // the fastest of several runs
};

clustering cluster_on_cpu(const cloud::cloud& points, int threads) {
  cluster_options options;
  options.eps = eps;
  options.min_points = min_points;
  options.above = above;
  options.threads = threads;
  const std::unique_ptr<clusterer> cluster = make_cpu_clusterer(options);
  clustering made;
  made.milliseconds = std::numeric_limits<double>::max();
  for (int run = 0; run < 7; ++run) {
    cluster_times took;
    made.found = (*cluster)(points, took);
    made.milliseconds = std::min(made.milliseconds, took.cluster);
  }
  return made;
}

// A few thousand points, so that a page draws them quickly; noise, mostly ground, is thinned most.
std::vector<heddle_report::tour_point> shown_points(const cloud::cloud& points,
                                                    const std::vector<std::int32_t>& labels) {
  constexpr std::size_t most_of_clusters = 6000, most_of_noise = 1500;
  const auto noise = static_cast<std::size_t>(std::count(labels.begin(), labels.end(), -1));
  const std::size_t every_of_noise = noise / most_of_noise + 1;
  const std::size_t every = (labels.size() - noise) / most_of_clusters + 1;
  std::vector<heddle_report::tour_point> shown;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    // Pseudo-random: every tenth point would always come from the same beams.
    const std::size_t mixed = (i * 2'654'435'761u & 0xffff'ffffu) >> 8;
    if (mixed % (labels[i] < 0 ? every_of_noise : every) == 0)
      shown.push_back({points.points[3 * i], points.points[3 * i + 1], labels[i]});
  }
  return shown;
}

// The same points for the GPU. Those left out become NaN, which makes them no one's neighbours.
void write_points(const cloud::cloud& points, const std::filesystem::path& file) {
  std::vector<float> values = points.points;
  leave_out_below(above, values.data(), values.size() / 3);
  std::ofstream opened(file, std::ios::binary);
  opened.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
}

std::vector<std::int32_t> read_labels(const std::filesystem::path& file, std::size_t count) {
  std::vector<std::int32_t> labels(count);
  std::ifstream opened(file, std::ios::binary);
  opened.read(reinterpret_cast<char*>(labels.data()),
              static_cast<std::streamsize>(count * sizeof(std::int32_t)));
  return opened ? labels : std::vector<std::int32_t>();
}

void add_gpu(planned_stop& made, const tour_environment& where,
             const std::vector<std::int32_t>& expected) {
  const side_job &build = made.jobs[0], &run = made.measured[0];
  if (!build.is_done()) {
    made.result.notes.push_back("nvcc could not build it for the GPU: " + failure_of(build));
    return;
  }
  const parsed_figures parsed = figures_of_output(run.output, "scan");
  if (!run.is_done() && parsed.wrong.empty()) {
    made.result.notes.push_back("it failed on the GPU: " + failure_of(run));
    return;
  }
  made.result.figures.insert(made.result.figures.end(), parsed.figures.begin(),
                             parsed.figures.end());
  made.result.source = fmt::format("Times are from {} and from {} CPU cores, as labelled.",
                                   where.here.gpus.front().name, where.here.cores);
  if (parsed.wrong.empty() &&
      read_labels(where.scratch / "labels.i32", expected.size()) == expected) {
    made.result.verdict += "; the GPU gives the same labels";
  } else {
    made.result.state = tour_state::wrong;
    made.result.verdict = "the GPU's labels differ from the CPU's";
  }
}

}  // namespace

planned_stop plan_scan(const tour_environment& where) {
  const std::string source = "examples/tour/scan.cu";
  cloud::cloud points;
  points.points = cloud::street(1).scan(where.is_quick ? 30'000 : 120'000);
  planned_stop stop;
  stop.result.name = "scan";
  stop.result.title = "Clusters in a street scan";
  stop.result.idea =
      "DBSCAN finds the cars, houses, poles and people in a synthetic street scan by a lidar with "
      "64 beams. The labels are the same as scikit-learn's. `heddle cluster --demo --view "
      "street.html` shows the scan in 3D.";
  stop.result.source = fmt::format(
      "Times are from the CPU implementation of DBSCAN, on {} cores; it runs no kernels.",
      where.here.cores);
  if (where.device.is_gpu) {
    write_points(points, where.scratch / "points.f32");
    stop.jobs.push_back(build_for_gpu(where, source));
    stop.measured.push_back({{program_of(where, source).string(), "points.f32", "labels.i32",
                              std::to_string(eps), std::to_string(min_points)},
                             where.scratch});
  }
  stop.finish = [&where, points](planned_stop& made) {
    const auto begin = std::chrono::steady_clock::now();
    const clustering one = cluster_on_cpu(points, 1);
    made.result.figures.push_back({"scan", "CPU, 1 thread", "time", "ms", one.milliseconds});
    made.result.state = tour_state::right;
    if (where.here.cores > 1) {
      const auto threads = static_cast<int>(where.here.cores);
      const clustering all = cluster_on_cpu(points, threads);
      made.result.figures.push_back(
          {"scan", fmt::format("CPU, {} threads", threads), "time", "ms", all.milliseconds});
      if (all.found.labels != one.found.labels) made.result.state = tour_state::wrong;
    }
    const std::vector<std::int32_t>& labels = one.found.labels;
    made.result.verdict =
        made.result.state == tour_state::wrong
            ? "the labels depend on the number of threads"
            : fmt::format("{} points, {} clusters, the same labels with any number of threads",
                          cloud::grouped(labels.size()), one.found.clusters.size());
    made.result.points = shown_points(points, labels);
    if (where.device.is_gpu) add_gpu(made, where, labels);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    made.result.seconds += took.count();
  };
  return stop;
}

}  // namespace heddle::cli
