// Where a tile lies in shared memory, and how it is copied there.
#pragma once
#include <heddle/core/bulk_copy.cuh>
#include <heddle/core/lane.cuh>

#include <cstdint>

namespace heddle::device::detail {

// The shape of a pipeline.
//   warps       that scan a tile, one slice each
//   lane_bytes  of input per lane of these warps
//   stages      tiles in shared memory at a time
//   reducers    warps that compute the slices' totals, equally many slices each
//   lookers     warps that look back, in turn: a tile's prefix is often known before that of the
//               tile before it
// Two more warps load and publish.
template <int warps_of_tile, int bytes_of_lane, int stages_of_block, int warps_that_reduce,
          int warps_that_look_back>
struct pipeline_setting {
  static constexpr int warps = warps_of_tile;
  static constexpr int lane_bytes = bytes_of_lane;
  static constexpr int stages = stages_of_block;
  static constexpr int reducers = warps_that_reduce;
  static constexpr int lookers = warps_that_look_back;
  static_assert(warps <= warp_size, "one warp puts together what the slices make");
  static_assert(warps % reducers == 0, "every warp that reduces has as many slices");
  static_assert(lookers <= stages, "every warp that looks back needs a stage for its end");
  static constexpr int slices = warps / reducers;
};

// A stage holds the values of a tile, then its marks. Both keep their offset from a cache line of
// global memory, so that all but their ends can be copied in bulk, and fast.
template <typename Problem, typename Shape>
struct stage_layout {
  static constexpr int round_up(int bytes) {
    return (bytes + bulk_line_bytes - 1) / bulk_line_bytes * bulk_line_bytes;
  }
  // Some marks from before the tile are read along with it.
  static constexpr int lead = Problem::has_marks && Problem::needs_previous
                                  ? round_up(static_cast<int>(sizeof(typename Problem::mark)))
                                  : 0;
  static constexpr int value_bytes = round_up(
      Shape::tile_items * static_cast<int>(sizeof(typename Problem::value)) + bulk_line_bytes);
  static constexpr int mark_bytes =
      Problem::has_marks
          ? round_up(lead + Shape::tile_items * static_cast<int>(sizeof(typename Problem::mark)) +
                     bulk_line_bytes)
          : 0;
  static constexpr int bytes = value_bytes + mark_bytes;
};

// How many bytes an address lies past a boundary.
template <int bytes = bulk_bytes>
[[nodiscard]] __device__ inline int past_boundary(const void* address) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) % bytes);
}

// Copies a run of bytes to shared memory: whole 16-byte units in bulk, the loose ends by lanes.
class run_of_bytes {
 public:
  __device__ run_of_bytes(unsigned char* to, const unsigned char* from, int bytes)
      : to_(to), from_(from), bytes_(bytes) {
    head_ = (bulk_bytes - past_boundary(from)) % bulk_bytes;
    if (head_ > bytes) head_ = bytes;
    tail_ = (bytes - head_) % bulk_bytes;
  }
  [[nodiscard]] __device__ int in_bulk() const { return bytes_ - head_ - tail_; }
  //   called by   one lane
  __device__ void start(shared_barrier& arrived) const {
    if (in_bulk() > 0) bulk_load(to_ + head_, from_ + head_, in_bulk(), arrived);
  }
  //   called by   every lane of the warp
  __device__ void copy_ends() const {
    const int lane = lane_id();
    if (lane < head_) to_[lane] = from_[lane];
    if (lane < tail_) to_[bytes_ - 1 - lane] = from_[bytes_ - 1 - lane];
    if (head_ + tail_ > 0) order_before_bulk_copies();
  }

 private:
  unsigned char* to_;
  const unsigned char* from_;
  int bytes_;
  int head_;
  int tail_;
};

}  // namespace heddle::device::detail
