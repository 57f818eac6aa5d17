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

// Each lane's way for good: every `period`-th lane takes the first.
template <int period>
struct takes_branch {
  // The block's number, which is 0, keeps the compiler from knowing the answer.
  bool takes_it = heddle::lane_id() % period == static_cast<int>(blockIdx.y);
  __device__ takes_branch() {}
};

// No lane takes it, and the compiler does not know that either.
template <>
struct takes_branch<0> {
  bool takes_it = heddle::lane_id() < static_cast<int>(blockIdx.y);
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

// One way has the work, the other has nothing to do.
template <int period>
struct lone : takes_branch<period> {
  __device__ float operator()(float value) const {
    if (this->takes_it) value = work(value);
    return value;
  }
};

// The vote that texts advise: the warp skips the work if no lane has it.
template <int period>
struct skipped : takes_branch<period> {
  __device__ float operator()(float value) const {
    if (heddle::warp::any(this->takes_it)) {
      if (this->takes_it) value = work(value);
    }
    return value;
  }
};

}  // namespace heddle_bench
