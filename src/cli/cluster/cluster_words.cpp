// Parses and checks the command line of `heddle cluster`.
#include "cli/cluster/cluster_words.hpp"

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
void choose_encoding(cluster_wishes& wishes, const std::string& word) {
  if (word == "binary") {
    wishes.encoding = cloud::encoding::binary;
  } else if (word == "packed") {
    wishes.encoding = cloud::encoding::packed;
  } else if (word == "ascii") {
    wishes.encoding = cloud::encoding::ascii;
  } else {
    throw usage_error(fmt::format("--encoding is binary, packed or ascii, not '{}'", word));
  }
}

void choose_format(cluster_wishes& wishes, const std::string& word) {
  if (word.empty()) return;
  wishes.format = cloud::format_named(word);
  if (wishes.format == cloud::format::by_content)
    throw usage_error(
        fmt::format("--format is pcd, ply, las, npy, kitti, csv or xyz, not '{}'", word));
}

void choose_device(cluster_wishes& wishes, const std::string& word) {
  if (word == "cpu") {
    wishes.device = cluster_device::cpu;
  } else if (word == "gpu") {
    wishes.device = cluster_device::gpu;
  } else if (word != "auto") {
    throw usage_error(fmt::format("--device is cpu, gpu or auto, not '{}'", word));
  }
}

}  // namespace

std::string_view cluster_help() { return text; }

cluster_request read_cluster_words(const std::vector<std::string>& words) {
  cluster_request read;
  cluster_wishes& wishes = read.wishes;
  std::string device = "auto", encoding = "binary", format;
  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", read.asks_help);
  app.add_option("clouds", wishes.clouds);
  const CLI::Option* const eps = app.add_option("-e,--eps", wishes.eps);
  const CLI::Option* const min_points = app.add_option("-n,--min-points", wishes.min_points);
  app.add_option("--above", wishes.above);
  app.add_option("-o,--output", wishes.output);
  app.add_option("--stats", wishes.statistics);
  app.add_option("--view", wishes.page);
  app.add_option("--encoding", encoding);
  app.add_option("--format", format);
  app.add_option("--device", device);
  app.add_option("--threads", wishes.threads);
  app.add_flag("--mpi", wishes.is_over_ranks);
  const CLI::Option* const ranks = app.add_option("--ranks", wishes.ranks);
  app.add_flag("--demo", wishes.is_demo);
  const CLI::Option* const points = app.add_option("--points", wishes.demo_points);
  const CLI::Option* const seed = app.add_option("--seed", wishes.demo_seed);
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  app.parse(reversed);
  if (read.asks_help) return read;

  choose_device(wishes, device);
  choose_encoding(wishes, encoding);
  choose_format(wishes, format);
  if (wishes.is_demo) {
    if (!wishes.clouds.empty()) throw usage_error("--demo makes its own cloud; name no other");
    wishes.clouds = {"street"};
    if (eps->count() == 0) wishes.eps = 0.6;
    if (min_points->count() == 0) wishes.min_points = 10;
    if (!wishes.above) wishes.above = -1.6;
    if (wishes.demo_points < 1 || wishes.demo_points > 100'000'000)
      throw usage_error("--points lies between 1 and 100000000");
  } else {
    if (wishes.clouds.empty()) throw usage_error("which clouds? `heddle cluster --demo` makes one");
    if (eps->count() == 0) throw usage_error("--eps is missing: how far neighbours are apart");
    if (min_points->count() == 0)
      throw usage_error("--min-points is missing: how many neighbours make a core point");
    if (points->count() + seed->count() != 0)
      throw usage_error("--points and --seed are for --demo");
  }
  if (!(wishes.eps >= 1e-150 && wishes.eps <= 1e150))
    throw usage_error("--eps lies between 1e-150 and 1e150");
  if (wishes.min_points < 1) throw usage_error("--min-points is 1 at least");
  if (wishes.threads < 0 || wishes.threads > 1024)
    throw usage_error("--threads lies between 0 and 1024");
  if (ranks->count() != 0 && !wishes.is_over_ranks) throw usage_error("--ranks is for --mpi");
  if (wishes.ranks < 0 || wishes.ranks > 65536 || (ranks->count() != 0 && wishes.ranks == 0))
    throw usage_error("--ranks lies between 1 and 65536");
  if (wishes.is_over_ranks) expect_offered_over_ranks(wishes);
  return read;
}

void expect_offered_over_ranks(const cluster_wishes& wishes) {
  const auto refuse = [](const char* what) {
    throw usage_error(fmt::format("{} is not offered over several processes", what));
  };
  if (wishes.is_demo) refuse("--demo");
  if (wishes.clouds.size() > 1) refuse("more than one cloud");
  if (!wishes.statistics.empty()) refuse("--stats");
  if (!wishes.page.empty()) refuse("--view");
  if (wishes.device == cluster_device::gpu) refuse("--device gpu");
  if (wishes.encoding == cloud::encoding::packed) refuse("--encoding packed");
}

std::string name_for(const std::string& pattern, const std::string& cloud) {
  const std::size_t at = pattern.find("{}");
  if (at == pattern.npos) return pattern;
  return pattern.substr(0, at) + fs::path(cloud).stem().string() + pattern.substr(at + 2);
}

std::FILE* summary_stream(const cluster_wishes& wishes) {
  for (const std::string& name : {wishes.output, wishes.page, wishes.statistics})
    if (!name.empty() && files::is_standard_output(name)) return stderr;
  return stdout;
}

void check_outputs(const cluster_wishes& wishes) {
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
       {std::pair{"--output", wishes.output}, {"--view", wishes.page}}) {
    if (pattern.empty()) continue;
    const bool is_one_file = pattern.find("{}") == pattern.npos && !files::is_stream(pattern);
    if (wishes.clouds.size() > 1 && is_one_file)
      throw usage_error(
          fmt::format("{} needs a {{}} for the name of each of {} clouds, as in 'out/{{}}{}'",
                      option, wishes.clouds.size(), fs::path(pattern).extension().string()));
    for (const std::string& cloud : wishes.clouds) add(name_for(pattern, cloud));
  }
  if (!wishes.statistics.empty()) add(wishes.statistics);
  if (!wishes.output.empty()) cloud::expect_known_output(wishes.output);
}

}  // namespace heddle::cli
