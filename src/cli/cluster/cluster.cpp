// `heddle cluster`: finds clusters in point clouds.
#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <cloud/grouped_number.hpp>
#include <cloud/street_scan.hpp>
#include <files/output.hpp>
#include <heddle/cluster/result.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <stdexcept>

#include "cli/cluster/cluster_command_line.hpp"
#include "cli/cluster/cluster_frames.hpp"
#include "cli/cluster/cluster_ranks.hpp"
#include "cli/cluster/clusterer.hpp"
#include "cli/commands.hpp"
#include "cli/progress.hpp"

namespace heddle::cli {
namespace {

// A line of the summary.
struct frame {
  std::size_t points = 0, clusters = 0, noise = 0;
  double read = 0, copy = 0, cluster = 0, write = 0;  // milliseconds

  frame& operator+=(const frame& other) {
    points += other.points;
    clusters += other.clusters;
    noise += other.noise;
    read += other.read;
    copy += other.copy;
    cluster += other.cluster;
    write += other.write;
    return *this;
  }
};

class session {
 public:
  session(const cluster_options& options, clusterer& cluster)
      : options_(options), cluster_(cluster) {
    for (const std::string& cloud : options.clouds) width_ = std::max(width_, cloud.size());
    width_ = std::min<std::size_t>(width_, 50);
  }

  void run() {
    frame total;
    for (const std::string& cloud : options_.clouds) {
      const frame done = one(cloud);
      if (&cloud == &options_.clouds.front())
        print_line("cloud",
                   {"points", "clusters", "noise", "read ms", "copy ms", "cluster ms", "write ms"});
      print(cloud, done);
      total += done;
    }
    if (options_.clouds.size() > 1) print(fmt::format("{} frames", options_.clouds.size()), total);
    if (!options_.statistics.empty())
      files::write(options_.statistics, statistics_header() + statistics_);
  }

 private:
  [[nodiscard]] cloud::cloud read(const std::string& name) {
    if (options_.is_demo) {
      cloud::cloud made;
      made.points = cloud::street(options_.demo_seed).scan(options_.demo_points);
      return made;
    }
    progress_line progress;
    cloud::read_options options;
    options.as = options_.format;
    options.on_progress = [&](std::string_view what, double done) {
      progress.show(fmt::format("{} {}, {:.0f} %", what, name, 100 * done));
    };
    return cloud::read_cloud(name, options);
  }

  frame one(const std::string& name) {
    frame done;
    stopwatch watch;
    const cloud::cloud points = read(name);
    done.read = watch.lap();
    cluster_times took;
    const clustered_cloud found = cluster_(points, took);
    done.copy = took.copy;
    done.cluster = took.cluster;
    watch.lap();
    const std::string page = options_.page.empty() ? "" : page_of(options_, name, points, found);
    if (!options_.output.empty())
      cloud::write_cloud(name_for(options_.output, name), points, found.labels, options_.encoding);
    if (!options_.page.empty()) files::write(name_for(options_.page, name), page);
    if (!options_.statistics.empty()) statistics_ += statistics_of(name, found);
    done.write = watch.lap();
    done.points = points.size();
    done.clusters = found.clusters.size();
    done.noise = static_cast<std::size_t>(
        std::count(found.labels.begin(), found.labels.end(), cluster::noise));
    return done;
  }

  void print_line(const std::string& name, std::vector<std::string> cells) const {
    // On the CPU nothing is copied.
    if (!cluster_.is_on_gpu()) cells.erase(cells.begin() + 4);
    fmt::print(summary_, "{:<{}}", name, width_);
    for (const std::string& cell : cells) fmt::print(summary_, "  {:>11}", cell);
    fmt::print(summary_, "\n");
    std::fflush(summary_);
  }

  void print(const std::string& name, const frame& done) const {
    // A GPU takes a fraction of a millisecond.
    const int digits = cluster_.is_on_gpu() ? 3 : 1;
    print_line(
        name,
        {cloud::grouped(done.points), cloud::grouped(done.clusters), cloud::grouped(done.noise),
         fmt::format("{:.1f}", done.read), fmt::format("{:.{}f}", done.copy, digits),
         fmt::format("{:.{}f}", done.cluster, digits), fmt::format("{:.1f}", done.write)});
  }

  const cluster_options& options_;
  clusterer& cluster_;
  std::FILE* const summary_ = summary_stream(options_);
  std::string statistics_;
  std::size_t width_ = 10;
};

}  // namespace

int cluster_command(const std::vector<std::string>& arguments) {
  try {
    const cluster_request read = parse_cluster_command_line(arguments);
    if (read.asks_help) return fmt::print("{}", cluster_help()), 0;
    check_outputs(read.options);
    if (read.options.is_over_ranks || has_other_ranks()) exec_mpi_program(read.options, arguments);
    const std::unique_ptr<clusterer> cluster = choose_clusterer(read.options, arguments);
    session(read.options, *cluster).run();
    return 0;
  } catch (const usage_error& failure) {
    fmt::print(stderr, "heddle: {}; see `heddle cluster --help`\n", failure.what());
  } catch (const CLI::ParseError& failure) {
    fmt::print(stderr, "heddle: {}; see `heddle cluster --help`\n", failure.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "heddle: out of memory: these clouds are too large for this machine\n");
  } catch (const std::exception& failure) {
    fmt::print(stderr, "heddle: {}\n", failure.what());
  }
  return 2;
}

}  // namespace heddle::cli
