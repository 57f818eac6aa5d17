// Cuts values and segment ends into shares of the same size, wherever the segments end.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>

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

// One warp's search for the number of ends before an item: 33 parts instead of two in each step,
// because a step waits for memory.
template <typename Offsets>
class split_search {
 public:
  // Starts to read before it is known what is looked for.
  __device__ split_search(const Offsets& offsets, std::int64_t segments, bool is_wanted)
      : offsets_(offsets), high_(is_wanted ? segments : 0) {
    read();
  }

  [[nodiscard]] __device__ bool is_open() const { return low_ < high_; }
  [[nodiscard]] __device__ std::int64_t ends_before() const { return low_; }

  // Looks at what has been read.
  //   called by   every lane of the warp
  __device__ void narrow(std::int64_t item, std::int64_t origin) {
    if (!is_open()) return;
    const bool is_behind = place() >= high_ || found_ - origin + place() >= item;
    const lane_mask behind = __ballot_sync(all_lanes, is_behind);
    const int parts = behind == 0 ? warp_size : first_lane(behind);
    const std::int64_t top = low_ + (parts + 1) * step_ - 1;
    if (behind != 0 && top < high_) high_ = top;
    low_ += parts * step_;
    read();
  }

 private:
  [[nodiscard]] __device__ std::int64_t place() const { return low_ + (lane_id() + 1) * step_ - 1; }
  __device__ void read() {
    step_ = (high_ - low_ + warp_size) / (warp_size + 1);
    if (is_open() && place() < high_) found_ = static_cast<std::int64_t>(offsets_[place() + 1]);
  }

  const Offsets& offsets_;
  std::int64_t low_ = 0;  // the answer is low_ … high_
  std::int64_t high_;
  std::int64_t step_ = 1;
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
    first.narrow(first_item, row.origin);
    second.narrow(second_item, row.origin);
  }
  begin = split_after(offsets, row, first_item, first.ends_before());
  if (wants_end) end = split_after(offsets, row, second_item, second.ends_before());
  return row;
}

}  // namespace heddle::device::detail
