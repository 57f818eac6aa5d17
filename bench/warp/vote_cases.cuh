// A branch that all lanes, one lane in 32 or half of them take: as it is, and joined by a vote.
#pragma once
#include <heddle/warp/vote.cuh>

#include <string>

#include "support/contest.cuh"

namespace heddle_bench {

// Work worth branching over: a chain of 32 multiplications and additions.
__device__ inline float work(float value) {
  float result = value;
#pragma unroll
  for (int i = 0; i < 32; ++i) result = result * 0.5f + value;
  return result;
}

// Each lane's way for good: every `period`-th lane takes the first.
template <int period>
struct takes_branch {
  // The block's number, which is 0, keeps the compiler from knowing the answer.
  bool takes_it = heddle::lane_id() % period == static_cast<int>(blockIdx.y);
  __device__ takes_branch() {}
};

// Both ways have their own work; lanes that part do one after the other.
template <int period>
struct parted : takes_branch<period> {
  __device__ float operator()(float value) const {
    if (this->takes_it) {
      value = work(value) + 1;
    } else {
      value = work(value * 0.25f);
    }
    return value;
  }
};

// Where lanes do not agree, all take the way that is right for both: the work once, with choices
// around it.
template <int period>
struct voted : takes_branch<period> {
  __device__ float operator()(float value) const {
    if (heddle::warp::all(this->takes_it)) {
      value = work(value) + 1;
    } else {
      value = work(this->takes_it ? value : value * 0.25f) + (this->takes_it ? 1.0f : 0.0f);
    }
    return value;
  }
};

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
