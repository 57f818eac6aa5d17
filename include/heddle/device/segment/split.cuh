// Divides values and segment ends into shares of equal size, wherever the segments end.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>

#include <cstdint>

namespace heddle::device::detail {

// Values and ends form one row, each end after the last value of its segment: the end of segment s
// is item number (values before it) + s. Shares are equal parts of that row.

// Where a share begins and the previous one ends.
struct segment_split {
  std::int64_t segment;        // the segment of the share's first end
  std::int64_t value;          // the share's first value
  std::int64_t segment_begin;  // of `segment`, which is cut in two if this is less than `value`

  [[nodiscard]] __device__ bool is_inside_segment() const { return segment_begin < value; }
};

// What all threads know about the row.
struct segment_row {
  std::int64_t segments;
  std::int64_t origin;  // the very first value
  std::int64_t final;   // one past the very last value
  std::int64_t share;   // items per share; the last one may have fewer

  [[nodiscard]] __device__ std::int64_t items() const { return segments + (final - origin); }
  // The share that holds the first value of a segment.
  [[nodiscard]] __device__ std::int64_t share_of(std::int64_t segment, std::int64_t begin) const {
    return (begin - origin + segment) / share;
  }
};

// A warp's search for the number of ends before an item. Each step waits for memory, so it reads 32
// ends at once, which divide the remaining range into 33 parts. If many ends remain after the first
// step, the second step guesses the answer as if all segments of the part had the same length, and
// reads ends around the guess at distances that double.
template <typename Offsets>
class split_search {
 public:
  // The first step's loads start before the item is known.
  __device__ split_search(const Offsets& offsets, std::int64_t segments)
      : offsets_(offsets), high_(segments) {
    read();
  }

  //   called by   every lane of the warp, for one item at a time
  [[nodiscard]] __device__ std::int64_t ends_before(std::int64_t item,
                                                    const segment_row& row) const {
    split_search mine = *this;
    mine.narrow(item, row);
    while (mine.low_ < mine.high_) {
      mine.read();
      mine.narrow(item, row);
    }
    return mine.low_;
  }

 private:
  [[nodiscard]] __device__ std::int64_t place() const { return low_ + (lane_id() + 1) * step_ - 1; }
  __device__ void read() {
    step_ = (high_ - low_ + warp_size) / (warp_size + 1);
    if (place() < high_) found_ = static_cast<std::int64_t>(offsets_[place() + 1]);
  }

  // Narrows the range by what has been read.
  __device__ void narrow(std::int64_t item, const segment_row& row) {
    const std::int64_t own_item = found_ - row.origin + place();
    const lane_mask behind = __ballot_sync(all_lanes, place() >= high_ || own_item >= item);
    const int parts = behind == 0 ? warp_size : first_lane(behind);
    const std::int64_t top = low_ + (parts + 1) * step_ - 1;
    low_ += parts * step_;
    const bool has_top = behind != 0 && top < high_;
    if (has_top) high_ = top;
    if (has_guessed_ || high_ - low_ <= warp_size) return;

    has_guessed_ = true;
    // Items of the remaining segments, and of the one after them if its end was read.
    const std::int64_t begin = parts > 0 ? shuffle(all_lanes, own_item, parts - 1) + 1 : 0;
    const std::int64_t end = has_top ? shuffle(all_lanes, own_item, parts) + 1 : row.items();
    const std::int64_t segments = high_ - low_ + (has_top ? 1 : 0);
    const float each = static_cast<float>(segments) / static_cast<float>(end - begin);
    const auto ahead = static_cast<std::int64_t>(static_cast<float>(item - begin) * each);
    look_around(low_ + ahead, item, row);
  }

  __device__ void look_around(std::int64_t guess, std::int64_t item, const segment_row& row) {
    const auto place_of = [guess](int lane) {
      constexpr int half = warp_size / 2;
      return lane < half ? guess - (1 << (half - 1 - lane)) : guess - 1 + (1 << (lane - half));
    };
    const std::int64_t own = place_of(lane_id());
    bool is_behind = own >= high_;
    if (own >= low_ && own < high_) {
      is_behind = static_cast<std::int64_t>(offsets_[own + 1]) - row.origin + own >= item;
    }
    const lane_mask behind = __ballot_sync(all_lanes, is_behind);
    const int above = behind == 0 ? warp_size : first_lane(behind);
    if (above > 0 && place_of(above - 1) >= low_) low_ = place_of(above - 1) + 1;
    if (above < warp_size && place_of(above) < high_) high_ = place_of(above);
  }

  const Offsets& offsets_;
  std::int64_t low_ = 0;  // the answer is low_ … high_
  std::int64_t high_;
  std::int64_t step_ = 1;
  std::int64_t found_ = 0;  // the end of the segment at the lane's place
  bool has_guessed_ = false;
};

// If all values of a segment lie before the split, its end does too.
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

// What a warp knows about the row, and where shares begin.
template <typename Offsets>
class segment_splits {
 public:
  //   called by   every lane of the warp, as all members below
  //   shares      over all warps of the grid
  //   least       items per share, so that small inputs are not scattered
  __device__ segment_splits(const Offsets& offsets, std::int64_t segments, std::int64_t shares,
                            std::int64_t least)
      : offsets_(offsets),
        search_(offsets, segments),
        row_{segments, static_cast<std::int64_t>(offsets[0]),
             static_cast<std::int64_t>(offsets[segments]), 0} {
    HEDDLE_EXPECTS(row_.origin <= row_.final, "the offsets of segments must ascend");
    row_.share = (row_.items() + shares - 1) / shares;
    if (row_.share < least) row_.share = least;
  }

  [[nodiscard]] __device__ const segment_row& row() const { return row_; }

  // Where a share begins and the previous one ends.
  [[nodiscard]] __device__ segment_split before(std::int64_t share) const {
    const std::int64_t items = row_.items();
    const std::int64_t item = share * row_.share < items ? share * row_.share : items;
    return split_after(offsets_, row_, item, search_.ends_before(item, row_));
  }

 private:
  const Offsets& offsets_;
  split_search<Offsets> search_;
  segment_row row_;
};

}  // namespace heddle::device::detail
