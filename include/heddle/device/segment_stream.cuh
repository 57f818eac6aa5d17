// One warp's way through its share of values and segment ends.
#pragma once
#include <heddle/core/vector_access.cuh>
#include <heddle/device/segment_problem.cuh>
#include <heddle/device/segment_rows.cuh>
#include <heddle/device/segment_split.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

template <typename Problem, typename Tuning>
class segment_stream {
 public:
  using element = typename Problem::element;
  using value = typename Problem::value;
  static constexpr bool is_pointer = std::is_pointer_v<decltype(Problem::values)>;
  using tile = warp_tile<element, value, is_pointer, Tuning::lane_bytes>;
  using scratch = stream_scratch<value, tile>;

  //   row, share    in shared memory
  __device__ segment_stream(const Problem& problem, const segment_row& row,
                            stream_share<value>& share, scratch& shared)
      : problem_(problem),
        row_(row),
        share_(share),
        shared_(shared),
        base_(share.begin.value - past_boundary(share.begin.value)),
        ends_(static_cast<std::uint32_t>(share.end.segment - share.begin.segment)),
        first_(static_cast<int>(share.begin.value - base_)),
        last_(static_cast<int>(share.end.value - base_)) {
    HEDDLE_EXPECTS(share.end.value - base_ < none && share.end.segment - share.begin.segment < none,
                   "a warp's share has fewer than 2^31 values and segments");
    if constexpr (tile::fills_vectors) {
      // The last tile that may be read in vectors; the first one, if values before it are not
      // there.
      const std::int64_t until = row.final - base_ - tile::items;
      whole_until_ = until < none ? static_cast<int>(until) : none;
      whole_from_ = base_ < row.origin ? tile::items : 0;
      if (reinterpret_cast<std::uintptr_t>(problem.values + base_) % vector_bytes != 0) {
        whole_until_ = -1;
      }
    }
  }

  // Writes the results of all segments that end in the share but for one: the first, if it has
  // begun before.
  //   called by   every lane of the warp
  //   result in   memory, and the share's parts, which lane 0 writes
  __device__ void run() {
    for (int i = lane_id() * 4; i < static_cast<int>(sizeof(shared_.begins)); i += 4 * warp_size) {
      *reinterpret_cast<std::uint32_t*>(shared_.begins + i) = 0;
    }
    if (first_ == last_) {
      // No values: only empty segments.
      write_crowd(0, ends_, 0, -1, none - 1);
      return;
    }
    element raw[tile::rows][tile::vector];
    load(0, raw);
    read_window(0);
    __syncwarp();
    for (int at = 0; at < last_; at += tile::items) {
      const bool is_last = at + tile::items >= last_;
      // Ends in low + 1 … high are this tile's.
      const int low = at == 0 ? -1 : at;
      const int high = is_last ? none - 1 : at + tile::items;
      const std::uint32_t window = window_;
      const bool has_end = mark(at, low, high);
      value values[tile::rows][tile::vector];
#pragma unroll
      for (int row = 0; row < tile::rows; ++row) {
#pragma unroll
        for (int i = 0; i < tile::vector; ++i) values[row][i] = static_cast<value>(raw[row][i]);
      }
      const bool is_scanned = has_end || is_last || (at == 0 && first_ > 0);
      if (is_scanned) {
        // What stands before the share's first value is a segment that nobody wants.
        if (at == 0 && lane_id() == 0) shared_.begins[first_] = 1;
        // And so is what stands behind its last.
        if (is_last && lane_id() == 0) shared_.begins[last_ - at] = 1;
        __syncwarp();  // all begins are marked
        scan(values);
      } else {
        append(values);
      }
      __syncwarp();  // all sums are there, and begins are clear
      if (!is_last) load(at + tile::items, raw);
      if (is_scanned) {
        if (window == window_) {
          write_results(window, begin_of(window), window_ends_, at, low, high);
        } else {
          write_crowd(window, window_, at, low, high);
        }
      }
      if (is_last && lane_id() == 0) share_.last() = sums()[last_ - 1 - at];
    }
  }

 private:
  static constexpr int none = 0x7fffffff;
  static constexpr int batches = Tuning::batches;
  static constexpr int crowd = Tuning::crowd;

  [[nodiscard]] __device__ value* sums() { return reinterpret_cast<value*>(shared_.sums); }

  // Values between the last boundary of 16 bytes and that one.
  [[nodiscard]] __device__ std::int64_t past_boundary(std::int64_t at) const {
    if constexpr (tile::fills_vectors) {
      const auto address = reinterpret_cast<std::uintptr_t>(problem_.values + at);
      return static_cast<std::int64_t>(address % vector_bytes / sizeof(element));
    } else {
      return 0;
    }
  }

  // The values of a tile. Where the tile reaches beyond all segments, the nearest value stands in
  // the place of those that are not there.
  __device__ void load(int at, element (&raw)[tile::rows][tile::vector]) const {
    const int mine = at + lane_id() * tile::vector;
    if constexpr (tile::fills_vectors) {
      if (at >= whole_from_ && at <= whole_until_) {
        const element* const from = problem_.values + (base_ + mine);
#pragma unroll
        for (int row = 0; row < tile::rows; ++row) {
          const auto bits = load_vector<Tuning::hint>(from + row * tile::row_items);
#pragma unroll
          for (int i = 0; i < tile::vector; ++i) raw[row][i] = bits.values[i];
        }
        return;
      }
    }
#pragma unroll
    for (int row = 0; row < tile::rows; ++row) {
#pragma unroll
      for (int i = 0; i < tile::vector; ++i) {
        std::int64_t index = base_ + mine + row * tile::row_items + i;
        if (index < row_.origin) index = row_.origin;
        if (index >= row_.final) index = row_.final - 1;
        raw[row][i] = problem_.values[index];
      }
    }
  }

  // Where segment `number` of the share begins, counted from base_; -1: before.
  [[nodiscard]] __device__ int begin_of(std::uint32_t number) const {
    const auto begin = static_cast<std::int64_t>(problem_.offsets[share_.begin.segment + number]);
    return begin < base_ ? -1 : static_cast<int>(begin - base_);
  }

  // The ends of the segments from `number` of the share on, counted from base_: lane i of batch j
  // has number + 32 j + i.
  template <int count>
  __device__ void read_ends(std::uint32_t number, int (&ends)[count]) const {
    const std::int64_t mine = share_.begin.segment + number + lane_id();
#pragma unroll
    for (int batch = 0; batch < count; ++batch) {
      ends[batch] = none;
      if (number + batch * warp_size + lane_id() < ends_) {
        const auto end = static_cast<std::int64_t>(problem_.offsets[mine + batch * warp_size + 1]);
        HEDDLE_EXPECTS(end >= base_ + first_ && end <= base_ + last_, "offsets of segments ascend");
        ends[batch] = static_cast<int>(end - base_);
      }
    }
  }
  // The window: ends of tiles to come, which stay in registers until they are used.
  __device__ void read_window(std::uint32_t number) {
    window_ = number;
    read_ends(number, window_ends_);
  }

  // Marks where segments begin. Says in each lane whether one of its ends is the tile's.
  template <int count>
  [[nodiscard]] __device__ bool mark_ends(const int (&ends)[count], int at, int low, int high) {
    bool has_end = false;
#pragma unroll
    for (int batch = 0; batch < count; ++batch) {
      const bool is_in = ends[batch] > low && ends[batch] <= high;
      has_end = has_end || is_in;
      if (is_in) shared_.begins[ends[batch] - at] = 1;
    }
    return has_end;
  }

  // Marks where segments begin in a tile and says whether any ends there. Afterwards the window has
  // an end that is not the tile's, or there is no more.
  [[nodiscard]] __device__ bool mark(int at, int low, int high) {
    const bool has_end = mark_ends(window_ends_, at, low, high);
    if (!__all_sync(all_lanes, window_ends_[batches - 1] <= high)) {
      return __any_sync(all_lanes, has_end);
    }
    // Many ends: more of them are read at once.
    std::uint32_t number = window_ + batches * warp_size;
    int taken = crowd * warp_size;
    while (taken == crowd * warp_size) {
      int ends[crowd];
      read_ends(number, ends);
      static_cast<void>(mark_ends(ends, at, low, high));
      taken = 0;
#pragma unroll
      for (int batch = 0; batch < crowd; ++batch) {
        taken += count(__ballot_sync(all_lanes, ends[batch] <= high));
      }
      number += static_cast<std::uint32_t>(taken);
    }
    read_window(number);
    return true;
  }

  // A tile in which no segment ends.
  __device__ void append(const value (&values)[tile::rows][tile::vector]) {
    if constexpr (commutes<op_type, value>) {
      pending_.append(fold_lane(values, problem_.op), problem_.op);
    } else {
      const value total = reduce_items(values, problem_.op);
      open_.append(shuffle(all_lanes, total, 0), problem_.op);
    }
  }

  // A tile in which segments end: brings to `sums` what each makes, at the place of its last value.
  __device__ void scan(value (&values)[tile::rows][tile::vector]) {
    if constexpr (commutes<op_type, value>) {
      if (pending_.exists) {
        open_.append(warp::reduce(pending_.value, problem_.op), problem_.op);
        pending_.exists = false;
      }
    }
    std::uint32_t begins[tile::rows];
#pragma unroll
    for (int row = 0; row < tile::rows; ++row) {
      std::uint8_t* const mine = shared_.begins + row * tile::row_items + lane_id() * tile::vector;
      begins[row] = bits_of_bytes<tile::vector>(mine);
      clear_bytes<tile::vector>(mine);
    }
    int next_begins = 0;
    if (lane_id() == 0) {
      next_begins = shared_.begins[tile::items];
      shared_.begins[tile::items] = 0;
    }
    next_begins = __shfl_sync(all_lanes, next_begins, 0);
    scan_segment_rows(values, begins, open_, problem_.op);
#pragma unroll
    for (int row = 0; row < tile::rows; ++row) {
      write_neighbours(sums() + row * tile::row_items + lane_id() * tile::vector, values[row]);
    }
    open_.exists = next_begins == 0;
  }

  // The results of those segments from `number` on that end in the tile.
  //   before      where the first of them begins
  template <int count>
  __device__ void write_results(std::uint32_t number, int before, const int (&ends)[count], int at,
                                int low, int high) {
#pragma unroll
    for (int batch = 0; batch < count; ++batch) {
      const int end = ends[batch];
      const int earlier = __shfl_up_sync(all_lanes, end, 1);
      const int begin = lane_id() == 0 ? before : earlier;
      before = __shfl_sync(all_lanes, end, warp_size - 1);
      if (end > low && end <= high) {
        const std::uint32_t mine = number + batch * warp_size + lane_id();
        const bool is_empty = begin == end;
        value total = problem_.initial;
        if (!is_empty) total = sums()[end - 1 - at];
        if (mine == 0 && share_.begin.is_inside_segment()) {
          share_.first() = total;
        } else {
          problem_.write(share_.begin.segment + mine, total, is_empty);
        }
      }
      if (before > high) break;
    }
  }
  // The same for numbers `number` … behind - 1, whose ends are read again.
  __device__ void write_crowd(std::uint32_t number, std::uint32_t behind, int at, int low,
                              int high) {
    for (; number < behind; number += crowd * warp_size) {
      int ends[crowd];
      const int before = begin_of(number);
      read_ends(number, ends);
      write_results(number, before, ends, at, low, high);
    }
  }

  using op_type = std::remove_const_t<decltype(Problem::op)>;

  const Problem& problem_;
  const segment_row& row_;
  stream_share<value>& share_;
  scratch& shared_;
  std::int64_t base_;   // where tiles begin: the share's first value or a few before it
  std::uint32_t ends_;  // how many segments end in the share
  int first_;           // the share's values, counted from base_
  int last_;
  int whole_from_ = 0;  // tiles in between are read in vectors
  int whole_until_ = -1;
  open_segment<value> open_;     // which has begun before the tile, in the share
  open_segment<value> pending_;  // the same of tiles without ends, lane by lane
  std::uint32_t window_ = 0;     // the first number in the window
  int window_ends_[batches];
};

}  // namespace heddle::device::detail
