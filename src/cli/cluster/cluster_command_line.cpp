// Parses and checks the command line of `heddle cluster`.
#include "cli/cluster/cluster_command_line.hpp"

#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <files/output.hpp>

#include <filesystem>
#include <set>
#include <utility>

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* text = R"(heddle cluster CLOUD… --eps E --min-points N [options]
heddle cluster --demo [options]

Finds the clusters in point clouds with DBSCAN. The labels are the same as scikit-learn's. A point is a
core point if at least N points, itself included, are within eps of it. Core points within eps of each
other are in the same cluster. All other points are border points or noise (label -1).

Clouds are PCD, PLY, LAS 1.0 to 1.4, NPY, KITTI's .bin, or text with one point per line (CSV, XYZ).
Several clouds are treated as frames: each one is clustered separately.

  -e, --eps E         the largest distance between neighbours
  -n, --min-points N  how many neighbours make a point a core point
  --above Z           cluster only points with z above Z, for example to leave out the ground; the
                      others become noise
  -o, --output FILE   write the points with their labels as .pcd, .ply or .csv, or only the labels as
                      .npy; `-` prints CSV
  --stats FILE.csv    write one line for each cluster: points, centroid, bounding box
  --view PAGE.html    write a page that shows the clusters in a browser, in one file
  --encoding HOW      of .pcd and .ply: binary (default), packed or ascii
  --format FORMAT     read the clouds as pcd, ply, las, npy, kitti, csv or xyz, without detection
  --device WHERE      cpu, gpu, or auto (default): a GPU if there is one and heddle_cluster_gpu, which
                      the gpu preset builds, is next to this program or in build/gpu/bin
  --threads N         CPU threads (default: one per processor)
  --mpi               run several processes, each of which reads a part of the cloud, for files that do
                      not fit in memory; to use several machines, start this command with mpirun
  --ranks N           with --mpi: the number of processes (default: one per processor)
  --demo              cluster a generated street scan; eps 0.6, 10 points and --above -1.6 by default
  --points N          with --demo: the number of points (default: 120000)
  --seed N            with --demo: the seed of the scan (default: 1)

With several clouds, write {} in the names of outputs; it is replaced by the name of the cloud. An
output file is written completely or not at all. `-` is standard output; the summary then goes to
standard error. Exits with 0, or with 2 and an error message.

  heddle cluster --demo --view street.html
  heddle cluster scan.pcd --eps 0.5 --min-points 10 -o labelled.ply --stats clusters.csv
  heddle cluster frames/*.bin -e 0.6 -n 8 --above -1.4 -o 'labels/{}.npy'
  heddle cluster county.las -e 1.5 -n 10 --mpi --ranks 4 -o labels.npy
)";

// Options whose value is a keyword.
void choose_encoding(cluster_options& options, const std::string& word) {
  if (word == "binary") {
    options.encoding = cloud::encoding::binary;
  } else if (word == "packed") {
    options.encoding = cloud::encoding::packed;
  } else if (word == "ascii") {
    options.encoding = cloud::encoding::ascii;
  } else {
    throw usage_error(fmt::format("--encoding must be binary, packed or ascii, not '{}'", word));
  }
}

void choose_format(cluster_options& options, const std::string& word) {
  if (word.empty()) return;
  options.format = cloud::format_named(word);
  if (options.format == cloud::format::by_content)
    throw usage_error(
        fmt::format("--format must be pcd, ply, las, npy, kitti, csv or xyz, not '{}'", word));
}

void choose_device(cluster_options& options, const std::string& word) {
  if (word == "cpu") {
    options.device = cluster_device::cpu;
  } else if (word == "gpu") {
    options.device = cluster_device::gpu;
  } else if (word != "auto") {
    throw usage_error(fmt::format("--device must be cpu, gpu or auto, not '{}'", word));
  }
}

}  // namespace

std::string_view cluster_help() { return text; }

cluster_request parse_cluster_command_line(const std::vector<std::string>& arguments) {
  cluster_request read;
  cluster_options& options = read.options;
  std::string device = "auto", encoding = "binary", format;
  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", read.asks_help);
  app.add_option("clouds", options.clouds);
  const CLI::Option* const eps = app.add_option("-e,--eps", options.eps);
  const CLI::Option* const min_points = app.add_option("-n,--min-points", options.min_points);
  app.add_option("--above", options.above);
  app.add_option("-o,--output", options.output);
  app.add_option("--stats", options.statistics);
  app.add_option("--view", options.page);
  app.add_option("--encoding", encoding);
  app.add_option("--format", format);
  app.add_option("--device", device);
  app.add_option("--threads", options.threads);
  app.add_flag("--mpi", options.is_over_ranks);
  const CLI::Option* const ranks = app.add_option("--ranks", options.ranks);
  app.add_flag("--demo", options.is_demo);
  const CLI::Option* const points = app.add_option("--points", options.demo_points);
  const CLI::Option* const seed = app.add_option("--seed", options.demo_seed);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  app.parse(reversed);
  if (read.asks_help) return read;

  choose_device(options, device);
  choose_encoding(options, encoding);
  choose_format(options, format);
  if (options.is_demo) {
    if (!options.clouds.empty())
      throw usage_error("--demo generates its own cloud; leave out the others");
    options.clouds = {"street"};
    if (eps->count() == 0) options.eps = 0.6;
    if (min_points->count() == 0) options.min_points = 10;
    if (!options.above) options.above = -1.6;
    if (options.demo_points < 1 || options.demo_points > 100'000'000)
      throw usage_error("--points must be between 1 and 100000000");
  } else {
    if (options.clouds.empty())
      throw usage_error("no clouds given; `heddle cluster --demo` generates one");
    if (eps->count() == 0)
      throw usage_error("--eps is missing: the largest distance between neighbours");
    if (min_points->count() == 0)
      throw usage_error("--min-points is missing: how many neighbours make a point a core point");
    if (points->count() + seed->count() != 0) throw usage_error("--points and --seed need --demo");
  }
  if (!(options.eps >= 1e-150 && options.eps <= 1e150))
    throw usage_error("--eps must be between 1e-150 and 1e150");
  if (options.min_points < 1) throw usage_error("--min-points must be at least 1");
  if (options.threads < 0 || options.threads > 1024)
    throw usage_error("--threads must be between 0 and 1024");
  if (ranks->count() != 0 && !options.is_over_ranks) throw usage_error("--ranks needs --mpi");
  if (options.ranks < 0 || options.ranks > 65536 || (ranks->count() != 0 && options.ranks == 0))
    throw usage_error("--ranks must be between 1 and 65536");
  if (options.is_over_ranks) expect_supported_over_ranks(options);
  return read;
}

void expect_supported_over_ranks(const cluster_options& options) {
  const auto refuse = [](const char* what) {
    throw usage_error(fmt::format("{} is not supported over MPI", what));
  };
  if (options.is_demo) refuse("--demo");
  if (options.clouds.size() > 1) refuse("more than one cloud");
  if (!options.statistics.empty()) refuse("--stats");
  if (!options.page.empty()) refuse("--view");
  if (options.device == cluster_device::gpu) refuse("--device gpu");
  if (options.encoding == cloud::encoding::packed) refuse("--encoding packed");
}

std::string name_for(const std::string& pattern, const std::string& cloud) {
  const std::size_t at = pattern.find("{}");
  if (at == pattern.npos) return pattern;
  return pattern.substr(0, at) + fs::path(cloud).stem().string() + pattern.substr(at + 2);
}

std::FILE* summary_stream(const cluster_options& options) {
  for (const std::string& name : {options.output, options.page, options.statistics})
    if (!name.empty() && files::is_standard_output(name)) return stderr;
  return stdout;
}

void check_outputs(const cluster_options& options) {
  std::set<std::string> names;
  const auto add = [&](const std::string& name) {
    const bool can_be_shared = files::is_stream(name) && !files::is_standard_output(name);
    if (!can_be_shared) {
      const std::string normal = files::is_standard_output(name)
                                     ? "standard output"
                                     : fs::absolute(name).lexically_normal().string();
      if (!names.insert(normal).second)
        throw usage_error(fmt::format("two outputs would go to {}", name));
    }
    const fs::path folder = fs::path(name).parent_path();
    if (!folder.empty() && !fs::is_directory(folder))
      throw usage_error(
          fmt::format("cannot write {}: there is no folder {}", name, folder.string()));
    files::expect_writable(name);
  };
  for (const auto& [option, pattern] :
       {std::pair{"--output", options.output}, {"--view", options.page}}) {
    if (pattern.empty()) continue;
    const bool is_one_file = pattern.find("{}") == pattern.npos && !files::is_stream(pattern);
    if (options.clouds.size() > 1 && is_one_file)
      throw usage_error(
          fmt::format("{} needs a {{}}, which is replaced by the name of each of the {} clouds, as "
                      "in 'out/{{}}{}'",
                      option, options.clouds.size(), fs::path(pattern).extension().string()));
    for (const std::string& cloud : options.clouds) add(name_for(pattern, cloud));
  }
  if (!options.statistics.empty()) add(options.statistics);
  if (!options.output.empty()) cloud::expect_known_output(options.output);
}

}  // namespace heddle::cli
