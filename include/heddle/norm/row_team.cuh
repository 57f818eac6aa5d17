// How the warps of a row's blocks merge their partial results.
#pragma once
#include <heddle/core/features.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/device/kernel/launch.cuh>

#include <cstdint>

namespace heddle::norm::detail {

inline constexpr int most_warps_of_block = 1024 / warp_size;
inline constexpr int most_blocks_of_row = device::detail::most_blocks_of_cluster;

// One slot per warp of the row, in shared memory; every block holds a full copy.
template <typename Partial>
struct row_slots {
  Partial slots[most_warps_of_block * most_blocks_of_row];
};

// The blocks that work on one row: a single block or a cluster. Their warps merge partial results
// in three steps, publish(), meet() and collect(), and a thread may do other work in between.
struct row_team {
  int blocks;
  int rank;  // of the caller's block in the team

  // Construct this before any slow work: it arrives at the cluster barrier, whose wait follows only
  // before the first exchange.
  __device__ explicit row_team(int blocks_of_row) : blocks(blocks_of_row), rank(0) {
    if constexpr (has_feature<feature::cluster>) {
      if (blocks > 1) {
        rank = device::detail::cluster::block_rank();
        device::detail::cluster::arrive();
      }
    }
  }

  // The row of the caller's blocks, if each team has one. Most rows have one block and avoid the
  // division.
  [[nodiscard]] __device__ std::int64_t row() const {
    if (blocks == 1) return blockIdx.x;
    return blockIdx.x / static_cast<unsigned>(blocks);
  }

  // Call once before the first publish().
  __device__ void wait_for_start() const {
    if constexpr (has_feature<feature::cluster>) {
      if (blocks > 1) device::detail::cluster::wait();
    }
  }

  // Makes the result of the caller's warp visible to all blocks of the row.
  //   called by   every thread of every block of the row; blocks consist of whole warps
  //   shared      not the slots of the previous call
  //   of_warp     the same in every lane of a warp
  //   cost        one shared store per block of the row
  template <typename Partial>
  __device__ void publish(const Partial& of_warp, row_slots<Partial>& shared) const {
    if (blocks == 1) {
      if (lane_id() == 0) shared.slots[warp_rank()] = of_warp;
    } else {
      if constexpr (has_feature<feature::cluster>) {
        if (lane_id() < blocks) {
          device::detail::cluster::in_block(shared.slots,
                                            lane_id())[rank * warp_count() + warp_rank()] = of_warp;
        }
        device::detail::cluster::arrive();
      }
    }
  }

  // Waits until every warp of the row has published.
  //   called by   as publish(), after it
  //   cost        a block barrier, or the wait of a cluster barrier
  __device__ void meet() const {
    if (blocks == 1) {
      __syncthreads();
    } else {
      if constexpr (has_feature<feature::cluster>) device::detail::cluster::wait();
    }
  }

  // Merges the results of all warps of the row.
  //   called by   as publish(), after meet(); the slots may be reused after the next meet()
  //   result in   every thread, bit for bit the same
  //   slot_at     returns slot i, a partial
  //   cost        up to 9 shared loads plus Statistics::of_slots()
  template <typename Statistics, typename SlotAt>
  [[nodiscard]] __device__ typename Statistics::partial collect(SlotAt&& slot_at,
                                                                int columns) const {
    const typename Statistics::merge merge;
    constexpr int few = 8;  // this few slots need fewer shuffles
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
