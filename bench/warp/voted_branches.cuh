// A branch as it is, and joined or skipped by a vote.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/warp/vote.cuh>

namespace heddle_bench {

// Work worth branching over: a chain of 32 multiplications and additions.
__device__ inline float work(float value) {
  float result = value;
#pragma unroll
  for (int i = 0; i < 32; ++i) result = result * 0.5f + value;
  return result;
}

// Every `period`-th lane takes the first way, none if that is 0: for good, or as its data tell.
// What is for good a compiler may decide once, before the loop around: then lanes run a loop for
// each way, and meet in votes only.
template <int period, bool by_data = false>
struct takes_branch {
  int own = period == 0 ? heddle::lane_id() + 1 : heddle::lane_id() % (period == 0 ? 1 : period);
  // The block's number, which is 0, keeps the compiler from knowing the answer.
  bool takes_it = own == static_cast<int>(blockIdx.y);
  __device__ takes_branch() {}

  __device__ bool takes(float value) const {
    if constexpr (by_data) {
      // No value is below 0.
      return own + (__float_as_int(value) >> 31) == static_cast<int>(blockIdx.y);
    } else {
      return takes_it;
    }
  }
};

// Both ways have their own work; lanes that part do one after the other.
template <int period, bool by_data = false>
struct parted : takes_branch<period, by_data> {
  __device__ float operator()(float value) const {
    const bool takes_it = this->takes(value);
    if (takes_it) {
      value = work(value) + 1;
    } else {
      value = work(value * 0.25f);
    }
    return value;
  }
};

// Where lanes do not agree, all take the way that is right for both: the work once, with choices
// around it.
template <int period, bool by_data = false>
struct voted : takes_branch<period, by_data> {
  __device__ float operator()(float value) const {
    const bool takes_it = this->takes(value);
    if (heddle::warp::all(takes_it)) {
      value = work(value) + 1;
    } else {
      value = work(takes_it ? value : value * 0.25f) + (takes_it ? 1.0f : 0.0f);
    }
    return value;
  }
};

// One way has the work, the other has nothing to do.
template <int period, bool by_data = false>
struct lone : takes_branch<period, by_data> {
  __device__ float operator()(float value) const {
    const bool takes_it = this->takes(value);
    if (takes_it) value = work(value);
    return value;
  }
};

// The vote that texts advise: the warp skips the work if no lane has it.
template <int period, bool by_data = false>
struct skipped : takes_branch<period, by_data> {
  __device__ float operator()(float value) const {
    const bool takes_it = this->takes(value);
    if (heddle::warp::any(takes_it)) {
      if (takes_it) value = work(value);
    }
    return value;
  }
};

}  // namespace heddle_bench
