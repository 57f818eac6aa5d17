// How the warps of a row's blocks put together what each has found.
#pragma once
#include <heddle/core/features.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/device/launch.cuh>

#include <cstdint>

namespace heddle::norm::detail {

inline constexpr int most_warps_of_block = 1024 / warp_size;
inline constexpr int most_blocks_of_row = device::most_blocks_of_cluster;

// A slot in shared memory for every warp of every block of the row; every block has them all.
template <typename Partial>
struct row_slots {
  Partial slots[most_warps_of_block * most_blocks_of_row];
};

// The blocks that have one row: one, or a cluster of them. What their warps have found is put
// together in three steps, publish(), meet() and collect(), between which a thread may do something
// else.
struct row_team {
  int blocks;
  int rank;  // of the caller's block among them

  // To be made before anything slow: the blocks of a cluster wait for each other to have started
  // only when they exchange something.
  __device__ explicit row_team(int blocks_of_row) : blocks(blocks_of_row), rank(0) {
    if constexpr (has_feature<feature::cluster>) {
      if (blocks > 1) {
        rank = device::cluster::block_rank();
        device::cluster::arrive();
      }
    }
  }

  // The row of the caller's blocks, if each has one. Most rows have one block, and spare a
  // division.
  [[nodiscard]] __device__ std::int64_t row() const {
    if (blocks == 1) return blockIdx.x;
    return blockIdx.x / static_cast<unsigned>(blocks);
  }

  // To be called once before the first publish().
  __device__ void wait_for_start() const {
    if constexpr (has_feature<feature::cluster>) {
      if (blocks > 1) device::cluster::wait();
    }
  }

  // Tells all blocks of the row what the caller's warp has found.
  //   called by   every thread of every block of the row; blocks are of whole warps
  //   shared      other slots than in the call before
  //   of_warp     the same in every lane of a warp
  //   cost        as many shared stores as the row has blocks
  template <typename Partial>
  __device__ void publish(const Partial& of_warp, row_slots<Partial>& shared) const {
    if (blocks == 1) {
      if (lane_id() == 0) shared.slots[warp_rank()] = of_warp;
    } else {
      if constexpr (has_feature<feature::cluster>) {
        if (lane_id() < blocks) {
          device::cluster::in_block(shared.slots, lane_id())[rank * warp_count() + warp_rank()] =
              of_warp;
        }
        device::cluster::arrive();
      }
    }
  }

  // Waits until every warp of the row has published.
  //   called by   as publish(), behind it
  //   cost        a barrier of the block, or the second half of one of the cluster
  __device__ void meet() const {
    if (blocks == 1) {
      __syncthreads();
    } else {
      if constexpr (has_feature<feature::cluster>) device::cluster::wait();
    }
  }

  // What all warps of the row have found together.
  //   called by   as publish(), behind meet(); slots may be published to again behind the next one
  //   result in   every thread, bit for bit the same
  //   slot_at     gives slot i, a partial
  //   cost        up to 9 shared loads and what Statistics::of_slots() takes
  template <typename Statistics, typename SlotAt>
  [[nodiscard]] __device__ typename Statistics::partial collect(SlotAt&& slot_at,
                                                                int columns) const {
    const typename Statistics::merge merge;
    constexpr int few = 8;  // for which fewer shuffles do
    const int slots = warp_count() * blocks;
    const typename Statistics::partial first = slot_at(0);
    if (slots <= few) {
      const int own = lane_id() & (few - 1);
      return Statistics::template of_slots<few>(own < slots ? slot_at(own) : Statistics::nothing(),
                                                first, columns);
    }
    const int own = lane_id();
    typename Statistics::partial mine = own < slots ? slot_at(own) : Statistics::nothing();
    for (int slot = own + warp_size; slot < slots; slot += warp_size) {
      mine = merge(mine, slot_at(slot));
    }
    return Statistics::template of_slots<warp_size>(mine, first, columns);
  }

  // The three steps at once.
  template <typename Statistics, typename Partial>
  [[nodiscard]] __device__ Partial combine(const Partial& of_warp, row_slots<Partial>& shared,
                                           int columns) const {
    publish(of_warp, shared);
    meet();
    return collect<Statistics>([&shared](int i) { return shared.slots[i]; }, columns);
  }
};

}  // namespace heddle::norm::detail
