// Reduction over several warps: the basis of the reductions of blocks and large tiles.
#pragma once
#include <heddle/core/shuffle.cuh>
#include <heddle/group/team.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/scan.cuh>

namespace heddle::group::detail {

using warp::detail::combine_across;
using warp::detail::combine_where;
using warp::detail::combine_with;

// Combines the values of lanes 0 … lanes - 1, in order; the result is in lane 0. Before each step a
// lane holds the result of the `distance` lanes from itself on, or of as many as there are.
template <typename T, typename Op>
__device__ inline T reduce_first_lanes(T value, int lanes, const Op& op) {
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const bool later_exists = lane_id() + distance < lanes;
    const T later = heddle::shuffle(all_lanes, value, lane_id() + (later_exists ? distance : 0));
    const T combined = op(value, later);
    value = later_exists ? combined : value;
  }
  return value;
}

// Combines one value per warp. Called by a whole warp; the result is in its lane 0.
template <typename T, typename Op>
__device__ inline T reduce_partials(const T* partials, int warps, const Op& op) {
  if constexpr (warp::detail::has_instruction<warp_size, T, Op>) {
    return warp::reduce(lane_id() < warps ? partials[lane_id()] : identity<Op, T>(), op);
  } else if constexpr (has_identity<Op, T>) {
    // Each lane folds four neighbours, which saves the latency of two shuffles.
    constexpr int count = 4;
    T values[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const int warp = lane_id() * count + i;
      values[i] = warp < warps ? partials[warp] : identity<Op, T>();
    }
    const T folded = op(op(values[0], values[1]), op(values[2], values[3]));
    return warp::reduce_to_first<warps_of_largest_block / count>(folded, op);
  } else {
    return reduce_first_lanes(partials[min(lane_id(), warps - 1)], warps, op);
  }
}

// ---- a slot for each thread

// True if values of T go through the threads' slots.
template <typename T, typename Scratch>
inline constexpr bool goes_through_slots = Scratch::has_slots &&
                                           sizeof(T) == sizeof(typename Scratch::held);

template <typename T, typename Scratch>
__device__ inline T& slot_of(int rank, Scratch& shared, int row = 0) {
  return *reinterpret_cast<T*>(shared.slots[row] +
                               Scratch::slot_layout::of_item(static_cast<unsigned>(rank)));
}

// A row is as many consecutive slots as the team has warps; lane i combines row i. Rows of up to 64
// bytes are loaded and stored whole, longer ones in pieces of up to 32 bytes: more would take too
// many registers.
template <typename T, typename Scratch>
struct slot_row {
  static constexpr int count = Scratch::warps;
  static constexpr int piece_bytes = count * static_cast<int>(sizeof(T)) <= 64 ? 64 : 32;
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
    const int unit = heddle::detail::access_size(values * static_cast<int>(sizeof(T)));
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

// Combines the values of a piece: pairs of neighbours, then pairs of pairs, to keep the dependency
// chain short.
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

// Stores each warp's result in the partials. Returns false if the team is one warp: then its lane 0
// has the result in `value`. Whole warps have a separate path up to the store, so that the work for
// the store overlaps with their shuffles.
template <typename T, typename Op>
__device__ inline bool bring_partial(const place& here, T& value, const Op& op, T* partials) {
  if (here.whole && !here.is_alone()) {
    value = warp::reduce_to_first(value, op);
    if (here.lane == 0) partials[here.warp] = value;
  } else {
    value = reduce_first_lanes(value, here.lanes, op);
    if (here.is_alone()) return false;
    if (here.lane == 0) partials[here.warp] = value;
  }
  return true;
}

// Reduces the team's values; the result is in every thread.
template <typename Team, typename T, typename Op, typename Scratch>
__device__ inline T reduce_team(const Team& here, T value, const Op& op, Scratch& passed) {
  Scratch& shared = with_address_kept(passed);
  T* const results = results_of<T>(shared);
  const bool leads = agreed(here.warp == 0);
  if constexpr (goes_through_slots<T, Scratch>) {
    slot_of<T>(here.rank, shared) = value;
    here.sync();
    if (leads) {
      const T of_lane = fold_row(slot_row<T, Scratch>(here.lane, shared), op);
      const T total = warp::reduce_to_first(of_lane, op);
      if (here.lane == 0) results[0] = total;
    }
  } else {
    T* const partials = partials_of<T>(shared);
    if (!bring_partial(here, value, op, partials)) return heddle::shuffle(all_lanes, value, 0);
    here.sync();
    if (leads) {
      const T total = reduce_partials(partials, here.warps, op);
      if (here.lane == 0) results[0] = total;
    }
  }
  here.sync();
  return results[0];
}

// Reduces the team's values; the result is in the first thread, and others get unspecified values.
template <typename Team, typename T, typename Op, typename Scratch>
__device__ inline T reduce_team_to_first(const Team& here, T value, const Op& op, Scratch& passed) {
  Scratch& shared = with_address_kept(passed);
  const bool leads = agreed(here.warp == 0);
  if constexpr (goes_through_slots<T, Scratch>) {
    slot_of<T>(here.rank, shared) = value;
    here.sync();
    if (leads) {
      value = warp::reduce_to_first(fold_row(slot_row<T, Scratch>(here.lane, shared), op), op);
    }
  } else {
    T* const partials = partials_of<T>(shared);
    if (!bring_partial(here, value, op, partials)) return value;
    here.sync();
    if (leads) value = reduce_partials(partials, here.warps, op);
  }
  here.sync();
  return value;
}

}  // namespace heddle::group::detail
