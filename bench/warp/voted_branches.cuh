// A branch: plain, joined by a vote, and skipped by a vote.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/warp/vote.cuh>

namespace heddle_bench {

// Enough work to be worth a branch: a chain of 32 multiplications and additions.
__device__ inline float work(float value) {
  float result = value;
#pragma unroll
  for (int i = 0; i < 32; ++i) result = result * 0.5f + value;
  return result;
}

// Every `period`-th lane takes the first way; none if `period` is 0. The choice is fixed, or it
// depends on data. The compiler may evaluate a fixed choice once, before the surrounding loop. Then
// lanes run a separate loop for each way, and meet only in votes.
template <int period, bool by_data = false>
struct takes_branch {
  int own = period == 0 ? heddle::lane_id() + 1 : heddle::lane_id() % (period == 0 ? 1 : period);
  // blockIdx.y is 0, but the compiler does not know that.
  bool takes_it = own == static_cast<int>(blockIdx.y);
  __device__ takes_branch() {}

  __device__ bool takes(float value) const {
    if constexpr (by_data) {
      // No value is negative, so this adds 0.
      return own + (__float_as_int(value) >> 31) == static_cast<int>(blockIdx.y);
    } else {
      return takes_it;
    }
  }
};

// Each way has its own work; if lanes diverge, the warp does one after the other.
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

// If lanes do not agree, all take code that is right for both ways: it does the work once and
// selects the operands.
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

// One way has work, the other has none.
template <int period, bool by_data = false>
struct lone : takes_branch<period, by_data> {
  __device__ float operator()(float value) const {
    const bool takes_it = this->takes(value);
    if (takes_it) value = work(value);
    return value;
  }
};

// The vote that textbooks recommend: the warp skips the work if no lane has any.
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
