// Clusters points, and sends one rank a signal when it begins a phase: dbscan_loses_a_rank RANK
// PHASE SIGNAL. The script that starts it checks what happens to the others.
#include <heddle/distributed/dbscan.hpp>
#include <heddle/distributed/run_ranks.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using namespace heddle::distributed;
  return run_ranks(&argc, &argv, [&](communicator& ranks) {
    if (argc != 4) return 2;
    const int lost = std::atoi(argv[1]), signal = std::atoi(argv[3]);
    std::mt19937_64 source(static_cast<std::uint64_t>(ranks.rank()));
    std::vector<float> values(9000);
    for (float& value : values) value = std::uniform_real_distribution<float>(0, 10)(source);
    dbscan_options options;
    options.on_phase = [&](std::string_view phase) {
      if (ranks.rank() == lost && phase == argv[2]) std::raise(signal);
    };
    const auto points = heddle::cluster::interleaved_points<3>(values.data(), values.size() / 3);
    const dbscan_part found = dbscan(ranks, points, 0.5, 4, options);
    ranks.barrier();
    if (ranks.rank() == 0) std::printf("%d clusters\n", found.clusters);
    return 0;
  });
}
