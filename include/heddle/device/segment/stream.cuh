// Reduces one warp's share of values and segment ends.
#pragma once
#include <heddle/device/segment/ends.cuh>
#include <heddle/device/segment/problem.cuh>
#include <heddle/device/segment/split.cuh>
#include <heddle/device/segment/tile.cuh>
#include <heddle/device/segment/values.cuh>
#include <heddle/warp/reduce.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

// Values and ends arrive in shared memory asynchronously, each through its own ring. The warp goes
// tile by tile: it marks where segments begin and scans, and each lane that has an end takes the
// result from the place before it. A tile with more ends than the ring holds is scanned repeatedly,
// each time for as many ends as have arrived. Tiles of short segments are not scanned.
template <typename Problem, typename Tuning>
class segment_stream {
 public:
  using value = typename Problem::value;
  using tile = warp_tile<static_cast<int>(sizeof(typename Problem::element)), Tuning::vectors>;

 private:
  using op_type = std::remove_const_t<decltype(Problem::op)>;
  using all_values = segment_values<std::remove_const_t<decltype(Problem::values)>, value, Tuning>;
  using ends = segment_ends<std::remove_const_t<decltype(Problem::offsets)>, Tuning>;
  // Sums overwrite the values they are made of, if both have the same type.
  static constexpr bool sums_in_place = std::is_same_v<value, typename Problem::element>;

 public:
  // The warp's shared memory.
  struct scratch {
    typename all_values::storage values;
    typename ends::storage ends_of_segments;
    static constexpr int alignment = alignof(value) > 16 ? static_cast<int>(alignof(value)) : 16;
    alignas(alignment) unsigned char sums[sums_in_place ? 1 : tile::items * sizeof(value)];
    alignas(16) std::uint8_t begins[tile::marks];  // 1 where a segment begins; all 0 between tiles
  };

  // Initialises the memory; call this first.
  //   called by   every lane of the warp, before __syncthreads()
  __device__ static void prepare(scratch& shared) {
    auto* const words = reinterpret_cast<std::uint32_t*>(shared.begins);
    for (int i = lane_id(); i < tile::marks / 4; i += warp_size) words[i] = 0;
    if (lane_id() == 0) {
      all_values::prepare(shared.values);
      ends::prepare(shared.ends_of_segments);
      order_prepared_barriers();
    }
  }

  //   row, share  in shared memory
  __device__ segment_stream(const Problem& problem, const segment_row& row,
                            stream_share<value>& share, scratch& shared)
      : problem_(problem),
        share_(share),
        shared_(shared),
        values_(problem.values, shared.values, share.begin.value, share.end.value, row.origin,
                row.final),
        ends_(problem.offsets, shared.ends_of_segments, row, share.begin, share.end, values_.base(),
              values_.first(), values_.last()),
        cut_place_(share.begin.is_inside_segment() ? ends_.first_place() : -1) {}

  // Writes the results of all segments that end in the share, except the first if it began earlier.
  //   called by   every lane of the warp
  //   result in   memory, and the share's parts, which the warp leaves for the join
  __device__ void run() {
    ends_.start();
    values_.start();
    ends_.read();
    if (agreed(values_.first() == values_.last())) {
      write_empty();
      return;
    }
    while (true) {
      const int at = values_.at();
      const bool is_first = values_.is_first();
      const bool is_last = values_.is_last();
      // Ends in low + 1 … high belong to this tile.
      const int low = is_first ? -1 : at;
      const int high = is_last ? ends::none - 1 : at + tile::items;
      const handled passed = is_first || is_last ? handled::none : reduce_short_segments(high);
      if (passed != handled::all) {
        const bool is_new = passed == handled::none;
        const int batch = ends_.batch();
        const int end = ends_.end();
        const marked found = mark(at, low, high);
        values_.wait();
        if (agreed(found.any || !is_new || is_last || (is_first && values_.first() > 0))) {
          go_through(low, high, is_last, batch, end, found.all, is_new);
        } else {
          append();
        }
      }
      if (is_last) return;
      values_.advance();
    }
  }

 private:
  // The results of the current tile's segments, each at the place of its last value.
  [[nodiscard]] __device__ value* sums() {
    if constexpr (sums_in_place) {
      return values_.tile_values();
    } else {
      return reinterpret_cast<value*>(shared_.sums);
    }
  }

  // How many of a tile's ends were handled by lanes that each reduced one short segment.
  enum class handled { none, some, all };

  // If segments are short, each lane reduces one and nothing is scanned: batch by batch, as long as
  // all segments of a batch are short enough. After `all` the tile has been left.
  [[nodiscard]] __device__ handled reduce_short_segments(int high) {
    const int at = values_.at();
    for (handled passed = handled::none;; passed = handled::some) {
      if (passed == handled::some && reduce_short_chunk(high)) continue;
      const int end = ends_.end();
      const int before = ends_.before(end);
      // The part of the lane's segment that lies in the tile.
      const int from = before > at ? before : at;
      const int length = (end < high ? end : high) - from;
      if (!__all_sync(all_lanes, length <= Tuning::short_length)) return passed;
      if (passed == handled::none) {
        values_.wait();
        settle(pending_, open_, problem_.op);
      }
      value total = total_of(from - at, length);
      if (before < at && end > at) total = problem_.op(open_.value, total);
      const int batch = ends_.batch();
      if (end > at && end <= high) write_total(ends_.place_in(batch), total, before == end);

      const lane_mask after = __ballot_sync(all_lanes, end > high);
      if (after != 0) {
        const int lane = first_lane(after);
        open_.value = shuffle(all_lanes, total, lane);
        open_.exists = __shfl_sync(all_lanes, static_cast<int>(length > 0), lane) != 0;
        values_.leave();
        return handled::all;
      }
      ends_.pass(end);
      static_cast<void>(ends_.advance(batch));
      ends_.leave(batch);
    }
  }

  // Combines up to short_length values, starting at a place of the tile.
  [[nodiscard]] __device__ value total_of(int place, int length) const {
    value total = problem_.initial;
    if (length > 0) total = values_.value_at(place);
#pragma unroll
    for (int i = 1; i < Tuning::short_length; ++i) {
      if (i < length) total = problem_.op(total, values_.value_at(place + i));
    }
    return total;
  }

  // The same for a whole chunk of ends at a time, which saves most of the instructions. For
  // segments that all begin and end in the tile, after the first of its ends.
  [[nodiscard]] __device__ bool reduce_short_chunk(int high) {
    if (!ends_.has_whole_chunk()) return false;
    int chunk[ends::chunk_batches], begins[ends::chunk_batches];
    ends_.read_chunk(chunk);
    int last = ends_.last_before();
    bool are_short = true;
#pragma unroll
    for (int i = 0; i < ends::chunk_batches; ++i) {
      const int before = __shfl_up_sync(all_lanes, chunk[i], 1);
      begins[i] = lane_id() == 0 ? last : before;
      last = ends::last_of(chunk[i]);
      are_short = are_short && chunk[i] - begins[i] <= Tuning::short_length;
    }
    if (!__all_sync(all_lanes, are_short && last <= high)) return false;
#pragma unroll
    for (int i = 0; i < ends::chunk_batches; ++i) {
      const int length = chunk[i] - begins[i];
      const value total = total_of(begins[i] - values_.at(), length);
      problem_.write(ends_.segment_at(ends_.place_in(ends_.batch() + i)), total, length == 0);
    }
    ends_.pass_chunk(last);
    return true;
  }

  // With empty segments several lanes mark the same place. Volatile stores may collide there, plain
  // ones may not; the instruction is the same.
  __device__ void begin_at(int place) {
    *static_cast<volatile std::uint8_t*>(shared_.begins + tile::mark_of(place)) = 1;
  }

  // Marks where segments begin in a tile.
  //   result      any: at least one was marked. all: the current batch has an end past the tile, or
  //               there are no more ends; otherwise the current batch is still to be read, and may
  //               have ends in the tile
  struct marked {
    bool any;
    bool all;
  };
  [[nodiscard]] __device__ marked mark(int at, int low, int high) {
    const int oldest = ends_.batch();
    const bool is_in = ends_.end() > low && ends_.end() <= high;
    if (is_in) begin_at(ends_.end() - at);
    if (!__all_sync(all_lanes, ends_.end() <= high)) {
      return {__any_sync(all_lanes, is_in) != 0, true};
    }
    while (ends_.advance(oldest)) {
      const bool is_more = ends_.end() <= high;
      if (is_more) begin_at(ends_.end() - at);
      if (!__all_sync(all_lanes, is_more)) return {true, true};
    }
    return {true, false};
  }

  // Processes a tile in which a segment or the share ends.
  //   batch, end  the current ones before the tile
  //   is_whole    all its ends have been marked; otherwise the tile is scanned again
  //   is_new      none of its ends has been handled yet
  __device__ void go_through(int low, int high, bool is_last, int batch, int end, bool is_whole,
                             bool is_new) {
    const int at = values_.at();
    for (;; is_new = false) {
      if (is_whole || !has_only_empty()) {
        mark_cuts(at, is_last, is_new);
        __syncwarp();  // all begins are marked
        scan(is_whole ? tile::items : ends::last_of(ends_.end()) - at, is_whole);
        __syncwarp();  // all sums are written, and begins are cleared
      }
      write_results(batch, end, at, low, high, is_whole);
      ends_.leave(batch);
      if (is_whole) break;
      ends_.read();
      batch = ends_.batch();
      end = ends_.end();
      is_whole = mark(at, low, high).all;
    }
    if (is_last && lane_id() == 0) share_.last() = sums()[values_.last() - 1 - at];
    if constexpr (sums_in_place) {
      order_before_bulk_copies();
      values_.leave();
    }
  }

  // Whether all unwritten segments that end before the current batch are empty.
  [[nodiscard]] __device__ bool has_only_empty() const {
    const int last = ends::last_of(ends_.end());
    return agreed(last == ends_.last_before() || last == values_.first());
  }

  // Also cuts off what does not belong to the share, as segments that nobody reads: values before
  // its first and after its last. If a tile is scanned again, so is everything before the first end
  // that has not been handled.
  __device__ void mark_cuts(int at, bool is_last, bool is_new) {
    if (lane_id() != 0) return;
    if (at < values_.first()) begin_at(values_.first());
    if (is_last) begin_at(values_.last() - at);
    const int seen = ends_.last_before();
    if (!is_new && seen >= at) begin_at(seen - at);
  }

  // Processes a tile in which no segment ends.
  __device__ void append() {
    value values[tile::of_lane];
    values_.read(values);
    values_.leave();
    const value total = fold_lane(values, problem_.op);
    if constexpr (commutes<op_type, value>) {
      pending_.append(total, problem_.op);
    } else {
      open_.append(warp::reduce(total, problem_.op), problem_.op);
    }
  }

  // Scans a tile in which segments end: writes each one's result to `sums`, at the place of its
  // last value.
  //   wanted      how many places of `sums` are written
  //   is_whole    this is the last scan of the tile: what continues past it becomes open
  __device__ void scan(int wanted, bool is_whole) {
    settle(pending_, open_, problem_.op);
    value values[tile::of_lane];
    values_.read(values);
    if constexpr (!sums_in_place) {
      if (is_whole) values_.leave();
    }
    const std::uint32_t begins =
        take_marks<tile::of_lane>(shared_.begins + lane_id() * tile::marks_of_lane);
    std::uint8_t& next = shared_.begins[tile::mark_of(tile::items)];
    const bool next_begins = next != 0;
    const value last = scan_tile(values, begins, sums(), wanted, open_, problem_.op);
    if (is_whole) {
      // If no lane has a begin, the next tile has one at its first value, or there is none.
      open_.value = last;
      open_.exists = !next_begins;
    }
    __syncwarp();  // all lanes have read whether the next tile begins with a segment
    if (lane_id() == 0) next = 0;
  }

  // Writes the results of the segments from `batch` on that end in the tile.
  //   end         the lane's end in that batch
  __device__ void write_results(int batch, int end, int at, int low, int high, bool is_whole) {
    const int before = ends_.before(end);
    if (end > low && end <= high) write(batch, before, end, at);
    if (batch == ends_.batch()) return;
    ends_.pass(end);
    // All ends of the batches in between belong to the tile.
    while (++batch < ends_.batch()) {
      end = ends_.end_in(batch);
      write(batch, ends_.before(end), end, at);
      ends_.pass(end);
    }
    if (!is_whole) return;
    end = ends_.end();
    const int before_last = ends_.before(end);
    if (end <= high) write(batch, before_last, end, at);
  }
  __device__ void write(int batch, int begin, int end, int at) {
    const bool is_empty = begin == end || end == values_.first();
    value total = problem_.initial;
    if (!is_empty) total = sums()[end - 1 - at];
    write_total(ends_.place_in(batch), total, is_empty);
  }
  __device__ void write_total(int place, const value& total, bool is_empty) {
    if (place == cut_place_) {
      share_.first() = total;
    } else {
      problem_.write(ends_.segment_at(place), total, is_empty);
    }
  }

  // Writes the results of a share without values.
  __device__ void write_empty() {
    while (!ends_.is_over()) {
      const int batch = ends_.batch();
      if (ends_.end() >= 0 && ends_.end() != ends::none) {
        problem_.write(ends_.segment_at(ends_.place_in(batch)), problem_.initial, true);
      }
      static_cast<void>(ends_.advance(batch));
      ends_.leave(batch);
    }
  }

  const Problem& problem_;
  stream_share<value>& share_;
  scratch& shared_;
  all_values values_;
  ends ends_;
  int cut_place_;                // place of the end whose segment began before the share; -1: none
  open_segment<value> open_;     // began before the tile, in the share
  open_segment<value> pending_;  // the same for tiles without ends, lane by lane
};

}  // namespace heddle::device::detail
