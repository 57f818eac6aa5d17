// How the lanes of a warp scan a tile of values in which segments begin.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/core/vector_access.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/scan.cuh>

#include <cstdint>
#include <cstring>

namespace heddle::device::detail {

// How a warp holds a tile: each lane holds neighbours, and lanes follow each other. In shared
// memory each lane has an odd number of vectors, which avoids bank conflicts.
//   vectors     16-byte vectors per lane; fewer for short values
template <int bytes, int vectors>
struct warp_tile {
  static constexpr bool fills_vectors = bytes <= vector_bytes && (bytes & (bytes - 1)) == 0;
  static constexpr int vectors_of_lane = bytes >= 4 ? vectors : bytes == 2 ? 3 : 1;
  static constexpr int wanted = vectors_of_lane * vector_bytes / bytes;
  static constexpr int of_lane = wanted > 1 ? wanted : 1;
  static constexpr int items = of_lane * warp_size;
  // One byte per value, padded to whole words per lane.
  static constexpr int marks_of_lane = (of_lane + 3) / 4 * 4;
  static constexpr int marks = marks_of_lane * warp_size + 4;
  static_assert(vectors % 2 == 1 && of_lane <= 32);

  // The index of a value's mark; the mark of the value after the tile comes last.
  [[nodiscard]] __device__ static int mark_of(int place) {
    if constexpr (marks_of_lane == of_lane) return place;
    return place + place / of_lane * (marks_of_lane - of_lane);
  }
};

// A segment that has begun, combined as far as it is known; the same in every lane.
template <typename T>
struct open_segment {
  T value{};
  bool exists = false;

  template <typename Op>
  __device__ void append(const T& later, const Op& op) {
    value = exists ? op(value, later) : later;
    exists = true;
  }
};

// Moves the lanes' pending parts of a segment into `open`, which precedes them. Operators that do
// not commute leave nothing pending.
//   called by   every lane of the warp
template <typename T, typename Op>
__device__ inline void settle(open_segment<T>& of_lanes, open_segment<T>& open, const Op& op) {
  if constexpr (commutes<Op, T>) {
    if (!agreed(of_lanes.exists)) return;
    open.append(warp::reduce(of_lanes.value, op), op);
    of_lanes.exists = false;
  }
}

// Combines the values of a lane, in order.
template <int count, typename T, typename Op>
[[nodiscard]] __device__ inline T fold_lane(T (&values)[count], const Op& op) {
#pragma unroll
  for (int distance = 1; distance < count; distance *= 2) {
#pragma unroll
    for (int i = 0; i + distance < count; i += 2 * distance) {
      values[i] = op(values[i], values[i + distance]);
    }
  }
  return values[0];
}

// The first `lanes` lanes, 1 … 32, combined in order; the result is in lane 0.
template <typename T, typename Op>
[[nodiscard]] __device__ inline T fold_first_lanes(T value, int lanes, const Op& op) {
  const int lane = lane_id();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const T later = shuffle_down(all_lanes, value, distance);
    value = warp::detail::combine_where(lane + distance < lanes, value, later, value, op);
  }
  return value;
}

// Scans a lane's values inclusively, restarting at each begin.
//   begins      bit i: a segment begins at the i-th value
template <int count, typename T, typename Op>
__device__ inline void scan_lane(T (&values)[count], std::uint32_t begins, const Op& op) {
#pragma unroll
  for (int i = 1; i < count; ++i) {
    const bool goes_on = (begins >> i & 1) == 0;
    values[i] = warp::detail::combine_where(goes_on, values[i - 1], values[i], values[i], op);
  }
}

// The prefix of a lane's first value within its segment.
template <typename T>
struct before_lane {
  T value;
  bool exists;
};

// Finds the lanes' prefixes from their last values.
//   called by   every lane of the warp
//   with_begin  the lanes in which a segment begins
//   open        the segment that continues from before the first lane
//   last        becomes the result of the last lane's last segment, without `open`
//   cost        one shuffle per four bytes, plus one per doubling of the longest run of lanes
//               without a begin
template <typename T, typename Op>
[[nodiscard]] __device__ inline before_lane<T> scan_lanes(T total, lane_mask with_begin,
                                                          const open_segment<T>& open, const Op& op,
                                                          T& last) {
  using warp::detail::combine_where;
  const int lane = lane_id();
  const lane_mask own = lane_mask{1} << lane;
  // Before each step a lane holds the result of up to `distance` lanes ending with itself, as far
  // as they belong to its last segment. Its bit in `reaching` is set if that segment began before
  // them.
  lane_mask reaching = ~with_begin & ~lane_mask{1};
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    if (reaching == 0) break;
    const T earlier = shuffle_up(all_lanes, total, distance);
    total = combine_where((reaching & own) != 0, earlier, total, total, op);
    reaching &= reaching << distance;
  }
  const T of_lanes = shuffle_up(all_lanes, total, 1);
  const bool none_before = (with_begin & (own - 1)) == 0;
  before_lane<T> before{lane == 0 ? open.value : of_lanes, lane > 0 || open.exists};
  before.value =
      combine_where(open.exists && lane > 0 && none_before, open.value, of_lanes, before.value, op);
  last = total;
  return before;
}

// Packs `count` bytes, each 0 or 1, into bits, and clears the bytes.
//   from        aligned to 4, with bytes up to a multiple of 4
template <int count>
[[nodiscard]] __device__ inline std::uint32_t take_marks(std::uint8_t* from) {
  auto* const words = reinterpret_cast<std::uint32_t*>(from);
  std::uint32_t bits = 0;
#pragma unroll
  for (int i = 0; i < (count + 3) / 4; ++i) {
    // The product moves byte j's bit to bit 24 + j; no two partial products overlap.
    bits |= (words[i] * 0x01020408u >> 24 & 0xfu) << (4 * i);
    words[i] = 0;
  }
  return bits;
}

// Reads or writes `count` neighbours in shared memory, in as few accesses as their size allows.
//   aligned to 16 bytes if the total size is a multiple of 16
template <int count, typename T>
__device__ inline void read_run(const T* from, T (&values)[count]) {
  constexpr int bytes = count * static_cast<int>(sizeof(T));
  if constexpr (bytes % vector_bytes == 0) {
#pragma unroll
    for (int i = 0; i < bytes / vector_bytes; ++i) {
      const uint4 word = reinterpret_cast<const uint4*>(from)[i];
      std::memcpy(reinterpret_cast<char*>(values) + i * vector_bytes, &word, vector_bytes);
    }
  } else {
#pragma unroll
    for (int i = 0; i < count; ++i) values[i] = from[i];
  }
}
template <int count, typename T>
__device__ inline void write_run(T* to, const T (&values)[count]) {
  constexpr int bytes = count * static_cast<int>(sizeof(T));
  if constexpr (bytes % vector_bytes == 0) {
#pragma unroll
    for (int i = 0; i < bytes / vector_bytes; ++i) {
      uint4 word;
      std::memcpy(&word, reinterpret_cast<const char*>(values) + i * vector_bytes, vector_bytes);
      reinterpret_cast<uint4*>(to)[i] = word;
    }
  } else {
#pragma unroll
    for (int i = 0; i < count; ++i) to[i] = values[i];
  }
}

// Writes the result of each segment of a tile to `sums`, at the place of its last value.
//   called by   every lane of the warp
//   values      of the lane, in order; overwritten
//   begins      bit i: a segment begins at the lane's i-th value
//   wanted      how many of `sums` are written, from the first on, whether segments end there or
//               not
//   open        the segment that continues from before the tile
//   result in   every lane: the result of the tile's last segment, without `open`
template <int count, typename T, typename Op>
[[nodiscard]] __device__ inline T scan_tile(T (&values)[count], std::uint32_t begins, T* sums,
                                            int wanted, const open_segment<T>& open, const Op& op) {
  scan_lane(values, begins, op);
  T* const mine = sums + lane_id() * count;
  const int wanted_of_lane = wanted - lane_id() * count;
  if (wanted == count * warp_size) {
    write_run(mine, values);
  } else {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (i < wanted_of_lane) mine[i] = values[i];
    }
  }
  const lane_mask with_begin = __ballot_sync(all_lanes, begins != 0);
  T last;
  const auto before = scan_lanes(values[count - 1], with_begin, open, op, last);
  // Of the values before the lane's first begin, only the last one can be needed.
  const int joined = begins == 0 ? count : __ffs(static_cast<int>(begins)) - 1;
  if (before.exists && joined > 0 && joined <= wanted_of_lane) {
    mine[joined - 1] = op(before.value, mine[joined - 1]);
  }
  return shuffle(all_lanes, last, warp_size - 1);
}

}  // namespace heddle::device::detail
