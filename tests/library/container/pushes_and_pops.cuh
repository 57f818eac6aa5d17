// Operations for the tests of queues and stacks: both have try_push() and try_pop().
#pragma once
#include <heddle/core/lane.cuh>

namespace heddle_test {

// Its size differs from any word's, and a torn value is easy to recognise.
struct parcel {
  unsigned number;
  unsigned copies[4];
  __host__ __device__ parcel(unsigned n = 0) : number(n), copies{n + 1, n + 2, n + 3, ~n} {}
  __host__ __device__ operator unsigned() const {
    return copies[0] == number + 1 && copies[1] == number + 2 && copies[2] == number + 3 &&
                   copies[3] == ~number
               ? number
               : 0xdeadbeef;
  }
};

// One lane follows a program of pushes (a number) and pops (-1), and records each result: the
// value, or -1 for none.
template <typename View>
__global__ void follow(View values, const int* steps, int count, int* answers) {
  using value_type = typename View::value_type;
  for (int i = 0; i < count; ++i) {
    if (steps[i] >= 0) {
      answers[i] = values.try_push(value_type(static_cast<unsigned>(steps[i]))) ? steps[i] : -1;
    } else {
      value_type value{};
      answers[i] = values.try_pop(value) ? static_cast<int>(static_cast<unsigned>(value)) : -1;
    }
  }
}

// Some lanes of a warp push their number + 100 together, then some pop; 0 means none.
template <typename View>
__global__ void push_and_pop_together(View values, heddle::lane_mask pushing,
                                      heddle::lane_mask popping, unsigned* pushed,
                                      unsigned* popped) {
  using value_type = typename View::value_type;
  const unsigned lane = threadIdx.x;
  pushed[lane] = values.try_push(value_type(lane + 100), pushing >> lane & 1, heddle::all_lanes);
  value_type value{};
  popped[lane] = values.try_pop(value, popping >> lane & 1, heddle::all_lanes)
                     ? static_cast<unsigned>(value)
                     : 0;
}

// Every thread pushes its numbers and pops as many, as soon as there is room or a value. Counts
// each number that came out.
template <typename View>
__global__ void trade(View values, int per_thread, bool together, unsigned* seen,
                      unsigned* strangers) {
  using value_type = typename View::value_type;
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const heddle::lane_mask members =
      together ? heddle::all_lanes : heddle::lane_mask{1} << threadIdx.x % 32;
  int to_push = per_thread, to_pop = per_thread;
  for (;;) {
    const bool is_done = to_push == 0 && to_pop == 0;
    if (together ? __all_sync(heddle::all_lanes, is_done) != 0 : is_done) return;
    const unsigned number = static_cast<unsigned>(per_thread - to_push) * threads + thread;
    if (values.try_push(value_type(number), to_push > 0, members)) --to_push;
    value_type value{};
    if (values.try_pop(value, to_pop > 0, members)) {
      --to_pop;
      const auto out = static_cast<unsigned>(value);
      if (out < threads * static_cast<unsigned>(per_thread)) {
        atomicAdd(seen + out, 1u);
      } else {
        atomicAdd(strangers, 1u);
      }
    } else if (to_pop > 0) {
      __nanosleep(50);
    }
  }
}

}  // namespace heddle_test
