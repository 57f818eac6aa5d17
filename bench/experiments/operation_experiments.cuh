// Latency and throughput of warp operations and barriers, and what lanes outside a mask return.
#pragma once
#include "experiments/laboratory.cuh"
// After the header that turns preconditions off.
#include <algorithm>
#include <string>
#include <vector>

#include "experiments/operations.cuh"
#include "experiments/outside_mask.cuh"

namespace heddle_bench {

inline const char* const operations = "latency and throughput";
inline const char* const barriers = "barriers";
inline const char* const outside = "lanes outside the mask";

enum class lane_values { all_the_same, two_kinds, all_different };
inline std::vector<unsigned> values_of(lane_values kind, std::size_t threads) {
  std::vector<unsigned> values;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const auto lane = static_cast<unsigned>(thread % 32);
    values.push_back(kind == lane_values::all_the_same ? 5
                     : kind == lane_values::two_kinds  ? lane % 2
                                                       : lane);
  }
  return values;
}

class stopped_cycles {
 public:
  static constexpr int runs = 11;
  static constexpr int rounds = 1024;

  // The median over several runs of the cycles per round that `launch` stored.
  template <typename Launch>
  double of(lane_values kind, std::size_t threads, const Launch& launch) {
    const device_array<unsigned> values(threads);
    const std::vector<unsigned> begin = values_of(kind, threads);
    std::vector<double> took;
    for (int run = 0; run <= runs; ++run) {
      check(cudaMemcpy(values.data(), begin.data(), threads * sizeof(unsigned),
                       cudaMemcpyHostToDevice));
      launch(values.data(), cycles_.data());
      check(cudaGetLastError());
      check(cudaDeviceSynchronize());
      if (run > 0) took.push_back(static_cast<double>(cycles_.values(1)[0]) / rounds);
    }
    return median(took);
  }

 private:
  device_array<long long> cycles_{1};
};

template <typename Operation>
double chain_cycles(lane_values kind, int threads) {
  return stopped_cycles{}.of(
      kind, static_cast<std::size_t>(threads), [&](unsigned* values, long long* cycles) {
        chain_operations<Operation>
            <<<1, threads>>>(heddle::all_lanes, stopped_cycles::rounds, values, cycles);
      });
}

// One warp alone, less the multiplication between the operations; then a full block.
template <typename Operation>
void operation_rows(laboratory& laboratory, const std::string& variant,
                    lane_values kind = lane_values::all_different) {
  const double without = chain_cycles<no_operation>(kind, heddle::warp_size);
  laboratory.rows().row(operations, variant, "latency", "cycles",
                        chain_cycles<Operation>(kind, heddle::warp_size) - without);
  constexpr int threads = 1024;
  const double cycles = stopped_cycles{}.of(kind, threads, [&](unsigned* values, long long* left) {
    flood_operations<Operation>
        <<<1, threads>>>(heddle::all_lanes, stopped_cycles::rounds, values, left);
  });
  laboratory.rows().row(operations, variant, "throughput", "lanes/cycle",
                        threads * chains_at_once / cycles);
}

// Every second lane of one warp, in a branch.
template <typename Operation>
double branch_cycles() {
  constexpr heddle::lane_mask members = 0x55555555;
  return stopped_cycles{}.of(
      lane_values::all_different, heddle::warp_size, [&](unsigned* values, long long* cycles) {
        chain_in_branch<Operation>
            <<<1, heddle::warp_size>>>(members, stopped_cycles::rounds, values, cycles);
      });
}

// ---- the results of the chains, against the host's

template <typename Operation, typename Host>
void verify_chain(lane_values kind, const Host& host, const char* what) {
  const std::vector<unsigned> begin = values_of(kind, heddle::warp_size);
  const device_array<unsigned> values(begin.size());
  const device_array<long long> cycles(1);
  check(cudaMemcpy(values.data(), begin.data(), begin.size() * sizeof(unsigned),
                   cudaMemcpyHostToDevice));
  constexpr int rounds = 5;
  chain_operations<Operation>
      <<<1, heddle::warp_size>>>(heddle::all_lanes, rounds, values.data(), cycles.data());
  check(cudaGetLastError());
  std::vector<unsigned> wanted = begin;
  for (int round = 0; round < rounds; ++round) {
    for (unsigned& value : wanted) value = value * heddle::all_lanes + 7u;
    wanted = host(wanted);
  }
  check(values.values(begin.size()) == wanted, what);
}

inline void verify_chains() {
  using lanes = std::vector<unsigned>;
  const auto each = [](const lanes& in, const auto& one) {
    lanes out;
    for (unsigned lane = 0; lane < in.size(); ++lane) out.push_back(one(lane));
    return out;
  };
  verify_chain<shuffle_by_xor>(
      lane_values::all_different,
      [&](const lanes& in) { return each(in, [&](unsigned lane) { return in[lane ^ 1u]; }); },
      "shuffles by xor are wrong");
  verify_chain<shuffle_by_index>(
      lane_values::all_different,
      [&](const lanes& in) { return each(in, [&](unsigned lane) { return in[in[lane] & 31u]; }); },
      "shuffles by index are wrong");
  const auto votes_of = [](const lanes& in) {
    unsigned votes = 0;
    for (unsigned lane = 0; lane < in.size(); ++lane) votes |= (in[lane] < 6 ? 1u : 0u) << lane;
    return votes;
  };
  verify_chain<vote_ballot>(
      lane_values::all_different, [&](const lanes& in) { return lanes(in.size(), votes_of(in)); },
      "ballots are wrong");
  verify_chain<vote_any>(
      lane_values::all_different,
      [&](const lanes& in) {
        return each(in, [&](unsigned lane) { return in[lane] + (votes_of(in) != 0 ? 1u : 0u); });
      },
      "votes of any lane are wrong");
  verify_chain<match_all>(
      lane_values::all_the_same,
      [&](const lanes& in) { return lanes(in.size(), heddle::all_lanes + 1u); },
      "matches of all lanes are wrong");
  verify_chain<shuffle_by_down>(
      lane_values::all_different,
      [&](const lanes& in) {
        return each(in, [&](unsigned lane) { return in[lane + 1 < in.size() ? lane + 1 : lane]; });
      },
      "shuffles by down are wrong");
  verify_chain<match_any>(
      lane_values::two_kinds,
      [&](const lanes& in) {
        return each(in, [&](unsigned lane) {
          unsigned peers = 0;
          for (unsigned other = 0; other < in.size(); ++other) {
            peers |= (in[other] == in[lane] ? 1u : 0u) << other;
          }
          return peers;
        });
      },
      "matches are wrong");
  verify_chain<reduce_add>(
      lane_values::all_different,
      [&](const lanes& in) {
        unsigned sum = 0;
        for (const unsigned one : in) sum += one;
        return lanes(in.size(), sum);
      },
      "reductions are wrong");
}

// ---- barriers

template <typename Operation>
void block_barrier_row(laboratory& laboratory, const std::string& variant, int threads) {
  const lane_values kind = lane_values::all_different;
  laboratory.rows().row(
      barriers, variant, "latency", "cycles",
      chain_cycles<Operation>(kind, threads) - chain_cycles<no_operation>(kind, threads));
}

inline void cluster_barrier_row(laboratory& laboratory, int blocks) {
  constexpr int threads = 256;
  const double cycles =
      stopped_cycles{}.of(lane_values::all_different, std::size_t{1} * blocks * threads,
                          [&](unsigned* values, long long* left) {
                            cudaLaunchAttribute cluster{};
                            cluster.id = cudaLaunchAttributeClusterDimension;
                            cluster.val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
                            cudaLaunchConfig_t shape{};
                            shape.gridDim = dim3(static_cast<unsigned>(blocks));
                            shape.blockDim = dim3(threads);
                            shape.attrs = &cluster;
                            shape.numAttrs = 1;
                            check(cudaLaunchKernelEx(&shape, chain_operations<synchronise_cluster>,
                                                     unsigned{heddle::all_lanes},
                                                     int{stopped_cycles::rounds}, values, left));
                          });
  laboratory.rows().row(
      barriers, "cluster barrier, " + std::to_string(blocks) + " blocks of 256 threads", "latency",
      "cycles", cycles - chain_cycles<no_operation>(lane_values::all_different, threads));
}

inline void grid_barrier_row(laboratory& laboratory, int blocks, int threads,
                             const std::string& size) {
  const double cycles =
      stopped_cycles{}.of(lane_values::all_different, std::size_t{1} * blocks * threads,
                          [&](unsigned* values, long long* left) {
                            unsigned members = heddle::all_lanes;
                            int rounds = stopped_cycles::rounds;
                            void* arguments[] = {&members, &rounds, &values, &left};
                            check(cudaLaunchCooperativeKernel(
                                reinterpret_cast<const void*>(&chain_operations<synchronise_grid>),
                                dim3(static_cast<unsigned>(blocks)),
                                dim3(static_cast<unsigned>(threads)), arguments, 0, nullptr));
                          });
  laboratory.rows().row(barriers, "grid barrier, " + size, "latency", "cycles", cycles);
}

// ---- lanes outside the mask

// The 16 lanes from `first` on ask.
template <typename Kernel>
void outside_rows(laboratory& laboratory, const std::string& variant, Kernel kernel,
                  unsigned first) {
  std::vector<unsigned> values;
  for (unsigned lane = 0; lane < 32; ++lane) values.push_back(1000 + lane);
  const device_array<unsigned> own(32), answers(32);
  check(cudaMemcpy(own.data(), values.data(), 32 * sizeof(unsigned), cudaMemcpyHostToDevice));
  answers.poison();
  kernel<<<1, heddle::warp_size>>>(own.data(), answers.data());
  check(cudaGetLastError());
  const std::vector<unsigned> left = answers.values(32);
  int zeros = 0, own_values = 0, asked_values = 0;
  for (unsigned lane = first; lane < first + 16; ++lane) {
    zeros += left[lane] == 0;
    own_values += left[lane] == values[lane];
    asked_values += left[lane] == values[(lane + 16) % 32];
  }
  laboratory.rows().row(outside, variant, "got 0", "of 16 lanes", zeros);
  laboratory.rows().row(outside, variant, "got their own value", "of 16 lanes", own_values);
  laboratory.rows().row(outside, variant, "got the asked lane's value", "of 16 lanes",
                        asked_values);
}

inline void operation_experiments(laboratory& laboratory) {
  if (laboratory.rows().wants(operations)) {
    verify_chains();
    operation_rows<multiply_and_add>(laboratory, "multiply and add (for comparison)");
    operation_rows<shuffle_by_xor>(laboratory, "__shfl_xor_sync");
    operation_rows<shuffle_by_down>(laboratory, "__shfl_down_sync");
    operation_rows<shuffle_by_index>(laboratory, "__shfl_sync of a computed lane");
    operation_rows<vote_ballot>(laboratory, "__ballot_sync of a comparison");
    operation_rows<vote_any>(laboratory, "__any_sync of a comparison");
    operation_rows<match_any>(laboratory, "__match_any_sync, all the same",
                              lane_values::all_the_same);
    operation_rows<match_any>(laboratory, "__match_any_sync, two kinds", lane_values::two_kinds);
    operation_rows<match_any>(laboratory, "__match_any_sync, all different");
    operation_rows<match_all>(laboratory, "__match_all_sync, all the same",
                              lane_values::all_the_same);
    operation_rows<reduce_add>(laboratory, "__reduce_add_sync");
    operation_rows<synchronise_warp>(laboratory, "__syncwarp of all lanes");
    operation_rows<synchronise_members>(laboratory, "__syncwarp of a mask in a register");
    laboratory.rows().row(operations, "__syncwarp of half of the lanes, in a branch", "latency",
                          "cycles",
                          branch_cycles<synchronise_members>() - branch_cycles<no_operation>());
  }
  if (laboratory.rows().wants(barriers)) {
    for (const int threads : {32, 128, 256, 1024}) {
      block_barrier_row<synchronise_block>(
          laboratory, "__syncthreads, " + std::to_string(threads) + " threads", threads);
    }
    for (const int blocks : {2, 8}) cluster_barrier_row(laboratory, blocks);
    grid_barrier_row(laboratory, laboratory.multiprocessors(), 256,
                     "a block of 256 threads a multiprocessor");
    grid_barrier_row(laboratory, laboratory.multiprocessors() * 2, 1024,
                     "two blocks of 1024 threads a multiprocessor");
  }
  if (laboratory.rows().wants(outside)) {
    outside_rows(laboratory, "the asked lane is in another branch", ask_outside<false>, 0);
    outside_rows(laboratory, "the asked lane has exited", ask_outside<true>, 0);
    outside_rows(laboratory, "the asked lane is beyond the warp", ask_beyond_warp, 16);
  }
}

}  // namespace heddle_bench
