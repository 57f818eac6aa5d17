// Scan over several warps: the basis of the scans of blocks and large tiles.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/group/team.cuh>
#include <heddle/group/team_reduce.cuh>
#include <heddle/warp/scan.cuh>

namespace heddle::group::detail {

using warp::detail::is_undone_exactly;
using warp::detail::scan_up;
using warp::detail::undo;

enum class scan_kind { inclusive, exclusive };

// What comes before the first value of a scan: nothing, or an initial value.
struct nothing_before {
  static constexpr bool exists = false;
};
template <typename T>
struct initial_before {
  static constexpr bool exists = true;
  T value;
};

// True if some value can come before all others and change none of them, not even the sign of a
// zero. Then no thread has to check whether it is the first. (A smallest or largest number would
// change a NaN.)
template <typename T, typename Op>
inline constexpr bool has_neutral =
    std::is_integral_v<T> && !std::is_same_v<T, bool>
        ? std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies> ||
              std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum> ||
              std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> ||
              std::is_same_v<Op, bit_xor>
        : std::is_floating_point_v<T> && std::is_same_v<Op, plus>;

template <typename T, typename Op>
__device__ inline T neutral() {
  if constexpr (std::is_floating_point_v<T>) {
    return -T{0};
  } else {
    return identity<Op, T>();
  }
}

// Replaces each value of a piece by its inclusive or exclusive result. On entry `running` is the
// result before the first value, on return the result up to the last. If nothing comes before the
// piece, `running` is meaningless on entry, and so is the first value of an exclusive scan.
template <scan_kind kind, typename T, typename Piece, typename Op>
__device__ inline void scan_piece([[maybe_unused]] bool has_before, T& running, Piece& piece,
                                  const Op& op) {
  constexpr int count = static_cast<int>(sizeof(piece.values_of) / sizeof(T));
#pragma unroll
  for (int i = 0; i < count; ++i) {
    T including = op(running, piece.values_of[i]);
    if (i == 0 && !has_neutral<T, Op>) {
      including = has_before ? including : piece.values_of[0];
      // Otherwise the compiler duplicates all code that follows, one copy being for the first lane.
      __syncwarp();
    }
    piece.values_of[i] = kind == scan_kind::exclusive ? running : including;
    running = including;
  }
}

// A lane's exclusive result in its warp, from its inclusive one. In lane 0 it is neutral if a value
// can be removed exactly, else meaningless.
template <typename Op, typename T>
__device__ inline T before_in_warp(const T& including, const T& value) {
  if constexpr (is_undone_exactly<T, Op>) {
    return undo<Op>(including, value);
  } else {
    return shuffle_up(all_lanes, including, 1);
  }
}

// Scans the slots; called by the first warp.
template <scan_kind kind, typename T, typename Op, typename Before, typename Scratch>
__device__ inline void scan_slots(const place& here, const Op& op, const Before& initial,
                                  Scratch& shared) {
  using shape = slot_row<T, Scratch>;
  const shape row(here.lane, shared);
  [[maybe_unused]] typename shape::piece whole = row[0];
  const T of_lane = shape::is_one_piece ? fold_piece<T>(whole, op) : fold_row(row, op);
  const T of_lanes = scan_up<warp_size>(all_lanes, of_lane, op);
  if (here.lane == warp_size - 1) results_of<T>(shared)[0] = of_lanes;
  T running = before_in_warp<Op>(of_lanes, of_lane);
  bool has_before = here.lane > 0;
  if constexpr (Before::exists) {
    const T with_initial = op(initial.value, running);
    running = has_before ? with_initial : initial.value;
    has_before = true;
  } else if constexpr (has_neutral<T, Op> && !is_undone_exactly<T, Op>) {
    running = has_before ? running : neutral<T, Op>();
  }
  if constexpr (shape::is_one_piece) {
    scan_piece<kind>(has_before, running, whole, op);
    row[0] = whole;
  } else {
    // One piece at a time: all of them would take too many registers.
#pragma unroll 1
    for (int i = 0; i < shape::count / shape::piece_count; ++i) {
      typename shape::piece piece = row[i];
      scan_piece<kind>(has_before, running, piece, op);
      row[i] = piece;
      has_before = true;
    }
    if constexpr (shape::rest > 0) {
      typename shape::last_piece piece = row.last();
      scan_piece<kind>(true, running, piece, op);
      row.last() = piece;
    }
  }
}

// A thread's results of a scan.
template <typename T>
struct team_scanned {
  T result;
  T total;  // of all values, without the initial one
};

template <scan_kind kind, typename Team, typename T, typename Op, typename Before, typename Scratch>
__device__ inline team_scanned<T> scan_by_slots(const Team& here, const T& value, const Op& op,
                                                const Before& initial, Scratch& shared) {
  slot_of<T>(here.rank, shared) = value;
  const bool leads = agreed(here.warp == 0);
  here.sync();
  if (leads) scan_slots<kind, T>(here, op, initial, shared);
  here.sync();
  return {slot_of<T>(here.rank, shared), results_of<T>(shared)[0]};
}

// Scans each warp by shuffles, then the warps' results in the first warp.
template <scan_kind kind, typename Team, typename T, typename Op, typename Before, typename Scratch>
__device__ inline team_scanned<T> scan_by_warps(const Team& here, const T& value, const Op& op,
                                                const Before& initial, Scratch& shared) {
  const T in_warp = scan_up<warp_size>(all_lanes, value, op);
  T before_warp = in_warp;
  T total = in_warp;
  if (here.is_alone()) {
    total = heddle::shuffle(all_lanes, in_warp, here.lanes - 1);
  } else {
    T* const partials = partials_of<T>(shared);
    T* const results = results_of<T>(shared);
    if (here.lane == here.lanes - 1) partials[here.warp] = in_warp;
    here.sync();
    if (agreed(here.warp == 0)) {
      // Lanes without a warp come after all others, and their results are not used.
      const T up_to_warp =
          scan_up<warp_size>(all_lanes, partials[min(here.lane, here.warps - 1)], op);
      if (here.lane < here.warps) results[here.lane] = up_to_warp;
    }
    here.sync();
    before_warp = results[here.warp == 0 ? 0 : here.warp - 1];
    total = results[here.warps - 1];
  }
  bool has_before_warp = here.warp > 0;
  if constexpr (Before::exists) {
    before_warp = combine_where(has_before_warp, initial.value, before_warp, initial.value, op);
    has_before_warp = true;
  }
  if constexpr (kind == scan_kind::inclusive) {
    return {combine_where(has_before_warp, before_warp, in_warp, in_warp, op), total};
  } else {
    const T earlier = before_in_warp<Op>(in_warp, value);
    if constexpr (has_neutral<T, Op> && !Before::exists) {
      if (here.warp == 0) before_warp = neutral<T, Op>();
    }
    if (here.lane == 0) return {before_warp, total};
    return {combine_where(has_before_warp, before_warp, earlier, earlier, op), total};
  }
}

// Scans one value per thread, in the type in which values are carried. In an exclusive scan without
// an initial value, the first thread's result is the neutral value, or meaningless if there is
// none.
template <scan_kind kind, typename Team, typename T, typename Op, typename Before, typename Scratch>
__device__ inline team_scanned<T> scan_team(const Team& here, const T& value, const Op& op,
                                            const Before& initial, Scratch& passed) {
  Scratch& shared = with_address_kept(passed);
  if constexpr (goes_through_slots<T, Scratch>) {
    return scan_by_slots<kind>(here, value, op, initial, shared);
  } else {
    return scan_by_warps<kind>(here, value, op, initial, shared);
  }
}

}  // namespace heddle::group::detail
