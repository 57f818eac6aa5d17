// What divergence costs, and whether a vote helps.
#pragma once
#include "experiments/laboratory.cuh"
// After the header that turns preconditions off.
#include <string>

#include "experiments/branches.cuh"
#include "warp/voted_branches.cuh"

namespace heddle_bench {

inline const char* const divergence = "divergence";
inline const char* const voted_branch = "vote-unified branches";

template <int ways>
void part_in(laboratory& laboratory) {
  using feed = number_feed<float>;
  const std::string number = std::to_string(ways) + (ways == 1 ? " way" : " ways");
  laboratory.compare<feed>(divergence,
                           {warps<feed, branches_in<ways>>(number + ", branches"),
                            warps<feed, choices_in<ways>>(number + ", same code, different data")});
}

template <int period, bool by_data>
void vote_on(laboratory& laboratory, const std::string& who) {
  using feed = number_feed<float>;
  const std::string start = by_data ? "data-dependent, " : "";
  const std::string two = start + "two ways, " + who, one = start + "work or nothing, " + who;
  laboratory.compare<feed>(voted_branch,
                           {warps<feed, parted<period, by_data>>(two + ": as it is"),
                            warps<feed, voted<period, by_data>>(two + ": joined by a vote")});
  laboratory.compare<feed>(voted_branch,
                           {warps<feed, lone<period, by_data>>(one + ": as it is"),
                            warps<feed, skipped<period, by_data>>(one + ": skipped by a vote")});
}

template <bool by_data>
void vote_experiments(laboratory& laboratory) {
  vote_on<1, by_data>(laboratory, "all lanes take it");
  vote_on<2, by_data>(laboratory, "half take it");
  vote_on<32, by_data>(laboratory, "one lane takes it");
  vote_on<0, by_data>(laboratory, "no lane takes it");
}

inline void branch_experiments(laboratory& laboratory) {
  using feed = number_feed<float>;
  part_in<1>(laboratory);
  part_in<2>(laboratory);
  part_in<4>(laboratory);
  part_in<8>(laboratory);
  part_in<16>(laboratory);
  laboratory.compare<feed>(divergence, {warps<feed, all_short>("all go the short way")});
  laboratory.compare<feed>(divergence, {warps<feed, all_long>("all go the long way")});
  laboratory.compare<feed>(divergence,
                           {warps<feed, short_and_long>("half short, half long: branches"),
                            warps<feed, short_and_long_loop>("half short, half long: one loop")});
  vote_experiments<false>(laboratory);
  vote_experiments<true>(laboratory);
}

}  // namespace heddle_bench
