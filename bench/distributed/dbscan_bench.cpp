// Clusters a cube of random points over ranks: the time and traffic of each phase, next to the cost
// model of docs/scale-dbscan.md. Usage: mpirun -n RANKS dbscan_bench [POINTS per rank] [EPS]
// The cube grows with the points, so a point has the same number of neighbours in every run.
#include <heddle/distributed/dbscan.hpp>
#include <heddle/distributed/run_ranks.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {
using namespace heddle::distributed;

struct box {
  std::array<double, 3> low, high;
};

// Cuts the cube as an exact sample would: across the longest edge, in proportion to the ranks.
void cut(const box& space, int ranks, std::vector<box>& boxes) {
  if (ranks == 1) return boxes.push_back(space);
  int axis = 0;
  for (int other = 1; other < 3; ++other)
    if (space.high[other] - space.low[other] > 1.001 * (space.high[axis] - space.low[axis]))
      axis = other;
  const double middle =
      space.low[axis] + (space.high[axis] - space.low[axis]) * (ranks / 2) / ranks;
  box below = space, above = space;
  below.high[axis] = above.low[axis] = middle;
  cut(below, ranks / 2, boxes);
  cut(above, ranks - ranks / 2, boxes);
}

// Expected points of one box within eps of another, at one point per unit of volume.
double points_between(const box& from, const box& to, double eps) {
  double volume = 1;
  for (int axis = 0; axis < 3; ++axis)
    volume *= std::max(0.0, std::min(from.high[axis], to.high[axis] + eps) -
                                std::max(from.low[axis], to.low[axis] - eps));
  return volume;
}

// Bytes that the busiest rank sends in each phase.
std::map<std::string, double> model(int ranks, double points, double eps, double core_share) {
  std::vector<box> boxes;
  const double edge = std::cbrt(points * ranks);
  cut({{0, 0, 0}, {edge, edge, edge}}, ranks, boxes);
  double copies = 0;
  for (const box& from : boxes) {
    double sent = 0;
    for (const box& to : boxes)
      if (&from != &to) sent += points_between(from, to, eps);
    copies = std::max(copies, sent);
  }
  const double others = ranks - 1;
  const double moved = points * others / ranks;
  const auto sample = static_cast<double>(detail::spread_points<float, 3>::sample_of_rank);
  return {{"count", 8 * others},  {"cut", (8 + 12 * std::min(sample, points)) * others},
          {"spread", 16 * moved}, {"halo", 24 * others + 12 * copies},
          {"core", copies},       {"join", 8 * core_share * copies},
          {"return", 4 * moved}};
}

struct cost {
  double milliseconds = 0;
  double bytes = 0;
  double messages = 0;
};

int run(communicator& ranks, std::size_t points, double eps) {
  const double edge = std::cbrt(static_cast<double>(points) * ranks.size());
  std::mt19937_64 source(static_cast<std::uint64_t>(ranks.rank()) + 1);
  std::uniform_real_distribution<double> place(0, edge);
  std::vector<float> values(3 * points);
  for (float& value : values) value = static_cast<float>(place(source));
  using clock = std::chrono::steady_clock;
  std::map<std::string, cost> costs;
  std::string phase = "before";
  auto begin = clock::now();
  const auto next = [&](std::string_view name) {
    const auto now = clock::now();
    const traffic sent = ranks.sent();
    costs[phase] = {std::chrono::duration<double, std::milli>(now - begin).count(),
                    static_cast<double>(sent.bytes + sent.bytes_of_collectives),
                    static_cast<double>(sent.messages + sent.collectives)};
    ranks.forget_sent();
    phase = name;
    begin = now;
  };
  ranks.barrier();
  const dbscan_part found =
      dbscan(ranks, heddle::cluster::interleaved_points<3>(values.data(), points), eps, 5,
             {.threads = 1, .on_phase = next});
  next("after");
  const auto larger = [](double a, double b) { return std::max(a, b); };
  const auto add = [](double a, double b) { return a + b; };
  double core = 0;
  for (const std::uint8_t is_core : found.is_core) core += is_core;
  const double core_share =
      ranks.all_reduce(core, add) / (static_cast<double>(points) * ranks.size());
  const auto bytes_of = model(ranks.size(), static_cast<double>(points), eps, core_share);
  const double copies = ranks.all_reduce(static_cast<double>(found.copies), larger);
  const double owned = ranks.all_reduce(static_cast<double>(found.owned), larger);
  if (ranks.rank() == 0)
    std::printf(
        "%d ranks, %zu points each, %d clusters; most points on a rank: %.0f, copies: %.0f\n"
        "| phase | ms | messages | bytes | model |\n|---|---|---|---|---|\n",
        ranks.size(), points, found.clusters, owned, copies);
  double all = 0;
  for (const std::string_view name : dbscan_phases) {
    const cost mine = costs[std::string(name)];
    const double time = ranks.all_reduce(mine.milliseconds, larger);
    const double bytes = ranks.all_reduce(mine.bytes, larger);
    const double messages = ranks.all_reduce(mine.messages, larger);
    all += time;
    if (ranks.rank() != 0) continue;
    const auto known = bytes_of.find(std::string(name));
    std::printf("| %s | %.1f | %.0f | %.0f | ", std::string(name).c_str(), time, messages, bytes);
    if (known != bytes_of.end())
      std::printf("%.0f |\n", known->second);
    else
      std::printf(" |\n");
  }
  if (ranks.rank() == 0) std::printf("all phases: %.1f ms\n\n", all);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  return run_ranks(&count, &arguments, [&](communicator& ranks) {
    const long points = count > 1 ? std::atol(arguments[1]) : 100000;
    const double eps = count > 2 ? std::atof(arguments[2]) : 1.0;
    if (points < 1 || points > 1'000'000'000 || !(eps > 0)) {
      if (ranks.rank() == 0) std::fprintf(stderr, "usage: dbscan_bench [POINTS per rank] [EPS]\n");
      return 2;
    }
    return run(ranks, static_cast<std::size_t>(points), eps);
  });
}
