// Reduction over several warps: what the reductions of blocks and of large tiles are made of.
#pragma once
#include <heddle/core/shuffle.cuh>
#include <heddle/group/team.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/scan.cuh>

namespace heddle::group::detail {

using warp::detail::combine_across;
using warp::detail::combine_where;
using warp::detail::combine_with;

// Combines the values of lanes 0 … lanes - 1, in order; the result is in lane 0. Before each step
// a lane holds the result of the `distance` lanes that begin with it, as far as there are any.
template <typename T, typename Op>
__device__ inline T reduce_first_lanes(T value, int lanes, const Op& op) {
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const bool later_exists = lane_id() + distance < lanes;
    const T later = heddle::shuffle(all_lanes, value, lane_id() + (later_exists ? distance : 0));
    value = combine_where(later_exists, value, later, value, op);
  }
  return value;
}

// Combines the values of the caller's warp; the result is in lane 0.
template <typename T, typename Op>
__device__ inline T reduce_own_warp(const place& here, const T& value, const Op& op) {
  if (!here.whole) return reduce_first_lanes(value, here.lanes, op);
  return warp::reduce_to_first(value, op);
}

// Combines one value of each warp; called by a whole warp, the result is in its lane 0.
template <typename T, typename Op>
__device__ inline T reduce_partials(const T* partials, int warps, const Op& op) {
  if constexpr (has_identity<Op, T>) {
    return warp::reduce_to_first(lane_id() < warps ? partials[lane_id()] : identity<Op, T>(), op);
  } else {
    return reduce_first_lanes(partials[min(lane_id(), warps - 1)], warps, op);
  }
}

// ---- a slot for each thread

// True where values of T go through the threads' slots.
template <typename T, typename Scratch>
inline constexpr bool goes_through_slots = Scratch::has_slots &&
                                           sizeof(T) == sizeof(typename Scratch::held);

template <typename T, typename Scratch>
__device__ inline T& slot_of(int rank, Scratch& shared, int row = 0) {
  return *reinterpret_cast<T*>(shared.slots[row] +
                               Scratch::slot_layout::of_item(static_cast<unsigned>(rank)));
}

// As many slots in a row as the team has warps are a row; row i is lane i's. It is loaded and
// stored in pieces of up to 64 bytes, more than which would take too many registers.
template <typename T, typename Scratch>
struct slot_row {
  static constexpr int count = Scratch::warps;
  static constexpr int piece_bytes = 32;
  static constexpr int piece_count = [] {
    int values = 1;
    while (2 * values <= count && 2 * values * static_cast<int>(sizeof(T)) <= piece_bytes) {
      values *= 2;
    }
    return values;
  }();
  static constexpr int rest = count % piece_count;
  static constexpr bool is_one_piece = piece_count == count;

  template <int values>
  static constexpr int alignment = [] {
    const int unit = access_size(values * static_cast<int>(sizeof(T)));
    return unit < Scratch::slot_layout::owner_unit ? unit : Scratch::slot_layout::owner_unit;
  }();
  template <int values>
  struct alignas(alignment<values>) part {
    T values_of[values];
  };
  using piece = part<piece_count>;
  using last_piece = part<rest == 0 ? 1 : rest>;

  unsigned char* bytes;

  __device__ slot_row(int lane, Scratch& shared, int row = 0)
      : bytes(shared.slots[row] + Scratch::slot_layout::of_owner(static_cast<unsigned>(lane))) {}
  [[nodiscard]] __device__ piece& operator[](int index) const {
    return reinterpret_cast<piece*>(bytes)[index];
  }
  [[nodiscard]] __device__ last_piece& last() const {
    return *reinterpret_cast<last_piece*>(bytes + (count - rest) * sizeof(T));
  }
};

// Combines the values of a piece: pairs of neighbours, then pairs of pairs, so that few steps wait
// for others.
template <typename T, typename Piece, typename Op>
__device__ inline T fold_piece(Piece piece, const Op& op) {
  constexpr int count = static_cast<int>(sizeof(piece.values_of) / sizeof(T));
#pragma unroll
  for (int distance = 1; distance < count; distance *= 2) {
#pragma unroll
    for (int i = 0; i + distance < count; i += 2 * distance) {
      piece.values_of[i] = op(piece.values_of[i], piece.values_of[i + distance]);
    }
  }
  return piece.values_of[0];
}

// Combines a row.
template <typename T, typename Scratch, typename Op>
__device__ inline T fold_row(const slot_row<T, Scratch>& row, const Op& op) {
  using shape = slot_row<T, Scratch>;
  T folded = fold_piece<T>(row[0], op);
#pragma unroll
  for (int i = 1; i < shape::count / shape::piece_count; ++i) {
    folded = op(folded, fold_piece<T>(row[i], op));
  }
  if constexpr (shape::rest > 0) folded = op(folded, fold_piece<T>(row.last(), op));
  return folded;
}

// ---- the whole reduction, in the type in which values are carried

// The result in every thread.
template <typename Team, typename T, typename Op, typename Scratch>
__device__ inline T reduce_team(const Team& here, const T& value, const Op& op, Scratch& shared) {
  T* const results = results_of<T>(shared);
  if constexpr (goes_through_slots<T, Scratch>) {
    slot_of<T>(here.rank, shared) = value;
    here.sync();
    if (agreed(here.warp == 0)) {
      const T of_lane = fold_row(slot_row<T, Scratch>(here.lane, shared), op);
      const T total = warp::reduce_to_first(of_lane, op);
      if (here.lane == 0) results[0] = total;
    }
  } else {
    T* const partials = partials_of<T>(shared);
    const T of_warp = reduce_own_warp(here, value, op);
    if (here.is_alone()) return heddle::shuffle(all_lanes, of_warp, 0);
    if (here.lane == 0) partials[here.warp] = of_warp;
    here.sync();
    if (agreed(here.warp == 0)) {
      const T total = reduce_partials(partials, here.warps, op);
      if (here.lane == 0) results[0] = total;
    }
  }
  here.sync();
  return results[0];
}

// The result in the first thread; others get something else.
template <typename Team, typename T, typename Op, typename Scratch>
__device__ inline T reduce_team_to_first(const Team& here, T value, const Op& op, Scratch& shared) {
  if constexpr (goes_through_slots<T, Scratch>) {
    slot_of<T>(here.rank, shared) = value;
    here.sync();
    if (agreed(here.warp == 0)) {
      value = warp::reduce_to_first(fold_row(slot_row<T, Scratch>(here.lane, shared), op), op);
    }
  } else {
    T* const partials = partials_of<T>(shared);
    value = reduce_own_warp(here, value, op);
    if (here.is_alone()) return value;
    if (here.lane == 0) partials[here.warp] = value;
    here.sync();
    if (agreed(here.warp == 0)) value = reduce_partials(partials, here.warps, op);
  }
  here.sync();
  return value;
}

}  // namespace heddle::group::detail
