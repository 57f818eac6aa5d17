// A branch that all lanes, half of them or one in 32 take: plain, and joined by a vote.
#pragma once
#include <string>

#include "support/contest.cuh"
// After the header that turns preconditions off.
#include "warp/voted_branches.cuh"

namespace heddle_bench {

template <int period>
void branch_of(contest& contest, const std::string& who) {
  using feed = number_feed<float>;
  contest.run<feed>({warps<feed, voted<period>>("branch joined by warp::all (" + who + ")"),
                     warps<feed, parted<period>>("branch as it is", 0)});
}

inline void vote_cases(contest& contest) {
  branch_of<1>(contest, "all lanes take it");
  branch_of<2>(contest, "half take it");
  branch_of<32>(contest, "one lane takes it");
}

}  // namespace heddle_bench
