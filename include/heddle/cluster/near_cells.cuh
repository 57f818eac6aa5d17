// Which cells of a brick are near a cell of the same or an adjacent brick, as bits of the brick.
#pragma once
#include <heddle/cluster/bricks.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// The places of a brick along one axis that are within `reach` of a cell, one bit each. `at` is the
// cell's place in its own brick, `shift` the offset of this brick from that one.
template <int axes>
[[nodiscard]] __device__ inline unsigned places_near(int at, int shift, int reach) {
  constexpr int width = brick_shape<axes>::width;
  const int here = at - width * shift;  // the cell's place relative to this brick
  const unsigned window = (2u << 2 * reach) - 1;
  return window << (here + width) >> (width + reach) & ((1u << width) - 1);
}

// The place of the cell itself and those beyond it.
template <int axes>
[[nodiscard]] __device__ inline unsigned places_from(int at, int shift) {
  constexpr int width = brick_shape<axes>::width;
  const int here = at - width * shift;
  return ~0u << (here + width) >> width & ((1u << width) - 1);
}

// The cells whose place on every axis is among the given ones. Each place on the next axis repeats
// the pattern of the previous axes, so multiplying by the spread-out places produces all copies at
// once.
template <int axes>
[[nodiscard]] __device__ inline std::uint64_t cells_at(const unsigned (&places)[axes]) {
  if constexpr (axes == 3) {
    unsigned spread = (places[1] | places[1] << 6) & 0x0303;
    spread = (spread | spread << 3) & 0x1111;
    const unsigned plane = places[0] * spread;
    const unsigned low = plane * ((places[2] & 1) | (places[2] & 2) << 15);
    const unsigned high = plane * ((places[2] >> 2 & 1) | (places[2] & 8) << 13);
    return std::uint64_t{high} << 32 | low;
  } else {
    const unsigned low = places[0] * ((places[1] & 15) * 0x204081 & 0x01010101);
    const unsigned high = places[0] * ((places[1] >> 4) * 0x204081 & 0x01010101);
    return std::uint64_t{high} << 32 | low;
  }
}

// The cells within `reach`, which is 1 or 2, without the cell itself.
template <int axes>
[[nodiscard]] __device__ inline std::uint64_t near_cells(const int (&at)[axes],
                                                         const int (&shift)[axes], int reach) {
  unsigned places[axes], own[axes];
#pragma unroll
  for (int axis = 0; axis < axes; ++axis) {
    places[axis] = places_near<axes>(at[axis], shift[axis], reach);
    own[axis] = places_near<axes>(at[axis], shift[axis], 0);
  }
  return cells_at(places) & ~cells_at(own);
}

// The cells within two that come after the cell: of each pair, exactly one comes after the other. z
// is the most significant, then y, then x.
template <int axes>
[[nodiscard]] __device__ inline std::uint64_t later_cells(const int (&at)[axes],
                                                          const int (&shift)[axes]) {
  std::uint64_t result = 0;
#pragma unroll
  for (int deciding = 0; deciding < axes; ++deciding) {
    unsigned places[axes];
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      const unsigned near = places_near<axes>(at[axis], shift[axis], 2);
      const unsigned own = places_near<axes>(at[axis], shift[axis], 0);
      const unsigned beyond = near & places_from<axes>(at[axis], shift[axis]) & ~own;
      places[axis] = axis < deciding ? near : axis == deciding ? beyond : own;
    }
    result |= cells_at(places);
  }
  return result;
}

// The cells that share a side with the cell.
template <int axes>
[[nodiscard]] __device__ inline std::uint64_t cells_beside(const int (&at)[axes],
                                                           const int (&shift)[axes]) {
  std::uint64_t result = 0;
#pragma unroll
  for (int deciding = 0; deciding < axes; ++deciding) {
    unsigned places[axes];
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      const unsigned own = places_near<axes>(at[axis], shift[axis], 0);
      const unsigned beside = places_near<axes>(at[axis], shift[axis], 1) & ~own;
      places[axis] = axis == deciding ? beside : own;
    }
    result |= cells_at(places);
  }
  return result;
}

}  // namespace heddle::cluster::detail
