// Tries a shuffle mode with every width and operand under a mask, for shuffle_*.cu.
#pragma once
#include "conformance.hpp"
#include "values.cuh"

namespace conformance {

enum class mode { index, up, down, exclusive };

template <mode Mode, typename T>
__device__ T shuffle(unsigned mask, T value, int operand, int width) {
  if constexpr (Mode == mode::index)
    return __shfl_sync(mask, value, operand, width);
  else if constexpr (Mode == mode::up)
    return __shfl_up_sync(mask, value, operand, width);
  else if constexpr (Mode == mode::down)
    return __shfl_down_sync(mask, value, operand, width);
  else
    return __shfl_xor_sync(mask, value, operand, width);
}

// The lane that a shuffle reads: itself if the source is out of range (PTX ISA, shfl.sync).
template <mode Mode>
__device__ int source_lane(int lane, int operand, int width) {
  const int first = lane & ~(width - 1);
  const int last = first + width - 1;
  const int distance = operand & 31;
  if constexpr (Mode == mode::index)
    return first + (operand & (width - 1));
  else if constexpr (Mode == mode::up)
    return lane - distance < first ? lane : lane - distance;
  else if constexpr (Mode == mode::down)
    return lane + distance > last ? lane : lane + distance;
  else
    return (lane ^ distance) > last ? lane : lane ^ distance;
}

// Makes a value of any type from 64 well-mixed bits; results are compared bit by bit.
template <typename T>
__device__ T value_from(unsigned long long bits) {
  T value;
  memcpy(&value, &bits, sizeof(T));
  return value;
}
template <typename T>
__device__ unsigned long long bits_of(T value) {
  unsigned long long bits = 0;
  memcpy(&bits, &value, sizeof(T));
  return bits;
}

inline constexpr int shuffle_widths = 6, shuffle_operands = 36, shuffle_blocks = 2;
inline constexpr int shuffle_threads = 64;

// Stores only results of source lanes in the mask; the others are undefined and stay poisoned.
template <mode Mode, typename T>
__global__ void shuffle_everything(unsigned mask, unsigned long long* results) {
  const int lane = lane_id();
  const T mine = value_from<T>(mix64(rank_in_grid() + 7));
  if (!names(mask, lane)) return;
  for (int power = 0; power < shuffle_widths; ++power) {
    for (int operand = 0; operand < shuffle_operands; ++operand) {
      const T got = shuffle<Mode, T>(mask, mine, operand, 1 << power);
      const int row = (power * shuffle_operands + operand) * shuffle_blocks + blockIdx.x;
      if (names(mask, source_lane<Mode>(lane, operand, 1 << power)))
        results[row * shuffle_threads + threadIdx.x] = bits_of(got);
    }
  }
}

// Prints one line per width with the results of all operands, blocks and lanes.
template <mode Mode, typename T>
void show_shuffles(unsigned mask) {
  constexpr int per_width = shuffle_operands * shuffle_blocks * shuffle_threads;
  const buffer<unsigned long long> results(shuffle_widths * per_width);
  shuffle_everything<Mode, T><<<shuffle_blocks, shuffle_threads>>>(mask, results);
  const std::vector<unsigned long long> all = results.read();
  for (int power = 0; power < shuffle_widths; ++power) {
    const std::string label =
        "mask " + std::to_string(mask) + " width " + std::to_string(1 << power);
    const auto first = all.begin() + power * per_width;
    show(label.c_str(), std::vector<unsigned long long>(first, first + per_width));
  }
}

// Stores what each lane of one warp reads, for one width and one operand.
template <mode Mode>
__global__ void shuffle_lanes(int operand, int width, int* results) {
  results[threadIdx.x] = shuffle<Mode, int>(full_mask, 100 + threadIdx.x, operand, width);
}
template <mode Mode>
void show_sources(int operand, int width) {
  const buffer<int> results(32);
  shuffle_lanes<Mode><<<1, 32>>>(operand, width, results);
  show(("operand " + std::to_string(operand) + " width " + std::to_string(width)).c_str(), results);
}

}  // namespace conformance
