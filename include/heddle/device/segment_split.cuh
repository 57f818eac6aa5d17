// Cuts values and segment ends into shares of the same size, wherever the segments end.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>

#include <cstdint>

namespace heddle::device::detail {

// Values and ends stand in one row, each end behind the last value of its segment: the end of
// segment s is item number (values before it) + s. Shares are equal parts of that row.

// Where a share begins, and the one before it ends.
struct segment_split {
  std::int64_t segment;        // whose end is the first of the share's ends
  std::int64_t value;          // the first of the share's values
  std::int64_t segment_begin;  // of `segment`: it is cut in two if that is less than `value`

  [[nodiscard]] __device__ bool is_inside_segment() const { return segment_begin < value; }
};

// What all threads know of the row.
struct segment_row {
  std::int64_t segments;
  std::int64_t origin;  // the first value of all
  std::int64_t final;   // the one after the last
  std::int64_t share;   // items of a share; the last may have fewer

  [[nodiscard]] __device__ std::int64_t items() const { return segments + (final - origin); }
  // The share that the first value of a segment belongs to.
  [[nodiscard]] __device__ std::int64_t share_of(std::int64_t segment, std::int64_t begin) const {
    return (begin - origin + segment) / share;
  }
};

// One warp's search for the number of ends before an item. A step waits for memory, so it reads 32
// ends at once. The first step's cut all segments into 33 parts. The second's lie around the place
// where the answer is if the segments of the part have the same length: the nearest, and others
// twice as far away each. The steps behind, if there are any, cut what is left into 33 parts again.
template <typename Offsets>
class split_search {
 public:
  // Starts to read before it is known what is looked for.
  __device__ split_search(const Offsets& offsets, std::int64_t segments, bool is_wanted)
      : offsets_(offsets), high_(is_wanted ? segments : 0) {
    read_evenly();
  }

  [[nodiscard]] __device__ bool is_open() const { return low_ < high_; }
  [[nodiscard]] __device__ std::int64_t ends_before() const { return low_; }

  // Looks at what has been read.
  //   called by   every lane of the warp
  __device__ void narrow(std::int64_t item, const segment_row& row) {
    if (!is_open()) return;
    const std::int64_t own = place_of(lane_id());
    const std::int64_t own_item = found_ - row.origin + own;
    const bool is_behind = own >= high_ || (own >= low_ && own_item >= item);
    const lane_mask behind = __ballot_sync(all_lanes, is_behind);
    const int above = behind == 0 ? warp_size : first_lane(behind);
    const bool is_first_step = agreed(high_ == row.segments && low_ == 0 && step_ > 0);
    // The items of segments low_ … low_ + segments - 1 begin with `begin` and end before `end`.
    std::int64_t begin = 0, end = row.items();
    if (above > 0) {
      const std::int64_t below = place_of(above - 1);
      begin = shuffle(all_lanes, own_item, above - 1) + 1;
      low_ = below >= low_ ? below + 1 : low_;
    }
    std::int64_t segments = high_ - low_;
    if (above < warp_size && place_of(above) < high_) {
      end = shuffle(all_lanes, own_item, above) + 1;
      high_ = place_of(above);
      segments = high_ - low_ + 1;
    }
    if (is_first_step && high_ - low_ > warp_size) {
      const float each = static_cast<float>(segments) / static_cast<float>(end - begin);
      read_around(low_ + static_cast<std::int64_t>(static_cast<float>(item - begin) * each));
    } else {
      read_evenly();
    }
  }

 private:
  // The segment whose end a lane reads; they rise from lane to lane.
  [[nodiscard]] __device__ std::int64_t place_of(int lane) const {
    if (step_ > 0) return base_ + (lane + 1) * step_ - 1;
    constexpr int half = warp_size / 2;
    return lane < half ? base_ - (1 << (half - 1 - lane)) : base_ - 1 + (1 << (lane - half));
  }
  __device__ void read_evenly() {
    base_ = low_;
    step_ = (high_ - low_ + warp_size) / (warp_size + 1);
    read();
  }
  __device__ void read_around(std::int64_t place) {
    base_ = place;
    step_ = 0;
    read();
  }
  __device__ void read() {
    const std::int64_t place = place_of(lane_id());
    if (place >= low_ && place < high_) found_ = static_cast<std::int64_t>(offsets_[place + 1]);
  }

  const Offsets& offsets_;
  std::int64_t low_ = 0;  // the answer is low_ … high_
  std::int64_t high_;
  std::int64_t base_ = 0;
  std::int64_t step_ = 0;   // between places; 0: they lie around base_
  std::int64_t found_ = 0;  // the end of the segment at the lane's place
};

// The end of a segment whose values all lie before the split goes with them.
template <typename Offsets>
[[nodiscard]] __device__ inline segment_split split_after(const Offsets& offsets,
                                                          const segment_row& row, std::int64_t item,
                                                          std::int64_t ends) {
  const std::int64_t value = row.origin + item - ends;
  const auto begin = static_cast<std::int64_t>(offsets[ends]);
  const std::int64_t next = ends < row.segments ? ends + 1 : ends;
  const auto end = static_cast<std::int64_t>(offsets[next]);
  const bool is_all_before = begin < end && end == value;
  return {is_all_before ? next : ends, value, is_all_before ? end : begin};
}

// The row and where the caller's warp's share begins and, if `wants_end`, ends.
//   called by   every lane of the warp
//   shares      of all warps of the grid
//   least       items of a share, so that small inputs are not scattered
//   on_row      is told the row as soon as it is known, before the search
template <typename Offsets, typename OnRow>
__device__ inline segment_row split_segments(const Offsets& offsets, std::int64_t segments,
                                             std::int64_t shares, std::int64_t least,
                                             std::int64_t share, bool wants_end,
                                             segment_split& begin, segment_split& end,
                                             OnRow&& on_row) {
  split_search<Offsets> first(offsets, segments, true), second(offsets, segments, wants_end);
  segment_row row{segments, static_cast<std::int64_t>(offsets[0]),
                  static_cast<std::int64_t>(offsets[segments]), 0};
  HEDDLE_EXPECTS(row.origin <= row.final, "offsets of segments ascend");
  const std::int64_t items = row.items();
  row.share = (items + shares - 1) / shares;
  if (row.share < least) row.share = least;
  on_row(row);
  const std::int64_t first_item = share * row.share < items ? share * row.share : items;
  const std::int64_t second_item = first_item + row.share < items ? first_item + row.share : items;
  while (first.is_open() || second.is_open()) {
    first.narrow(first_item, row);
    second.narrow(second_item, row);
  }
  begin = split_after(offsets, row, first_item, first.ends_before());
  if (wants_end) end = split_after(offsets, row, second_item, second.ends_before());
  return row;
}

}  // namespace heddle::device::detail
