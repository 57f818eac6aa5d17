// Lanes follow programs of operations on one object and record what happened when.
#pragma once
#include <heddle/core/mask.cuh>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../support/linearizability.hpp"
#include "support/on_device.cuh"

namespace heddle_test {

// The object defines the meaning of the words.
struct step {
  unsigned words[3];
};
struct record {
  unsigned words[2];
  unsigned long long invoked, returned;
};

// Where the lanes are: the first lanes of each warp take part.
struct formation {
  unsigned blocks, warps, lanes_of_warp;
  [[nodiscard]] unsigned lanes() const { return blocks * warps * lanes_of_warp; }
  [[nodiscard]] unsigned threads() const {
    return (warps - 1) * static_cast<unsigned>(heddle::warp_size) + lanes_of_warp;
  }
};
inline std::string text_of(const formation& where) {
  return std::to_string(where.blocks) + " blocks of " + std::to_string(where.warps) +
         " warps with " + std::to_string(where.lanes_of_warp) + " lanes each\n";
}

// A moment after everything that this lane has done and seen, and before what it does next. Lanes
// with later moments see what it has done.
__device__ inline unsigned long long next_moment(unsigned long long* clock) {
  __threadfence();
  const unsigned long long mine = atomicAdd(clock, 1ull);
  __threadfence();
  return mine;
}

// `object(step, members)` performs a step and returns the words of its result. `together`: the
// members are all lanes of the warp that take part; otherwise each lane is alone.
template <typename Object>
__global__ void follow_programs(Object object, formation where, bool together, int steps_of_lane,
                                const step* steps, record* records, unsigned long long* clock) {
  const unsigned lane = threadIdx.x % static_cast<unsigned>(heddle::warp_size);
  const unsigned warp = threadIdx.x / static_cast<unsigned>(heddle::warp_size);
  if (lane >= where.lanes_of_warp) return;
  const heddle::lane_mask members =
      together ? heddle::all_lanes >> (heddle::warp_size - static_cast<int>(where.lanes_of_warp))
               : heddle::lane_mask{1} << lane;
  const unsigned number = (blockIdx.x * where.warps + warp) * where.lanes_of_warp + lane;
  for (int i = 0; i < steps_of_lane; ++i) {
    const unsigned at = number * static_cast<unsigned>(steps_of_lane) + static_cast<unsigned>(i);
    record mine{};
    mine.invoked = next_moment(clock);
    object(steps[at], members, mine.words);
    mine.returned = next_moment(clock);
    records[at] = mine;
  }
}

// The records of all lanes, in the order of lanes and steps.
template <typename Object>
std::vector<record> recorded(const Object& object, const formation& where, bool together,
                             const std::vector<step>& steps) {
  const int steps_of_lane = static_cast<int>(steps.size() / where.lanes());
  const device_array<step> programs(steps);
  const device_array<record> records(steps.size());
  const device_array<unsigned long long> clock(std::vector<unsigned long long>{0});
  const unsigned blocks = where.blocks, threads = where.threads();
  follow_programs<<<blocks, threads>>>(object, where, together, steps_of_lane, programs.data(),
                                       records.data(), clock.data());
  check(cudaGetLastError(), "the launch");
  check(cudaDeviceSynchronize(), "the kernel");
  return records.values();
}

// The history of these records; `translate` turns the words of a step and of a record into a call
// and its result.
template <typename Operation, typename Translate>
std::vector<Operation> history_of(const std::vector<step>& steps,
                                  const std::vector<record>& records, unsigned lanes,
                                  Translate translate) {
  std::vector<Operation> history;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Operation one = translate(steps[i], records[i]);
    one.lane = static_cast<unsigned>(i / (steps.size() / lanes));
    one.invoked = records[i].invoked;
    one.returned = records[i].returned;
    history.push_back(one);
  }
  return history;
}

// Two to six lanes: in one warp, in two warps, in two blocks, or in both.
inline formation random_formation(std::mt19937& random) {
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  switch (below(4)) {
    case 0:
      return {1, 1, 2 + below(3)};
    case 1:
      return {1, 2, 1 + below(2)};
    case 2:
      return {2, 1, 1 + below(3)};
    default:
      return {2, 2, 1};
  }
}

}  // namespace heddle_test
