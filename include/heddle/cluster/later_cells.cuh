// Which cells of a brick come after a cell and are within two of it: of each pair of cells one
// comes after the other.
#pragma once
#include <heddle/cluster/bricks.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// On one axis, a bit for each place of the brick: those within two of the cell, and of these the
// one of the cell itself and those beyond it.
template <int axes>
struct places_on_axis {
  unsigned near, same, beyond;

  // `at` is the cell's place in its own brick, `shift` that of the brick against it.
  __device__ places_on_axis(int at, int shift) {
    constexpr int width = brick_shape<axes>::width;
    const int here = at - width * shift;  // where the cell would be in this brick
    near = same = beyond = 0;
#pragma unroll
    for (int place = 0; place < width; ++place) {
      const int distance = place - here;
      near |= static_cast<unsigned>(distance >= -2 && distance <= 2) << place;
      same |= static_cast<unsigned>(distance == 0) << place;
      beyond |= static_cast<unsigned>(distance > 0 && distance <= 2) << place;
    }
  }
};

// The cells whose place on each axis is among the given ones, as bits of a brick.
template <int axes>
[[nodiscard]] __device__ inline std::uint64_t cells_at(const unsigned (&places)[axes]) {
  constexpr int width = brick_shape<axes>::width;
  std::uint64_t result = places[0];
  int apart = width;  // of two cells that follow each other on the axis
#pragma unroll
  for (int axis = 1; axis < axes; ++axis) {
    std::uint64_t copies = 0;
#pragma unroll
    for (int place = 0; place < width; ++place) {
      copies |= static_cast<std::uint64_t>(places[axis] >> place & 1) << apart * place;
    }
    result *= copies;  // the copies lie side by side
    apart *= width;
  }
  return result;
}

// z counts most, then y, then x.
template <int axes>
[[nodiscard]] __device__ inline std::uint64_t later_cells(const int (&at)[axes],
                                                          const int (&shift)[axes]) {
  std::uint64_t result = 0;
#pragma unroll
  for (int deciding = 0; deciding < axes; ++deciding) {
    unsigned places[axes];
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      const places_on_axis<axes> mine(at[axis], shift[axis]);
      places[axis] = axis < deciding ? mine.near : axis == deciding ? mine.beyond : mine.same;
    }
    result |= cells_at(places);
  }
  return result;
}

}  // namespace heddle::cluster::detail
