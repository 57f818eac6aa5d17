// Parses and checks the command line of `heddle cluster`.
#include "cli/cluster/cluster_command_line.hpp"

#include <fmt/format.h>
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

Finds the clusters in clouds of points by DBSCAN, with the labels of scikit-learn: points within eps
of at least N points, themselves included, are core; core points within eps of each other share a
cluster; the rest are border points or noise (-1).

Clouds are PCD, PLY, LAS 1.0 to 1.4, NPY, KITTI's .bin, or text with a point on each line (CSV, XYZ).
Several are frames: each is clustered by itself.

  -e, --eps E         how far neighbours are apart at most
  -n, --min-points N  so many neighbours make a core point
  --above Z           leave points with z up to Z out, such as the ground; they are noise
  -o, --output FILE   the points with their labels, as .pcd, .ply or .csv; or the labels, as .npy;
                      `-` prints CSV
  --stats FILE.csv    a line for each cluster: points, centroid, box
  --view PAGE.html    a page that shows the clusters in a browser, in one file
  --encoding HOW      of .pcd and .ply: binary, packed or ascii; binary if nothing is said
  --format FORMAT     read the clouds as pcd, ply, las, npy, kitti, csv or xyz, whatever they look like
  --device WHERE      cpu, gpu, or auto: a GPU if there is one, and heddle_cluster_gpu, which the
                      gpu preset builds, is beside this program or in build/gpu/bin
  --threads N         on the CPU; as many as there are processors if nothing is said
  --mpi               several processes, each of which reads a part of the cloud: for files that
                      are larger than the memory; on several machines start it by mpirun itself
  --ranks N           of --mpi: so many processes; as many as there are processors if nothing is said
  --demo              a made-up scan of a street in place of clouds; eps 0.6, 10 points, above -1.6
  --points N          of the made-up scan: 120000
  --seed N            of the made-up scan: 1

With several clouds, names of outputs have a {} where the cloud's own name goes. Outputs are written
whole or not at all; `-` is the standard output, and then the summary goes to the standard error.
Ends with 0, or with 2 and a sentence if something is wrong.

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
    throw usage_error(fmt::format("--encoding is binary, packed or ascii, not '{}'", word));
  }
}

void choose_format(cluster_options& options, const std::string& word) {
  if (word.empty()) return;
  options.format = cloud::format_named(word);
  if (options.format == cloud::format::by_content)
    throw usage_error(
        fmt::format("--format is pcd, ply, las, npy, kitti, csv or xyz, not '{}'", word));
}

void choose_device(cluster_options& options, const std::string& word) {
  if (word == "cpu") {
    options.device = cluster_device::cpu;
  } else if (word == "gpu") {
    options.device = cluster_device::gpu;
  } else if (word != "auto") {
    throw usage_error(fmt::format("--device is cpu, gpu or auto, not '{}'", word));
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
    if (!options.clouds.empty()) throw usage_error("--demo makes its own cloud; name no other");
    options.clouds = {"street"};
    if (eps->count() == 0) options.eps = 0.6;
    if (min_points->count() == 0) options.min_points = 10;
    if (!options.above) options.above = -1.6;
    if (options.demo_points < 1 || options.demo_points > 100'000'000)
      throw usage_error("--points lies between 1 and 100000000");
  } else {
    if (options.clouds.empty())
      throw usage_error("which clouds? `heddle cluster --demo` makes one");
    if (eps->count() == 0) throw usage_error("--eps is missing: how far neighbours are apart");
    if (min_points->count() == 0)
      throw usage_error("--min-points is missing: how many neighbours make a core point");
    if (points->count() + seed->count() != 0)
      throw usage_error("--points and --seed are for --demo");
  }
  if (!(options.eps >= 1e-150 && options.eps <= 1e150))
    throw usage_error("--eps lies between 1e-150 and 1e150");
  if (options.min_points < 1) throw usage_error("--min-points is 1 at least");
  if (options.threads < 0 || options.threads > 1024)
    throw usage_error("--threads lies between 0 and 1024");
  if (ranks->count() != 0 && !options.is_over_ranks) throw usage_error("--ranks is for --mpi");
  if (options.ranks < 0 || options.ranks > 65536 || (ranks->count() != 0 && options.ranks == 0))
    throw usage_error("--ranks lies between 1 and 65536");
  if (options.is_over_ranks) expect_supported_over_ranks(options);
  return read;
}

void expect_supported_over_ranks(const cluster_options& options) {
  const auto refuse = [](const char* what) {
    throw usage_error(fmt::format("{} is not offered over several processes", what));
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
                                     ? "the standard output"
                                     : fs::absolute(name).lexically_normal().string();
      if (!names.insert(normal).second)
        throw usage_error(fmt::format("two outputs would be {}", name));
    }
    const fs::path folder = fs::path(name).parent_path();
    if (!folder.empty() && !fs::is_directory(folder))
      throw usage_error(fmt::format("there is no folder {} for {}", folder.string(), name));
    files::expect_writable(name);
  };
  for (const auto& [option, pattern] :
       {std::pair{"--output", options.output}, {"--view", options.page}}) {
    if (pattern.empty()) continue;
    const bool is_one_file = pattern.find("{}") == pattern.npos && !files::is_stream(pattern);
    if (options.clouds.size() > 1 && is_one_file)
      throw usage_error(
          fmt::format("{} needs a {{}} for the name of each of {} clouds, as in 'out/{{}}{}'",
                      option, options.clouds.size(), fs::path(pattern).extension().string()));
    for (const std::string& cloud : options.clouds) add(name_for(pattern, cloud));
  }
  if (!options.statistics.empty()) add(options.statistics);
  if (!options.output.empty()) cloud::expect_known_output(options.output);
}

}  // namespace heddle::cli
