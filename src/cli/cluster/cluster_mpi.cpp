// `heddle_cluster_mpi`: `heddle cluster` over MPI, with a part of the cloud in each process.
#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <cloud/common_columns.hpp>
#include <cloud/grouped_number.hpp>
#include <cloud/part_write.hpp>
#include <heddle/distributed/dbscan.hpp>
#include <heddle/distributed/run_ranks.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <numeric>
#include <span>

#include "cli/cluster/cluster_command_line.hpp"
#include "cli/cluster/clusterer.hpp"

namespace heddle::cli {
namespace {

using distributed::communicator;

// Thrown on every rank, after the error has been printed.
struct already_reported {};

class part_session {
 public:
  part_session(communicator& ranks, const cluster_options& options)
      : ranks_(ranks), options_(options) {}

  void run() {
    together([&] {
      if (is_first()) check_outputs(options_);
    });
    stopwatch watch;
    read();
    const double read_time = watch.lap();
    const distributed::dbscan_part found =
        points_.exact.empty() && !has_exact_ ? cluster(points_.points) : cluster(points_.exact);
    const double cluster_time = watch.lap();
    write(found.labels);
    print_summary(found, {read_time, cluster_time, watch.lap()});
  }

 private:
  [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }

  // Runs a step that may fail on some ranks and does not communicate. If it fails on any, all stop.
  template <typename Step>
  void together(Step step) {
    std::string message;
    try {
      step();
    } catch (const usage_error& failure) {
      message = fmt::format("{}; see `heddle cluster --help`", failure.what());
    } catch (const std::bad_alloc&) {
      message = "out of memory: this cloud is too large; run more ranks on more machines";
    } catch (const std::exception& failure) {
      message = failure.what();
    }
    const auto messages = ranks_.all_gather_lists(std::span<const char>(message));
    for (int rank = 0; rank < messages.size(); ++rank) {
      const std::string first(messages[rank].begin(), messages[rank].end());
      if (first.empty()) continue;
      if (is_first()) fmt::print(stderr, "heddle: {}\n", first);
      throw already_reported{};
    }
  }

  // Reads this rank's part, then gives all parts the same columns and the same number type.
  void read() {
    together([&] {
      cloud::read_options options;
      options.as = options_.format;
      options.part = {static_cast<std::size_t>(ranks_.rank()),
                      static_cast<std::size_t>(ranks_.size())};
      points_ = cloud::read_cloud(options_.clouds.front(), options);
    });
    struct facts {
      std::uint64_t points;
      std::uint64_t has_exact;
    };
    const auto all = ranks_.all_reduce(
        facts{points_.size(), points_.exact.empty() ? 0u : 1u}, [](facts a, const facts& b) {
          return facts{a.points + b.points, a.has_exact | b.has_exact};
        });
    points_in_all_ = all.points;
    has_exact_ = all.has_exact != 0;
    together([&] {
      if (has_exact_) points_.make_exact();
    });
    share_columns();
  }

  void share_columns() {
    std::string names;
    for (const std::string& name : cloud::names_of_columns(points_)) names += name + '\n';
    const auto all = ranks_.all_gather_lists(std::span<const char>(names));
    std::vector<std::vector<std::string>> names_of_parts(static_cast<std::size_t>(ranks_.size()));
    for (int rank = 0; rank < all.size(); ++rank) {
      std::vector<std::string>& one = names_of_parts[static_cast<std::size_t>(rank)];
      bool is_new = true;
      for (const char letter : all[rank]) {
        if (is_new) one.emplace_back();
        is_new = letter == '\n';
        if (!is_new) one.back() += letter;
      }
    }
    cloud::keep_common_columns(points_, names_of_parts);
  }

  template <typename T>
  distributed::dbscan_part cluster(const std::vector<T>& coordinates) {
    const std::size_t count = coordinates.size() / 3;
    const T* first = coordinates.data();
    std::vector<T> kept;
    if (options_.above) {
      kept = coordinates;
      leave_out_below(*options_.above, kept.data(), count);
      first = kept.data();
    }
    distributed::dbscan_options options;
    options.threads = options_.threads == 0 ? 1 : options_.threads;
    return distributed::dbscan(ranks_, cluster::interleaved_points<3>(first, count), options_.eps,
                               options_.min_points, options);
  }

  // The first rank creates the file, every rank writes its part, and the first renames the file.
  void write(const std::vector<std::int32_t>& labels) {
    if (options_.output.empty()) return;
    const std::string path = name_for(options_.output, options_.clouds.front());
    std::string bytes;
    together([&] {
      bytes = cloud::bytes_of_part(path, points_, labels, options_.encoding,
                                   {points_in_all_, is_first(), has_exact_});
    });
    const std::uint64_t begin = ranks_.exclusive_scan<std::uint64_t>(
        bytes.size(), [](std::uint64_t a, std::uint64_t b) { return a + b; }, 0);
    std::string name;
    together([&] {
      if (is_first()) name = cloud::begin_parts(path);
    });
    const auto names = ranks_.all_gather_lists(std::span<const char>(name));
    name.assign(names[0].begin(), names[0].end());
    try {
      together([&] { cloud::write_part(name, path, begin, bytes); });
      together([&] {
        if (is_first()) cloud::finish_parts(name, path);
      });
    } catch (...) {
      if (is_first()) cloud::drop_parts(name);
      throw;
    }
  }

  void print_summary(const distributed::dbscan_part& found, std::array<double, 3> times) {
    struct facts {
      std::uint64_t noise, largest, most_copies, most_bytes;
      std::array<double, 3> times;
    };
    const auto noise = static_cast<std::uint64_t>(
        std::count(found.labels.begin(), found.labels.end(), cluster::noise));
    const distributed::traffic sent = ranks_.sent();
    const facts own{noise, found.owned, found.copies,
                    static_cast<std::uint64_t>(sent.bytes + sent.bytes_of_collectives), times};
    const facts all = ranks_.all_reduce(own, [](facts a, const facts& b) {
      a.noise += b.noise;
      a.largest = std::max(a.largest, b.largest);
      a.most_copies = std::max(a.most_copies, b.most_copies);
      a.most_bytes = std::max(a.most_bytes, b.most_bytes);
      for (std::size_t i = 0; i < 3; ++i) a.times[i] = std::max(a.times[i], b.times[i]);
      return a;
    });
    if (!is_first()) return;
    std::FILE* const out = summary_stream(options_);
    const std::string& name = options_.clouds.front();
    const auto width = std::clamp<std::size_t>(name.size(), 10, 50);
    fmt::print(out, "{:<{}}  {:>11}  {:>11}  {:>11}  {:>11}  {:>11}  {:>11}\n", "cloud", width,
               "points", "clusters", "noise", "read ms", "cluster ms", "write ms");
    fmt::print(out, "{:<{}}  {:>11}  {:>11}  {:>11}  {:>11.1f}  {:>11.1f}  {:>11.1f}\n", name,
               width, cloud::grouped(points_in_all_),
               cloud::grouped(static_cast<std::uint64_t>(found.clusters)),
               cloud::grouped(all.noise), all.times[0], all.times[1], all.times[2]);
    fmt::print(out, "{} {}; the busiest had {} points and {} ghost points, and sent {} bytes\n",
               ranks_.size(), ranks_.size() == 1 ? "rank" : "ranks", cloud::grouped(all.largest),
               cloud::grouped(all.most_copies), cloud::grouped(all.most_bytes));
  }

  communicator& ranks_;
  const cluster_options& options_;
  cloud::cloud points_;
  std::uint64_t points_in_all_ = 0;
  bool has_exact_ = false;
};

int cluster_over_ranks(communicator& ranks, const std::vector<std::string>& arguments) {
  try {
    const cluster_request read = parse_cluster_command_line(arguments);
    if (read.asks_help) {
      if (ranks.rank() == 0) fmt::print("{}", cluster_help());
      return 0;
    }
    expect_supported_over_ranks(read.options);
    part_session(ranks, read.options).run();
    return 0;
  } catch (const already_reported&) {
    return 2;
  } catch (const distributed::rank_error&) {
    throw;
  } catch (const usage_error& failure) {
    // All ranks have parsed the same arguments.
    if (ranks.rank() == 0)
      fmt::print(stderr, "heddle: {}; see `heddle cluster --help`\n", failure.what());
  } catch (const CLI::ParseError& failure) {
    if (ranks.rank() == 0)
      fmt::print(stderr, "heddle: {}; see `heddle cluster --help`\n", failure.what());
  }
  return 2;
}

}  // namespace
}  // namespace heddle::cli

int main(int argc, char** argv) {
  return heddle::distributed::run_ranks(
      &argc, &argv, [&](heddle::distributed::communicator& ranks) {
        return heddle::cli::cluster_over_ranks(ranks,
                                               std::vector<std::string>(argv + 1, argv + argc));
      });
}
