// Cell numbers on the device: which cell of a grid a coordinate is in, whatever the extent.
#pragma once
#include <heddle/core/config.cuh>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace heddle::cluster::detail {

// Cells per unit of length on an axis. The edge of a cell is eps / sqrt(axes), shortened by one
// part in 2^20.
template <int axes>
[[nodiscard]] double cells_per_unit(double eps) {
  return 1 / (eps / std::sqrt(static_cast<double>(axes)) * (1 - 0x1p-20));
}

// The number of a finite coordinate's cell. Everything else relies on two guarantees:
//   (1) points with equal numbers on all axes are neighbours, by the rule including its rounding;
//   (2) points whose numbers differ by more than 2 on some axis are not.
//
// Up to 2^61 cells from 0 it is floor(x * per_cell) of the exact product: the fused multiply-add
// recovers what the rounded product has lost. Take 1 / per_cell as the edge. Then points of one
// cell are less than an edge apart, and the shortened edge leaves a margin of 2^-20 for the
// rounding of per_cell, of the rule, and of coordinates so small that their product underflows.
// Numbers that differ by 3 belong to points more than two edges apart: above 1.15 eps on three
// axes, above 1.41 eps on two.
//
// Further away, distinct values are at least 2^7 edges apart, so only equal values need equal
// numbers: their bits serve as numbers. As eps is at least 1e-150, such values are beyond 2^-440,
// and the numbers stay below 2^63.
[[nodiscard]] __device__ inline std::int64_t cell_number(double x, double per_cell) {
  constexpr double far = 0x1p61;
  const double product = __dmul_rn(x, per_cell);
  if (fabs(product) < far) {
    const double below = floor(product);
    const double lost = product == below ? floor(__fma_rn(x, per_cell, -product)) : 0;
    return static_cast<std::int64_t>(below) + static_cast<std::int64_t>(lost);
  }
  constexpr std::int64_t bits_of_nearest = std::int64_t{1023 - 440} << 52;  // 2^-440
  const double size = fabs(x);
  std::int64_t bits;
  std::memcpy(&bits, &size, sizeof(bits));
  const std::int64_t number = (std::int64_t{1} << 61) + (bits - bits_of_nearest);
  return x < 0 ? -number : number;
}

}  // namespace heddle::cluster::detail
