// Reads the segment ends of one warp's share, batch by batch.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/device/segment/ring.cuh>
#include <heddle/device/segment/split.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

// A batch holds one end per lane, counted from the base of the share's values. A segment before the
// share's first has end -1, one after its last has `none`. The current batch stays in registers
// until it is used up; earlier batches can be read again until they are left.
template <typename Offsets, typename Tuning>
class segment_ends {
 public:
  static constexpr int none = beyond_ring;
  static constexpr int chunks = 4;
  static constexpr int chunk_batches =
      Tuning::end_bytes / (chunks * warp_size * static_cast<int>(sizeof(element_of<Offsets>)));
  static_assert(chunk_batches >= 1, "a chunk of ends has a batch or more");

 private:
  // No cache hint: the search has read some of these, and neighbouring shares meet in a line.
  using ring = warp_ring<Offsets, chunk_batches * warp_size, chunks, warp_size>;

 public:
  using storage = typename ring::storage;
  __device__ static void prepare(storage& shared) { ring::prepare(shared); }

  //   first, last   the value range of the share, counted from `base`
  __device__ segment_ends(const Offsets& offsets, storage& shared, const segment_row& row,
                          const segment_split& begin, const segment_split& end, std::int64_t base,
                          int first, int last)
      : ring_(offsets, shared, begin.segment + 1, end.segment + 1, 0, row.segments + 1),
        base_(base),
        first_value_(first),
        last_value_(last),
        batches_((ring_.last() + warp_size - 1) / warp_size),
        segment_(begin.segment - ring_.first()) {}

  // Starts fetching the first ends.
  __device__ void start() {
#pragma unroll 1
    for (int i = 0; i < chunks; ++i) ring_.fetch(i);
  }

  // The place of the end of the share's first segment, and the segment whose end is at a place.
  [[nodiscard]] __device__ int first_place() const { return ring_.first(); }
  [[nodiscard]] __device__ std::int64_t segment_at(int place) const { return segment_ + place; }

  // The current batch, and the lane's end in it.
  [[nodiscard]] __device__ int batch() const { return batch_; }
  [[nodiscard]] __device__ int end() const { return end_; }
  [[nodiscard]] __device__ bool is_over() const { return !agreed(batch_ < batches_); }
  [[nodiscard]] __device__ int place_in(int batch) const { return batch * warp_size + lane_; }

  // The lane's end in an earlier batch, which is neither the first nor the last.
  [[nodiscard]] __device__ int end_in(int batch) const { return end_at(place_in(batch)); }

  // The last end before the current batch, or before the batches being read again; -1: none.
  [[nodiscard]] __device__ int last_before() const { return last_before_; }
  // The end before the lane's, in the batch that follows last_before().
  [[nodiscard]] __device__ int before(int end) const {
    const int earlier = __shfl_up_sync(all_lanes, end, 1);
    return lane_ == 0 ? last_before_ : earlier;
  }
  // Moves past a batch.
  __device__ void pass(int end) { last_before_ = last_of(end); }
  [[nodiscard]] __device__ static int last_of(int end) {
    return __shfl_sync(all_lanes, end, warp_size - 1);
  }

  // Reads all batches of a chunk at once, starting with the current one.
  [[nodiscard]] __device__ bool has_whole_chunk() const {
    return agreed(batch_ % chunk_batches == 0 &&
                  (batch_ + chunk_batches) * warp_size <= ring_.last());
  }
  __device__ void read_chunk(int (&ends)[chunk_batches]) const {
#pragma unroll
    for (int i = 0; i < chunk_batches; ++i) ends[i] = end_at(place_in(batch_ + i));
  }
  // Moves past them to the first batch of the next chunk.
  //   last        their last end
  __device__ void pass_chunk(int last) {
    const int oldest = batch_;
    last_before_ = last;
    batch_ += chunk_batches;
    read();
    leave(oldest);
  }

  // Makes the next batch the current one. Returns false if there is no room for it until earlier
  // batches are left; it then still has to be read.
  //   oldest      the first batch that has not been left
  [[nodiscard]] __device__ bool advance(int oldest) {
    ++batch_;
    if (batch_ == (chunk_of(oldest) + chunks) * chunk_batches) return false;
    read();
    return true;
  }
  // Reads the current batch.
  __device__ void read() {
    end_ = none;
    if (is_over()) return;
    if (batch_ % chunk_batches == 0) ring_.wait(chunk_of(batch_));
    const int place = place_in(batch_);
    const int end = end_at(place);
    end_ = place < ring_.last() ? end : none;
    if (place < ring_.first()) end_ = -1;
  }
  // Frees the batches before the current one for the next fetches.
  //   oldest      the first batch that has not been left
  __device__ void leave(int oldest) {
    const int first = chunk_of(oldest);
    const int behind = chunk_of(batch_);
    if (first == behind) return;
    __syncwarp();  // all lanes have read their ends
#pragma unroll 1
    for (int chunk = first; chunk < behind; ++chunk) ring_.fetch(chunk + chunks);
  }

 private:
  // The chunk that holds a batch.
  [[nodiscard]] __device__ static int chunk_of(int batch) {
    return static_cast<int>(static_cast<unsigned>(batch) / chunk_batches);
  }
  [[nodiscard]] __device__ int end_at(int place) const {
    const auto end = static_cast<std::int64_t>(ring_.at(place));
    HEDDLE_EXPECTS(place < ring_.first() || place >= ring_.last() ||
                       (end >= base_ + first_value_ && end <= base_ + last_value_),
                   "offsets of segments ascend");
    return static_cast<int>(end - base_);
  }

  ring ring_;
  std::int64_t base_;
  int first_value_;
  int last_value_;
  int batches_;
  std::int64_t segment_;  // whose end is at place 0
  int batch_ = 0;
  int end_ = none;
  int last_before_ = -1;
  int lane_ = lane_id();  // read once: reading it takes as long as a shared load
};

}  // namespace heddle::device::detail
