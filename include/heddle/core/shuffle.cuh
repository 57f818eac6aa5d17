// Shuffles for any trivially copyable type: one instruction for every four bytes.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/words.cuh>

namespace heddle {

// The contract of all five:
//   called by   every lane of `members`, with the same `width`
//   result in   each caller: the value of its source lane, which must be a member
//   width       1, 2, 4, 8, 16 or 32: lanes read within aligned sections of this many lanes
//   cost        one shuffle for every four bytes

// Reads from lane `source` of the caller's section, modulo `width`.
template <exchangeable T>
[[nodiscard]] __device__ inline T shuffle(lane_mask members, T value, int source,
                                          int width = warp_size) {
  detail::words_of<T> moved(value);
#pragma unroll
  for (auto& word : moved.words) word = __shfl_sync(members, word, source, width);
  return moved.value();
}

// Reads from the lane `distance` below; the first `distance` lanes of a section keep their own
// value.
template <exchangeable T>
[[nodiscard]] __device__ inline T shuffle_up(lane_mask members, T value, int distance,
                                             int width = warp_size) {
  detail::words_of<T> moved(value);
#pragma unroll
  for (auto& word : moved.words) {
    word = __shfl_up_sync(members, word, static_cast<unsigned>(distance), width);
  }
  return moved.value();
}

// shuffle_up() within the lanes from `first` on; the first `distance` of them keep their own value.
// CUDA's function supports aligned sections only; the instruction takes any first lane.
template <exchangeable T>
[[nodiscard]] __device__ inline T shuffle_up_from(int first, lane_mask members, T value,
                                                  int distance) {
  detail::words_of<T> moved(value);
#pragma unroll
  for (auto& word : moved.words) {
    asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, %4;"
                 : "=r"(word)
                 : "r"(word), "r"(distance), "r"(first), "r"(members));
  }
  return moved.value();
}

// Reads from the lane `distance` above; the last `distance` lanes of a section keep their own
// value.
template <exchangeable T>
[[nodiscard]] __device__ inline T shuffle_down(lane_mask members, T value, int distance,
                                               int width = warp_size) {
  detail::words_of<T> moved(value);
#pragma unroll
  for (auto& word : moved.words) {
    word = __shfl_down_sync(members, word, static_cast<unsigned>(distance), width);
  }
  return moved.value();
}

// Reads from the lane whose number differs in exactly the bits of `distance`.
template <exchangeable T>
[[nodiscard]] __device__ inline T shuffle_xor(lane_mask members, T value, int distance,
                                              int width = warp_size) {
  detail::words_of<T> moved(value);
#pragma unroll
  for (auto& word : moved.words) word = __shfl_xor_sync(members, word, distance, width);
  return moved.value();
}

}  // namespace heddle
